// A result file, read: fields by their path, rows by their name (docs/result_files.md).
//
//   const Recording recording("bounce.h5");
//   const Matrix path = recording.series("/body/position", "ball");      // one line a sample
#pragma once

#include <string>
#include <vector>

#include "carom/base/types.h"
#include "carom/io/hdf5_file.h"

namespace carom::inline io {

class Recording {
 public:
  explicit Recording(const std::string& path)
      : file_(Hdf5File::open(path)) {}  // std::system_error if it cannot be read

  std::vector<double> times() const { return file_.read("/time"); }
  // Of the rows of a pool: names("/body"); of the contacts: names("/contact").
  std::vector<std::string> names(const std::string& pool) const { return file_.read_texts(pool + "/names"); }
  std::string unit(const std::string& field) const { return file_.text_attribute(field, "unit"); }
  // What a field held in every sample: one line a sample, one column a number. A field of a pool needs the name of a
  // row. InputError if there is no such field or row.
  Matrix series(const std::string& field, const std::string& row = {}) const;

  // A column of the table of contacts, one entry per contact and step: contacts("pn"). The column "contact" counts
  // names("/contact").
  std::vector<double> contacts(const std::string& column) const { return file_.read_column("/contact/table", column); }

  const Hdf5File& file() const { return file_; }

 private:
  Hdf5File file_;
};

}  // namespace carom::inline io
