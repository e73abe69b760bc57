// A result file for other programs. Each returns the files it wrote; std::system_error if one cannot be written.
#pragma once

#include <filesystem>
#include <vector>

#include "carom/io/recording.h"

namespace carom::inline io {

struct ExportOptions {
  std::size_t every = 1;  // samples; contacts of the ones between go with the next
};

using ExportedFiles = std::vector<std::filesystem::path>;

// samples.csv (everything sampled, a column a number, units in the header), steps.csv, contacts.csv, events.csv
ExportedFiles export_csv(const Recording& recording, const std::filesystem::path& folder, const ExportOptions& options);
// bodies.pvd and contacts.pvd for ParaView, with a .vtp for each sample: triangles with the number of their body;
// points of contact with impulse and mean force as vectors
ExportedFiles export_vtk(const Recording& recording, const std::filesystem::path& folder, const ExportOptions& options);
// One glTF 2.0 file, the motion as an animation
ExportedFiles export_gltf(const Recording& recording, const std::filesystem::path& file, const ExportOptions& options);

// One MAT file of level 5, as MATLAB, Octave and scipy.io.loadmat read it: everything sampled as structs by its path
// (body.ball.position, samples down), stats, contact.table, event.table, and a struct `unit` of the same paths
ExportedFiles export_mat(const Recording& recording, const std::filesystem::path& file, const ExportOptions& options);

}  // namespace carom::inline io
