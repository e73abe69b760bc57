// A file that changes only as a whole: whoever opens it, at any moment and also after this program was killed,
// finds exactly what the last commit() left, and nothing before the first.
//
// Writes go to a second file beside it, NAME.carom-part. A commit exchanges the two names, which the system does in one
// indivisible act; before the next write the file that is now the second one is given the pages in which it is
// behind. So a commit costs what was written since the last one, not the length of the file, and two files are
// on the disk while the first is being written.
//
// A reader that holds the file open (HDF5 locks what it reads) keeps what it opened: the second file is then made
// anew instead. Power cuts are another matter: nothing is forced to the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carom::inline io {

class CommittedFile {
 public:
  enum class Begin { empty, as_it_is };
  // Throws std::system_error if NAME.carom-part cannot be made or another run is writing.
  explicit CommittedFile(const std::string& path, Begin begin = Begin::empty);
  ~CommittedFile();  // what was not committed is gone
  CommittedFile(const CommittedFile&) = delete;
  CommittedFile& operator=(const CommittedFile&) = delete;

  // None of these fails: after the first trouble (disk full) writes go nowhere, and commit() tells. So whoever
  // writes through other people's code need not rely on its ways out of errors.
  void write(std::uint64_t at, const void* data, std::size_t size) noexcept;
  void read(std::uint64_t at, void* data, std::size_t size) noexcept;  // zeros behind the end
  void resize(std::uint64_t size) noexcept;
  std::uint64_t size() const { return size_; }

  // Throws std::system_error if any of this could not be written; the file is as the last commit left it.
  void check() const;
  void commit();
  // From now on writes go nowhere; the file stays as it was committed.
  void give_up() noexcept { given_up_ = true; }

  const std::string& path() const { return path_; }

 private:
  class Descriptor {
   public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept { std::swap(number_, other.number_); }
    Descriptor& operator=(Descriptor&& other) noexcept {
      std::swap(number_, other.number_);
      return *this;
    }
    ~Descriptor() { close(); }
    void close() noexcept;
    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }

   private:
    int number_ = -1;
  };

  bool prepare() noexcept;
  bool bring_up_to_date() noexcept;
  bool copy(std::uint64_t begin, std::uint64_t end) noexcept;
  bool note_change(std::uint64_t begin, std::uint64_t end) noexcept;
  bool trouble(int error) noexcept;

  std::string path_;  // as given, for messages
  std::string target_, part_;
  Descriptor work_;       // called part_ and ahead of the committed file; none if nothing was written since
  Descriptor committed_;  // called target_
  Descriptor behind_;     // called part_: the commit before
  std::uint64_t size_ = 0;
  std::vector<bool> changed_;  // pages in which work_ differs from the commit before
  std::vector<bool> stale_;    // pages in which behind_ differs from committed_
  std::vector<char> buffer_;
  bool given_up_ = false;
  int error_ = 0;
};

// For the handler of a signal that ends the program: no part file stays behind.
void remove_part_files() noexcept;

}  // namespace carom::inline io
