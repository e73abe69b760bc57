#include "carom/io/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <system_error>

#include "carom/io/committed_file.h"
#include "carom/io/hdf5_driver.h"

namespace carom::inline io {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(std::make_error_code(std::errc::io_error), "HDF5: " + what);
}

template <class T>
T checked(T result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

template <herr_t (*close)(hid_t)>
Hdf5Handle handle(hid_t id, const std::string& what) {
  return {checked(id, what), [](std::int64_t x) -> int { return close(x); }};
}

// The library prints its own errors unless told not to. What it would do at the exit of the program is done by then:
// every file is closed by its owner, and a file that could not be written must not be tried again.
void start_library() {
  static const herr_t first = H5dont_atexit();
  static_cast<void>(first);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

hid_t memory_type(Hdf5Type type) {
  switch (type) {
    case Hdf5Type::float64: return H5T_NATIVE_DOUBLE;
    case Hdf5Type::float32: return H5T_NATIVE_FLOAT;
    case Hdf5Type::int64: return H5T_NATIVE_INT64;
    case Hdf5Type::int32: return H5T_NATIVE_INT32;
    case Hdf5Type::uint32: return H5T_NATIVE_UINT32;
    case Hdf5Type::uint8: return H5T_NATIVE_UINT8;
  }
  return H5T_NATIVE_DOUBLE;
}

Hdf5Handle text_type() {
  Hdf5Handle type = handle<H5Tclose>(H5Tcopy(H5T_C_S1), "text type");
  checked(H5Tset_size(type.get(), H5T_VARIABLE), "text type");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "text type");
  return type;
}

Hdf5Handle intermediate_groups() {
  Hdf5Handle list = handle<H5Pclose>(H5Pcreate(H5P_LINK_CREATE), "property list");
  checked(H5Pset_create_intermediate_group(list.get(), 1), "property list");
  return list;
}

void write_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type, const void* value) {
  const std::string what = object + " attribute " + name;
  const Hdf5Handle target = handle<H5Oclose>(H5Oopen(file, object.c_str(), H5P_DEFAULT), what);
  if (H5Aexists(target.get(), name.c_str()) > 0) checked(H5Adelete(target.get(), name.c_str()), what);
  const Hdf5Handle space = handle<H5Sclose>(H5Screate(H5S_SCALAR), what);
  const Hdf5Handle attribute =
      handle<H5Aclose>(H5Acreate2(target.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), what);
  checked(H5Awrite(attribute.get(), type, value), what);
}

bool exists_in(hid_t file, const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    if (H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

void make_room(hid_t file, const std::string& path) {
  if (exists_in(file, path)) checked(H5Ldelete(file, path.c_str(), H5P_DEFAULT), path);
}

void write_array(hid_t file, const std::string& path, hid_t type, hsize_t count, const void* data) {
  make_room(file, path);
  const Hdf5Handle space = handle<H5Sclose>(H5Screate_simple(1, &count, nullptr), path);
  const Hdf5Handle links = intermediate_groups();
  const Hdf5Handle dataset =
      handle<H5Dclose>(H5Dcreate2(file, path.c_str(), type, space.get(), links.get(), H5P_DEFAULT, H5P_DEFAULT), path);
  if (count > 0) checked(H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), path);
}

// What a dataset declares against what it has stored: compression makes at most a thousand of one byte, and a dataset
// that was never written to holds only its fill value.
void check_extent(hid_t dataset, std::size_t count, std::size_t element, const std::string& path) {
  constexpr double most_compression = 1100.0, unwritten = 1 << 16;
  const double stored = static_cast<double>(H5Dget_storage_size(dataset));
  if (static_cast<double>(count) * static_cast<double>(element) > most_compression * stored + unwritten)
    fail(path + " declares more than the file holds");
}

template <class T>
std::vector<T> read_array(hid_t file, const std::string& path, hid_t type) {
  const Hdf5Handle dataset = handle<H5Dclose>(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path);
  const Hdf5Handle space = handle<H5Sclose>(H5Dget_space(dataset.get()), path);
  const auto count = static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()), path));
  check_extent(dataset.get(), count, sizeof(T), path);
  std::vector<T> data(count);
  if (!data.empty()) checked(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), path);
  return data;
}

}  // namespace

