// A vector of doubles that keeps its capacity: sizes follow the contacts of a step, memory does not.
#pragma once

#include <algorithm>
#include <vector>

#include "carom/base/types.h"

namespace carom::inline base {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Index n) : storage_(static_cast<std::size_t>(n), 0.0) {}

  // Contents are kept up to the smaller size; new entries are zero.
  void resize(Index n) { storage_.resize(static_cast<std::size_t>(n), 0.0); }
  // Resizes and hands out the entries, for callees that fill them.
  double* resized(Index n) {
    resize(n);
    return data();
  }
  void assign(Index n, double value) { storage_.assign(static_cast<std::size_t>(n), value); }
  void clear() { storage_.clear(); }

  Index size() const { return static_cast<Index>(storage_.size()); }
  bool empty() const { return storage_.empty(); }
  double* data() { return storage_.data(); }
  const double* data() const { return storage_.data(); }
  double& operator[](Index i) { return storage_[static_cast<std::size_t>(i)]; }
  double operator[](Index i) const { return storage_[static_cast<std::size_t>(i)]; }
  double* begin() { return data(); }
  double* end() { return data() + size(); }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size(); }

  VectorMap vec() { return {data(), size()}; }
  ConstVectorMap vec() const { return {data(), size()}; }

  bool operator==(const Buffer&) const = default;

 private:
  std::vector<double> storage_;
};

}  // namespace carom::inline base
