// What a sweep and a bifurcation diagram show on a page: percentiles and worst cases as tables; measures over one
// parameter as curves, over two as heat maps, over drawn ones as clouds; distributions; sections as dots.
#pragma once

#include <vector>

#include "carom/io/report/chapter.h"
#include "carom/study/section.h"
#include "carom/study/sweep.h"

namespace carom::inline study {

// One chapter of the whole, then one for each measure.
std::vector<Chapter> chapters_of(const SweepTable& table);
// The diagram; and sections of some values, if it has them.
std::vector<Chapter> chapters_of(const Section& section, const std::string& title);

}  // namespace carom::inline study