Hdf5File Hdf5File::create(const std::string& path) {
  start_library();
  auto disk = std::make_unique<CommittedFile>(path);
  const Hdf5Handle access = handle<H5Pclose>(H5Pcreate(H5P_FILE_ACCESS), path);
  use_committed_file(access.get(), *disk);
  Hdf5Handle file = handle<H5Fclose>(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), path);
  return Hdf5File(path, std::move(disk), std::move(file));
}

Hdf5File Hdf5File::reopen(const std::string& path) {
  start_library();
  auto disk = std::make_unique<CommittedFile>(path, CommittedFile::Begin::as_it_is);
  const Hdf5Handle access = handle<H5Pclose>(H5Pcreate(H5P_FILE_ACCESS), path);
  use_committed_file(access.get(), *disk);
  Hdf5Handle file =
      handle<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), "cannot go on with '" + path + "'");
  return Hdf5File(path, std::move(disk), std::move(file));
}

Hdf5File Hdf5File::open(const std::string& path) {
  start_library();
  return Hdf5File(path, nullptr,
                  handle<H5Fclose>(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "cannot read '" + path + "'"));
}

Hdf5File::Hdf5File(std::string path, std::unique_ptr<CommittedFile> disk, Hdf5Handle file)
    : path_(std::move(path)), disk_(std::move(disk)), file_(std::move(file)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

Hdf5File::~Hdf5File() { seal(); }

// The library writes once more when datasets and the file are closed; what counts is committed.
void Hdf5File::seal() {
  if (disk_) disk_->give_up();
}

void Hdf5File::commit() {
  const herr_t flushed = H5Fflush(id(), H5F_SCOPE_GLOBAL);
  disk_->check();  // says more, if the disk is the reason
  checked(flushed, path_ + ": flush");
  disk_->commit();
}

void Hdf5File::make_group(const std::string& path) {
  if (exists(path)) return;
  const Hdf5Handle links = intermediate_groups();
  handle<H5Gclose>(H5Gcreate2(id(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), path);
}

bool Hdf5File::exists(const std::string& path) const { return exists_in(id(), path); }

void Hdf5File::remove(const std::string& path) { checked(H5Ldelete(id(), path.c_str(), H5P_DEFAULT), path); }

std::vector<std::string> Hdf5File::members(const std::string& group) const {
  const Hdf5Handle opened = handle<H5Gclose>(H5Gopen2(id(), group.c_str(), H5P_DEFAULT), group);
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->push_back(name);
    return 0;
  };
  checked(H5Literate(opened.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, visit, &names), group);
  return names;
}

std::vector<Hdf5File::Dataset> Hdf5File::datasets() const {
  std::vector<std::string> paths;
  const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* out) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(out)->push_back(std::string("/") + name);
    return 0;
  };
  checked(H5Ovisit(id(), H5_INDEX_NAME, H5_ITER_INC, visit, &paths), path_);
  std::vector<Dataset> found;
  for (const std::string& path : paths) {
    const Hdf5Handle dataset = handle<H5Dclose>(H5Dopen2(id(), path.c_str(), H5P_DEFAULT), path);
    const Hdf5Handle type = handle<H5Tclose>(H5Dget_type(dataset.get()), path);
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind == H5T_STRING) continue;
    Dataset& next = found.emplace_back(Dataset{path, extents(path), {}});
    for (int i = 0; kind == H5T_COMPOUND && i < H5Tget_nmembers(type.get()); ++i) {
      char* name = H5Tget_member_name(type.get(), static_cast<unsigned>(i));
      next.members.emplace_back(name);
      H5free_memory(name);
    }
  }
  return found;
}

void Hdf5File::set_attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Hdf5Handle type = text_type();
  const char* text = value.c_str();
  write_attribute(id(), object, name, type.get(), &text);
}
void Hdf5File::set_attribute(const std::string& object, const std::string& name, double value) {
  write_attribute(id(), object, name, H5T_NATIVE_DOUBLE, &value);
}
void Hdf5File::set_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  write_attribute(id(), object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::remove_attribute(const std::string& object, const std::string& name) {
  if (has_attribute(object, name))
    checked(H5Adelete_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT), object + "." + name);
}

