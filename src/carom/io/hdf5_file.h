// A thin layer over the HDF5 C library: files, groups, attributes, whole arrays, and columns and tables
// that grow while a run goes on. Trouble with the file is thrown as std::system_error.
//
// A file that is written is seen by others only as it was at the last commit() (committed_file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace carom::inline io {

class CommittedFile;

// An identifier of the C library with its closing function.
class Hdf5Handle {
 public:
  using Closer = int (*)(std::int64_t);
  Hdf5Handle() = default;
  Hdf5Handle(std::int64_t id, Closer closer) : id_(id), closer_(closer) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept { swap(other); }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) closer_(id_);
  }
  std::int64_t get() const { return id_; }

 private:
  void swap(Hdf5Handle& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
  }
  std::int64_t id_ = -1;
  Closer closer_ = nullptr;
};

enum class Hdf5Type { float64, float32, int64, int32, uint32, uint8 };

struct Hdf5Attributes {
  std::string unit, long_name, kind;
};

class Hdf5File {
 public:
  static Hdf5File create(const std::string& path);  // replaces an existing file at the first commit
  static Hdf5File open(const std::string& path);    // to read
  static Hdf5File reopen(const std::string& path);  // to write on from what the last commit left
  Hdf5File(Hdf5File&&) noexcept;
  ~Hdf5File();  // what was not committed is gone

  const std::string& path() const { return path_; }
  std::int64_t id() const { return file_.get(); }

  void make_group(const std::string& path);  // and those above it; fine if it exists
  bool exists(const std::string& path) const;
  void remove(const std::string& path);
  std::vector<std::string> members(const std::string& group) const;
  // Every array or table of numbers in the file, by its path.
  struct Dataset {
    std::string path;
    std::vector<std::size_t> extents;
    std::vector<std::string> members;  // of a table
  };
  std::vector<Dataset> datasets() const;

  void set_attribute(const std::string& object, const std::string& name, const std::string& value);
  void set_attribute(const std::string& object, const std::string& name, double value);
  void set_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void remove_attribute(const std::string& object, const std::string& name);  // fine if there is none
  bool has_attribute(const std::string& object, const std::string& name) const;
  double number_attribute(const std::string& object, const std::string& name) const;
  std::string text_attribute(const std::string& object, const std::string& name) const;  // as set_attribute sets it

  // What is there already is replaced.
  void write_text(const std::string& path, const std::string& text);
  void write_texts(const std::string& path, const std::vector<std::string>& texts);
  void write(const std::string& path, const double* data, std::size_t count);
  void write(const std::string& path, const std::vector<std::uint64_t>& data);
  void write_integers(const std::string& path, const std::vector<int>& data);
  std::vector<std::size_t> extents(const std::string& path) const;  // of an array; none: a single value
  // Arrays are read only if the file can hold as much as they declare.
  std::vector<double> read(const std::string& path) const;
  std::vector<double> read_column(const std::string& path, const std::string& member) const;  // of a table, as numbers
  std::vector<std::uint64_t> read_ids(const std::string& path) const;
  std::vector<int> read_integers(const std::string& path) const;
  std::vector<std::string> read_texts(const std::string& path) const;  // as write_texts writes them

  // Everything written so far, seen by others at once; throws if any of it could not be written (disk full), and
  // the file is then as the last commit left it.
  void commit();
  // Nothing more is written; the file stays as it was committed.
  void seal();

 private:
  Hdf5File(std::string path, std::unique_ptr<CommittedFile> disk, Hdf5Handle file);

  std::string path_;
  std::unique_ptr<CommittedFile> disk_;  // none if the file is only read
  Hdf5Handle file_;
};

// Rows appended in memory and written in one piece. A row is numbers of one type (a list, or a matrix of `extents`), or
// a record of named members. Rows that a reopened file has already are gone on with.
class Hdf5Rows {
 public:
  struct Member {
    std::string name;
    Hdf5Type type;
  };

  Hdf5Rows() = default;
  // extents: of one row; none: a single number.
  Hdf5Rows(Hdf5File& file, const std::string& path, Hdf5Type type, const std::vector<std::size_t>& extents,
           std::size_t expected_rows, const Hdf5Attributes& attributes);
  Hdf5Rows(Hdf5File& file, const std::string& path, const std::vector<Member>& members, std::size_t expected_rows);

  // The bytes of rows, members one after the other without gaps.
  void append(const void* rows, std::size_t count = 1);
  void append(double x) { append(static_cast<const void*>(&x)); }
  std::size_t pending_bytes() const { return pending_.size(); }
  bool is_open() const { return row_bytes_ > 0; }
  void keep(std::size_t rows);  // those behind are forgotten
  std::size_t rows() const { return written_ + (row_bytes_ ? pending_.size() / row_bytes_ : 0); }
  void write_pending();

 private:
  void create(Hdf5File& file, const std::string& path, const std::vector<std::size_t>& extents,
              std::size_t expected_rows);

  std::size_t row_bytes_ = 0;
  std::vector<unsigned long long> extents_;
  std::size_t written_ = 0;
  Hdf5Handle type_, dataset_;
  std::vector<char> pending_;
};

}  // namespace carom::inline io
