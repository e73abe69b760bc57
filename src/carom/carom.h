// Carom as a library: all that a program needs to build a model, run it, compare schemes on it and keep the result.
//
//   find_package(carom REQUIRED)
//   target_link_libraries(my_program carom::carom)
//
// The programs in examples/ show it in use; docs/library.md is the guide.
#pragma once

#include "carom/base/errors.h"                    // InputError
#include "carom/base/version.h"                   // build_info
#include "carom/inclusion/inclusion_solver.h"     // make_solver
#include "carom/io/recording.h"                   // Recording: a result file, read
#include "carom/io/run_scenario.h"                // run_scenario: simulate, record, measure
#include "carom/io/scenario.h"                    // Scenario: a model and what to do with it
#include "carom/io/start_report.h"                // report_start: what can be said before a run
#include "carom/io/stepped_run.h"                 // SteppedRun: a scenario stepped by its user
#include "carom/model/analytic/analytic_model.h"  // make_analytic_model: mechanisms of the literature
#include "carom/model/assembly/builder.h"         // ModelBuilder
#include "carom/model/model.h"                    // Model
#include "carom/schemes/scheme.h"                 // make_scheme, schemes
#include "carom/simulation/simulate.h"            // simulate, Recorder
#include "carom/study/compare.h"                  // compare: one model, several schemes
#include "carom/study/converge.h"                 // converge: errors over step lengths
#include "carom/study/sweep.h"                    // sweep: measures over parameters
#include "carom/system/layout.h"                  // layout_of: what the numbers of a state are

namespace carom {

using model::BodyRef;
using model::ModelBuilder;
using model::Prescribed;

}  // namespace carom