bool Hdf5File::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

double Hdf5File::number_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Handle attribute = handle<H5Aclose>(
      H5Aopen_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), object + "." + name);
  double value = 0.0;
  checked(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value), object + "." + name);
  return value;
}

std::string Hdf5File::text_attribute(const std::string& object, const std::string& name) const {
  const Hdf5Handle attribute = handle<H5Aclose>(
      H5Aopen_by_name(id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), object + "." + name);
  const Hdf5Handle type = text_type();
  char* text = nullptr;
  checked(H5Aread(attribute.get(), type.get(), &text), object + "." + name);
  const std::string value = text ? text : "";
  H5free_memory(text);
  return value;
}

void Hdf5File::write_text(const std::string& path, const std::string& text) {
  make_room(id(), path);
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = handle<H5Sclose>(H5Screate(H5S_SCALAR), path);
  const Hdf5Handle links = intermediate_groups();
  const Hdf5Handle dataset = handle<H5Dclose>(
      H5Dcreate2(id(), path.c_str(), type.get(), space.get(), links.get(), H5P_DEFAULT, H5P_DEFAULT), path);
  const char* data = text.c_str();
  checked(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &data), path);
}

void Hdf5File::write_texts(const std::string& path, const std::vector<std::string>& texts) {
  const Hdf5Handle type = text_type();
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  write_array(id(), path, type.get(), pointers.size(), pointers.data());
}

void Hdf5File::write(const std::string& path, const double* data, std::size_t count) {
  write_array(id(), path, H5T_NATIVE_DOUBLE, count, data);
}
void Hdf5File::write(const std::string& path, const std::vector<std::uint64_t>& data) {
  write_array(id(), path, H5T_NATIVE_UINT64, data.size(), data.data());
}
void Hdf5File::write_integers(const std::string& path, const std::vector<int>& data) {
  write_array(id(), path, H5T_NATIVE_INT, data.size(), data.data());
}
std::vector<std::size_t> Hdf5File::extents(const std::string& path) const {
  const Hdf5Handle dataset = handle<H5Dclose>(H5Dopen2(id(), path.c_str(), H5P_DEFAULT), path);
  const Hdf5Handle space = handle<H5Sclose>(H5Dget_space(dataset.get()), path);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), path);
  return {sizes.begin(), sizes.end()};
}
std::vector<double> Hdf5File::read(const std::string& path) const {
  return read_array<double>(id(), path, H5T_NATIVE_DOUBLE);
}
std::vector<double> Hdf5File::read_column(const std::string& path, const std::string& member) const {
  const Hdf5Handle type = handle<H5Tclose>(H5Tcreate(H5T_COMPOUND, sizeof(double)), path);
  checked(H5Tinsert(type.get(), member.c_str(), 0, H5T_NATIVE_DOUBLE), path);
  return read_array<double>(id(), path, type.get());
}
std::vector<std::uint64_t> Hdf5File::read_ids(const std::string& path) const {
  return read_array<std::uint64_t>(id(), path, H5T_NATIVE_UINT64);
}
std::vector<int> Hdf5File::read_integers(const std::string& path) const {
  return read_array<int>(id(), path, H5T_NATIVE_INT);
}

