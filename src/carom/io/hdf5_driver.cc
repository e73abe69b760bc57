#include "carom/io/hdf5_driver.h"

#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <new>
#include <system_error>

namespace carom::inline io {

namespace {

// What the property list carries.
struct Access {
  CommittedFile* file;
};

// What the library holds of an open file; the base comes first, as it casts.
struct OpenFile {
  H5FD_t base;
  CommittedFile* file;
  haddr_t end_of_addresses;
};

CommittedFile& file_of(H5FD_t* base) { return *reinterpret_cast<OpenFile*>(base)->file; }

// The library asks first whether the file is there already: it is, if it was begun as it is.
H5FD_t* open(const char*, unsigned flags, hid_t access_list, haddr_t) {
  const auto* access = static_cast<const Access*>(H5Pget_driver_info(access_list));
  if (!access || (!(flags & H5F_ACC_CREAT) && access->file->size() == 0)) return nullptr;
  return reinterpret_cast<H5FD_t*>(new (std::nothrow) OpenFile{{}, access->file, 0});
}

herr_t close(H5FD_t* base) {
  delete reinterpret_cast<OpenFile*>(base);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto* x = reinterpret_cast<const OpenFile*>(a)->file;
  const auto* y = reinterpret_cast<const OpenFile*>(b)->file;
  return x == y ? 0 : std::less<>()(x, y) ? -1 : 1;
}

// The file is a plain one, which any other driver may read.
herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end_of_addresses(const H5FD_t* base, H5FD_mem_t) {
  return reinterpret_cast<const OpenFile*>(base)->end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* base, H5FD_mem_t, haddr_t end) {
  reinterpret_cast<OpenFile*>(base)->end_of_addresses = end;
  return 0;
}

haddr_t get_end_of_file(const H5FD_t* base, H5FD_mem_t) {
  return reinterpret_cast<const OpenFile*>(base)->file->size();
}

herr_t read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* data) {
  file_of(base).read(at, data, size);
  return 0;
}

herr_t write(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* data) {
  file_of(base).write(at, data, size);
  return 0;
}

herr_t truncate(H5FD_t* base, hid_t, hbool_t) {
  file_of(base).resize(reinterpret_cast<OpenFile*>(base)->end_of_addresses);
  return 0;
}

hid_t make_driver() {
  static H5FD_class_t driver = {};
  driver.name = "carom_committed";
  driver.maxaddr = (haddr_t{1} << 62) - 1;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Access);
  driver.open = open;
  driver.close = close;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = get_end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = get_end_of_file;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  // Raw data and the library's own records lie apart, as in files of its usual driver.
  constexpr H5FD_mem_t pools[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(pools, pools + H5FD_MEM_NTYPES, driver.fl_map);
  return H5FDregister(&driver);
}

}  // namespace

void use_committed_file(std::int64_t access_list, CommittedFile& file) {
  static const hid_t driver = make_driver();
  const Access access{&file};
  if (driver < 0 || H5Pset_driver(access_list, driver, &access) < 0)
    throw std::system_error(std::make_error_code(std::errc::io_error), "HDF5: the driver cannot be set");
}

}  // namespace carom::inline io
