#include "carom/io/committed_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace carom::inline io {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kBuffer = 1u << 20;

[[noreturn]] void refuse(const std::string& path, int error, const std::string& why = {}) {
  throw std::system_error(error, std::generic_category(),
                          "cannot write '" + path + "'" + (why.empty() ? "" : ": " + why));
}

bool write_all(int descriptor, std::uint64_t at, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t n = pwrite(descriptor, bytes, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (n == 0) errno = ENOSPC;
      return false;
    }
    bytes += n;
    at += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_all(int descriptor, std::uint64_t at, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t n = pread(descriptor, bytes, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) {
      std::memset(bytes, 0, size);
      return true;
    }
    bytes += n;
    at += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// As much of the range as the system copies by itself, without a way through this program. Where it cannot (another
// file system, an old kernel) nothing is copied and nothing is wrong.
std::uint64_t copy_inside_the_system(int from, int to, std::uint64_t begin, std::uint64_t end) {
  off_t source = static_cast<off_t>(begin), target = source;
  while (static_cast<std::uint64_t>(source) < end) {
    const ssize_t n = copy_file_range(from, &source, to, &target,
                                      static_cast<std::size_t>(end - static_cast<std::uint64_t>(source)), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
  }
  return static_cast<std::uint64_t>(target);
}

bool same_file(int descriptor, const std::string& path) {
  struct stat a, b;
  return fstat(descriptor, &a) == 0 && stat(path.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// A file that a link points to is replaced there, and the link stays.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

// In one act where the system knows how; else the old file is kept under a third name meanwhile. `a` is never
// missing in between.
bool exchange_names(const std::string& a, const std::string& b) {
  if (renameat2(AT_FDCWD, b.c_str(), AT_FDCWD, a.c_str(), RENAME_EXCHANGE) == 0) return true;
  const std::string third = b + "-old";
  unlink(third.c_str());
  return link(a.c_str(), third.c_str()) == 0 && rename(b.c_str(), a.c_str()) == 0 &&
         rename(third.c_str(), b.c_str()) == 0;
}

// The names of all part files, where a signal handler can find them.
std::atomic<const char*> parts[16];
static_assert(std::atomic<const char*>::is_always_lock_free);

void replace_part(const char* old_name, const char* new_name) {
  for (auto& slot : parts) {
    const char* expected = old_name;
    if (slot.compare_exchange_strong(expected, new_name)) return;
  }
}

}  // namespace

void remove_part_files() noexcept {
  for (auto& slot : parts)
    if (const char* name = slot.load()) unlink(name);
}

void CommittedFile::Descriptor::close() noexcept {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

// The part file is locked for as long as it is written, so that two runs do not share it; one that nobody has
// locked was left by a run that was killed.
CommittedFile::CommittedFile(const std::string& path, Begin begin)
    : path_(path), target_(behind_links(path)), part_(target_ + ".carom-part") {
  work_ = Descriptor(::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!work_) refuse(path_, errno);
  if (flock(work_.get(), LOCK_EX | LOCK_NB) != 0 || !same_file(work_.get(), part_))
    refuse(path_, EBUSY, "another run is writing it");
  if (ftruncate(work_.get(), 0) != 0) refuse(path_, errno);
  replace_part(nullptr, part_.c_str());
  if (begin == Begin::empty) return;
  committed_ = Descriptor(::open(target_.c_str(), O_RDWR | O_CLOEXEC));
  struct stat status;
  const bool whole =
      committed_ && fstat(committed_.get(), &status) == 0 && copy(0, static_cast<std::uint64_t>(status.st_size));
  if (!whole) {
    const int error = errno;
    unlink(part_.c_str());
    replace_part(part_.c_str(), nullptr);
    refuse(path_, error);
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

CommittedFile::~CommittedFile() {
  replace_part(part_.c_str(), nullptr);
  if (work_ || behind_) unlink(part_.c_str());
}

bool CommittedFile::trouble(int error) noexcept {
  if (error_ == 0) error_ = error == 0 ? EIO : error;
  given_up_ = true;
  return false;
}

bool CommittedFile::note_change(std::uint64_t begin, std::uint64_t end) noexcept {
  const std::size_t first = begin / kPage, last = (end + kPage - 1) / kPage;
  try {
    if (changed_.size() < last) changed_.resize(std::max(last, 2 * changed_.size()));
  } catch (const std::bad_alloc&) {
    return trouble(ENOMEM);
  }
  const auto pages = changed_.begin();
  std::fill(pages + static_cast<std::ptrdiff_t>(first), pages + static_cast<std::ptrdiff_t>(last), true);
  return true;
}

void CommittedFile::write(std::uint64_t at, const void* data, std::size_t size) noexcept {
  if (given_up_ || size == 0 || !prepare() || !note_change(at, at + size)) return;
  if (!write_all(work_.get(), at, data, size)) trouble(errno);
  size_ = std::max(size_, at + size);
}

void CommittedFile::read(std::uint64_t at, void* data, std::size_t size) noexcept {
  const Descriptor& from = work_ ? work_ : committed_;
  if (!read_all(from.get(), at, data, size)) {
    trouble(errno);
    std::memset(data, 0, size);
  }
}

void CommittedFile::resize(std::uint64_t size) noexcept {
  if (size == size_ || given_up_ || !prepare()) return;
  if (ftruncate(work_.get(), static_cast<off_t>(size)) != 0) trouble(errno);
  if (size < size_) note_change(size, size_);  // what is cut off comes back as zeros
  size_ = size;
}

void CommittedFile::check() const {
  if (error_ != 0) refuse(path_, error_);
}

void CommittedFile::commit() {
  check();
  if (!work_ || given_up_) return;
  flock(work_.get(), LOCK_SH);  // may be read from now on, but not taken by another run
  const bool there = committed_ && access(target_.c_str(), F_OK) == 0;
  if (there && !same_file(committed_.get(), target_)) {
    trouble(EEXIST);
    refuse(path_, EEXIST, "another program replaced it");
  }
  if (there ? !exchange_names(target_, part_) : rename(part_.c_str(), target_.c_str()) != 0) {
    trouble(errno);
    refuse(path_, error_);
  }
  if (there) behind_ = std::move(committed_);
  committed_.close();  // if it was removed meanwhile
  committed_ = std::move(work_);
  std::swap(stale_, changed_);
  changed_.assign(changed_.size(), false);
}

// Before the first write after a commit: a part file equal to the committed one.
bool CommittedFile::prepare() noexcept {
  if (work_) return true;
  if (behind_ && flock(behind_.get(), LOCK_EX | LOCK_NB) == 0) {
    if (!bring_up_to_date()) return trouble(errno);
    return true;
  }
  behind_.close();  // somebody reads it, or it has no name any more
  unlink(part_.c_str());
  work_ = Descriptor(::open(part_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!work_ || flock(work_.get(), LOCK_EX | LOCK_NB) != 0) return trouble(errno);
  if (!copy(0, size_) || ftruncate(work_.get(), static_cast<off_t>(size_)) != 0) return trouble(errno);
  return true;
}

bool CommittedFile::bring_up_to_date() noexcept {
  work_ = std::move(behind_);
  if (ftruncate(work_.get(), static_cast<off_t>(size_)) != 0) return false;
  const std::size_t pages = std::min<std::size_t>(stale_.size(), (size_ + kPage - 1) / kPage);
  for (std::size_t begin = 0; begin < pages;) {
    if (!stale_[begin]) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < pages && stale_[end]) ++end;
    if (!copy(begin * kPage, std::min<std::uint64_t>(end * kPage, size_))) return false;
    begin = end;
  }
  return true;
}

bool CommittedFile::copy(std::uint64_t begin, std::uint64_t end) noexcept {
  begin = copy_inside_the_system(committed_.get(), work_.get(), begin, end);
  if (begin >= end) return true;
  try {
    buffer_.resize(kBuffer);
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return false;
  }
  for (std::uint64_t at = begin; at < end; at += kBuffer) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kBuffer, end - at));
    if (!read_all(committed_.get(), at, buffer_.data(), n) || !write_all(work_.get(), at, buffer_.data(), n))
      return false;
  }
  return true;
}

}  // namespace carom::inline io