std::vector<std::string> Hdf5File::read_texts(const std::string& path) const {
  const Hdf5Handle type = text_type();
  std::vector<std::string> texts;
  for (char* text : read_array<char*>(id(), path, type.get())) {
    texts.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return texts;
}

Hdf5Rows::Hdf5Rows(Hdf5File& file, const std::string& path, Hdf5Type type, const std::vector<std::size_t>& extents,
                   std::size_t expected_rows, const Hdf5Attributes& attributes) {
  type_ = handle<H5Tclose>(H5Tcopy(memory_type(type)), path);
  create(file, path, extents, expected_rows);
  if (!attributes.unit.empty()) file.set_attribute(path, "unit", attributes.unit);
  if (!attributes.long_name.empty()) file.set_attribute(path, "long_name", attributes.long_name);
  if (!attributes.kind.empty()) file.set_attribute(path, "kind", attributes.kind);
}

Hdf5Rows::Hdf5Rows(Hdf5File& file, const std::string& path, const std::vector<Member>& members,
                   std::size_t expected_rows) {
  std::size_t size = 0;
  for (const Member& member : members) size += H5Tget_size(memory_type(member.type));
  type_ = handle<H5Tclose>(H5Tcreate(H5T_COMPOUND, size), path);
  std::size_t offset = 0;
  for (const Member& member : members) {
    const hid_t type = memory_type(member.type);
    checked(H5Tinsert(type_.get(), member.name.c_str(), offset, type), path);
    offset += H5Tget_size(type);
  }
  create(file, path, {}, expected_rows);
}

void Hdf5Rows::create(Hdf5File& file, const std::string& path, const std::vector<std::size_t>& extents,
                      std::size_t expected_rows) {
  // A chunk holds about as much as a run is expected to write, but no more than 64 kB, unless 16 rows are more; and no
  // more than 1 MB, unless a row is more.
  constexpr hsize_t usual = 65536, most = 1u << 20, few_rows = 16;
  extents_.assign(extents.begin(), extents.end());
  row_bytes_ = H5Tget_size(type_.get());
  for (const std::size_t extent : extents) row_bytes_ *= extent;
  const hsize_t bytes = std::max<hsize_t>(1, row_bytes_);
  const hsize_t least_rows = std::clamp<hsize_t>(most / bytes, 1, few_rows);
  if (file.exists(path)) {
    dataset_ = handle<H5Dclose>(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), path);
    const std::vector<std::size_t> sizes = file.extents(path);
    if (sizes.empty() || !std::equal(extents.begin(), extents.end(), sizes.begin() + 1, sizes.end()))
      fail(file.path() + ": " + path + " has rows of another kind");
    written_ = sizes[0];
    return;
  }
  const auto shape = [&](hsize_t first) {
    std::vector<hsize_t> sizes{first};
    for (const auto extent : extents_) sizes.push_back(extent);
    return sizes;
  };
  const int rank = static_cast<int>(extents_.size()) + 1;
  const Hdf5Handle space = handle<H5Sclose>(H5Screate_simple(rank, shape(0).data(), shape(H5S_UNLIMITED).data()), path);
  const Hdf5Handle list = handle<H5Pclose>(H5Pcreate(H5P_DATASET_CREATE), path);
  const hsize_t rows = std::clamp<hsize_t>(expected_rows, least_rows, std::max(least_rows, usual / bytes));
  checked(H5Pset_chunk(list.get(), rank, shape(rows).data()), path);
  const Hdf5Handle links = intermediate_groups();
  dataset_ = handle<H5Dclose>(
      H5Dcreate2(file.id(), path.c_str(), type_.get(), space.get(), links.get(), list.get(), H5P_DEFAULT), path);
}

void Hdf5Rows::keep(std::size_t rows) {
  if (rows > written_) fail("there are fewer rows than are to be kept");
  if (row_bytes_ == 0 || rows == written_) return;
  std::vector<hsize_t> size{rows};
  size.insert(size.end(), extents_.begin(), extents_.end());
  checked(H5Dset_extent(dataset_.get(), size.data()), "rows");
  written_ = rows;
}

void Hdf5Rows::append(const void* rows, std::size_t count) {
  const char* bytes = static_cast<const char*>(rows);
  pending_.insert(pending_.end(), bytes, bytes + count * row_bytes_);
  if (pending_.size() >= (1u << 18)) write_pending();
}

void Hdf5Rows::write_pending() {
  if (pending_.empty()) return;
  const hsize_t count = pending_.size() / row_bytes_;
  std::vector<hsize_t> size{written_ + count}, start{written_}, block{count};
  for (const auto extent : extents_) {
    size.push_back(extent);
    start.push_back(0);
    block.push_back(extent);
  }
  checked(H5Dset_extent(dataset_.get(), size.data()), "rows");
  const Hdf5Handle space = handle<H5Sclose>(H5Dget_space(dataset_.get()), "rows");
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr), "rows");
  const Hdf5Handle memory =
      handle<H5Sclose>(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), "rows");
  checked(H5Dwrite(dataset_.get(), type_.get(), memory.get(), space.get(), H5P_DEFAULT, pending_.data()), "rows");
  written_ += count;
  pending_.clear();
}

}  // namespace carom::inline io
