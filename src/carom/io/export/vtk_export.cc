// VTK's XML files for ParaView: numbers as raw bytes behind the XML, each array led by its length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "carom/io/export/exports.h"
#include "carom/io/export/mesh.h"
#include "carom/io/export/scene_replay.h"
#include "carom/io/output_file.h"

namespace carom::inline io {

namespace {

class VtpFile {
 public:
  template <class Number>
  std::string array(const char* type, const std::string& name, int components, const std::vector<Number>& values) {
    const std::string tag = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
        name, components, raw_.size());
    const std::uint64_t bytes = values.size() * sizeof(Number);
    raw_.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    raw_.append(reinterpret_cast<const char*>(values.data()), bytes);
    return tag;
  }
  std::string floats(const std::string& name, int components, const std::vector<float>& values) {
    return array("Float32", name, components, values);
  }
  std::string indices(const std::string& name, const std::vector<std::int32_t>& values) {
    return array("Int32", name, 1, values);
  }

  void write(const std::filesystem::path& path, std::size_t points, std::size_t vertices, std::size_t polygons,
             const std::string& content) const {
    const std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n{}</Piece>\n</PolyData>\n"
        "<AppendedData encoding=\"raw\">\n_",
        points, vertices, polygons, content);
    write_text_file(path.string(), text + raw_ + "\n</AppendedData>\n</VTKFile>\n", Replace::ours);
  }

 private:
  std::string raw_;
};

void put(const Vector3& x, std::vector<float>& out) {
  for (int k = 0; k < 3; ++k) out.push_back(static_cast<float>(x[k]));
}

struct Bodies {
  std::vector<std::size_t> frames;  // of each mesh
  std::vector<Mesh> meshes;
  std::vector<std::int32_t> connectivity, offsets, body;

  explicit Bodies(const SceneReplay& replay) {
    std::int32_t base = 0;
    for (const DrawnShape& shape : replay.scene().shapes) {
      meshes.push_back(mesh_of(shape, replay.size()));
      frames.push_back(static_cast<std::size_t>(shape.frame));
      for (const auto& triangle : meshes.back().triangles) {
        for (const int corner : triangle) connectivity.push_back(base + corner);
        offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
        body.push_back(static_cast<std::int32_t>(shape.frame));
      }
      base += static_cast<std::int32_t>(meshes.back().points.size());
    }
  }

  void write(const SceneReplay& replay, std::size_t sample, const std::filesystem::path& path) const {
    std::vector<float> points;
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const Pose pose = replay.pose(frames[m], sample);
      for (const Vector3& p : meshes[m].points) put(pose.point(p), points);
    }
    VtpFile file;
    std::string content = "<Points>\n" + file.floats("points", 3, points) + "</Points>\n";
    content += "<Polys>\n" + file.indices("connectivity", connectivity);
    content += file.indices("offsets", offsets) + "</Polys>\n";
    content += "<CellData Scalars=\"body\">\n" + file.indices("body", body) + "</CellData>\n";
    file.write(path, points.size() / 3, 0, offsets.size(), content);
  }
};

struct Contacts {
  std::vector<double> t, number, columns[8];  // x y z px py pz gap status

  explicit Contacts(const Recording& recording) {
    if (!recording.file().exists("/contact/table")) return;
    t = recording.contacts("t");
    number = recording.contacts("contact");
    const char* names[] = {"x", "y", "z", "px", "py", "pz", "gap", "status"};
    for (std::size_t k = 0; k < std::size(names); ++k) columns[k] = recording.contacts(names[k]);
  }

  // Impulses of the steps in (from, to], each contact once, where it acted last.
  void write(double from, double to, const std::filesystem::path& path) const {
    struct Sum {
      Vector3 at, impulse = Vector3::Zero();
      double gap = 0.0, status = 0.0;
    };
    std::map<std::int32_t, Sum> sums;
    const auto begin = std::upper_bound(t.begin(), t.end(), from), end = std::upper_bound(t.begin(), t.end(), to);
    for (auto i = static_cast<std::size_t>(begin - t.begin()); i < static_cast<std::size_t>(end - t.begin()); ++i) {
      if (!std::isfinite(columns[0][i])) continue;
      Sum& sum = sums[static_cast<std::int32_t>(number[i])];
      sum.at = {columns[0][i], columns[1][i], columns[2][i]};
      sum.impulse += Vector3(columns[3][i], columns[4][i], columns[5][i]);
      sum.gap = columns[6][i];
      sum.status = columns[7][i];
    }
    std::vector<float> points, impulses, forces, gaps;
    std::vector<std::int32_t> ids, states, order, offsets;
    for (const auto& [id, sum] : sums) {
      order.push_back(static_cast<std::int32_t>(ids.size()));
      offsets.push_back(order.back() + 1);
      put(sum.at, points);
      put(sum.impulse, impulses);
      put(to > from ? Vector3(sum.impulse / (to - from)) : Vector3(Vector3::Zero()), forces);
      gaps.push_back(static_cast<float>(sum.gap));
      ids.push_back(id);
      states.push_back(static_cast<std::int32_t>(sum.status));
    }
    VtpFile file;
    std::string content = "<Points>\n" + file.floats("points", 3, points) + "</Points>\n";
    content += "<Verts>\n" + file.indices("connectivity", order);
    content += file.indices("offsets", offsets) + "</Verts>\n";
    content += "<PointData Vectors=\"impulse\">\n" + file.floats("impulse", 3, impulses);
    content += file.floats("mean_force", 3, forces);
    content += file.floats("gap", 1, gaps);
    content += file.indices("contact", ids);
    content += file.indices("status", states) + "</PointData>\n";
    file.write(path, ids.size(), ids.size(), 0, content);
  }
};

std::string collection(const std::vector<std::pair<double, std::string>>& entries) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const auto& [time, file] : entries)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time, file);
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace

ExportedFiles export_vtk(const Recording& recording, const std::filesystem::path& folder,
                         const ExportOptions& options) {
  const SceneReplay replay(recording);
  std::filesystem::create_directories(folder);
  const Bodies bodies(replay);
  const Contacts contacts(recording);
  std::vector<std::pair<double, std::string>> body_files, contact_files;
  ExportedFiles written;
  double last = -1e300;
  for (std::size_t i = 0; i < replay.times().size(); i += options.every) {
    const double t = replay.times()[i];
    body_files.emplace_back(t, fmt::format("bodies_{:06}.vtp", i));
    contact_files.emplace_back(t, fmt::format("contacts_{:06}.vtp", i));
    bodies.write(replay, i, folder / body_files.back().second);
    contacts.write(i == 0 ? t : last, t, folder / contact_files.back().second);
    last = t;
  }
  for (const auto& [name, entries] :
       {std::pair("bodies.pvd", &body_files), std::pair("contacts.pvd", &contact_files)}) {
    written.push_back(folder / name);
    write_text_file(written.back().string(), collection(*entries), Replace::ours);
  }
  return written;
}

}  // namespace carom::inline io
