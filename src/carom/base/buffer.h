// A vector of doubles that keeps its capacity: sizes follow the contacts of a step, memory does not. Large ones grow in
// place: the system moves their pages (realloc), so that old and new entries are never there together, and what was
// made ahead but never written takes no memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "carom/base/types.h"

namespace carom::inline base {

class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Index n) { resize(n); }
  Buffer(const Buffer& other) { *this = other; }
  Buffer(Buffer&& other) noexcept { swap(other); }
  ~Buffer() { std::free(entries_); }
  Buffer& operator=(const Buffer& other) {
    if (this == &other) return *this;
    reserve(other.size_);
    size_ = other.size_;
    copy(other.entries_, size_);
    return *this;
  }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  void swap(Buffer& other) noexcept {
    std::swap(entries_, other.entries_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Contents are kept up to the smaller size; new entries are zero.
  void resize(Index n) {
    reserve(n);
    for (Index i = size_; i < n; ++i) entries_[i] = 0.0;
    size_ = n;
  }
  // Resizes and hands out the entries, for callees that fill them.
  double* resized(Index n) {
    resize(n);
    return data();
  }
  void assign(Index n, double value) {
    reserve(n);
    size_ = n;
    std::fill_n(entries_, n, value);
  }
  void clear() { size_ = 0; }

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double* data() { return entries_; }
  const double* data() const { return entries_; }
  double& operator[](Index i) { return entries_[i]; }
  double operator[](Index i) const { return entries_[i]; }
  double* begin() { return entries_; }
  double* end() { return entries_ + size_; }
  const double* begin() const { return entries_; }
  const double* end() const { return entries_ + size_; }

  VectorMap vec() { return {data(), size()}; }
  ConstVectorMap vec() const { return {data(), size()}; }

  bool operator==(const Buffer& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  void reserve(Index n) {
    if (n > capacity_) grow(n);
  }
  // By a quarter at least: seldom, however slowly sizes grow.
  [[gnu::noinline]] void grow(Index n) {
    constexpr std::int64_t largest = std::numeric_limits<Index>::max();
    const auto quarter_more = std::min(largest, std::int64_t{capacity_} + capacity_ / 4);
    const Index next = std::max(n, static_cast<Index>(quarter_more));
    void* grown = std::realloc(entries_, sizeof(double) * static_cast<std::size_t>(next));
    if (grown == nullptr) throw std::bad_alloc();
    entries_ = static_cast<double*>(grown);
    capacity_ = next;
  }
  void copy(const double* from, Index n) {
    if (n > 0) std::memcpy(entries_, from, sizeof(double) * static_cast<std::size_t>(n));
  }

  double* entries_ = nullptr;
  Index size_ = 0, capacity_ = 0;
};

}  // namespace carom::inline base
