// Commands over many runs or many problems, and those that read or write files of other programs, are not what a first
// run needs: the program carom is not linked with them.
// Its objects and apps/studies make carom-study, which these commands become; the launcher builds it when one is first
// asked for.
#pragma once

#include <string_view>

namespace carom::cli {

inline constexpr const char* diff_text = "Compare two result files number by number; exit 1 if they differ";
inline constexpr const char* compare_text = "One scenario run with several schemes, side by side";
inline constexpr const char* converge_text = "Errors over many steps and schemes, and their orders";
inline constexpr const char* sweep_text =
    "One scenario over many values of its parameters: a table, or a bifurcation diagram";
inline constexpr const char* import_text = "Translate a URDF or MJCF file";
inline constexpr const char* export_text =
    "Write a result for other programs (csv, vtk, gltf, mat), or a model (toml, fmu)";
inline constexpr const char* solve_text = "One stored contact problem alone, by one solver or by all";

// For one of these commands; returns where this program has them, or where the one that has is not there.
void become_studying_program(std::string_view command);

}  // namespace carom::cli
