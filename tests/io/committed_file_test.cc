#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>

#include "carom/io/committed_file.h"

namespace carom {
namespace {

class Committed : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string seen() const {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      (std::string("carom_committed_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
       std::to_string(getpid()));
  const std::string path = (folder / "file").string();
};

// A memory of what a plain file would hold, written and cut at random, committed now and then.
TEST_F(Committed, OthersSeeTheLastCommitAndNothingElse) {
  std::mt19937 random(7);
  std::string whole, last;
  CommittedFile file(path);
  std::vector<int> readers;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t at = random() % 60000, size = 1 + random() % (i % 10 == 0 ? 30000 : 200);
    if (random() % 40 == 0) {
      whole.resize(random() % (whole.size() + 5000));
      file.resize(whole.size());
    } else {
      std::string piece(size, '\0');
      for (char& c : piece) c = static_cast<char>(random());
      if (whole.size() < at + size) whole.resize(at + size);
      whole.replace(at, size, piece);
      file.write(at, piece.data(), size);
    }
    ASSERT_EQ(file.size(), whole.size());
    if (random() % 12 == 0) {
      std::string back(500, 'x');
      const std::size_t from = random() % 50000;
      file.read(from, back.data(), back.size());
      std::string wanted = from < whole.size() ? whole.substr(from, back.size()) : "";
      wanted.resize(back.size(), '\0');
      ASSERT_EQ(back, wanted) << i;
    }
    if (random() % 15 == 0) {
      file.commit();
      last = whole;
    }
    if (!last.empty() && random() % 50 == 0) {  // somebody opens it and keeps it open for a while
      readers.push_back(open(path.c_str(), O_RDONLY));
      ASSERT_EQ(flock(readers.back(), LOCK_SH | LOCK_NB), 0);
      if (readers.size() > 3) {
        close(readers.front());
        readers.erase(readers.begin());
      }
    }
    ASSERT_EQ(seen(), last) << i;
  }
  for (const int reader : readers) close(reader);
}

TEST_F(Committed, AReaderKeepsWhatItOpened) {
  CommittedFile file(path);
  file.write(0, "one", 3);
  file.commit();
  const int reader = open(path.c_str(), O_RDONLY);
  ASSERT_EQ(flock(reader, LOCK_SH | LOCK_NB), 0);
  for (const char* word : {"two", "six", "ten"}) {
    file.write(0, word, 3);
    file.commit();
    EXPECT_EQ(seen(), word);
    char kept[3];
    ASSERT_EQ(pread(reader, kept, 3, 0), 3);
    EXPECT_EQ(std::string(kept, 3), "one");
  }
  close(reader);
}

TEST_F(Committed, WhatIsNotCommittedIsGone) {
  std::ofstream(path) << "before";
  {
    CommittedFile file(path);
    file.write(0, "after", 5);
    EXPECT_EQ(seen(), "before");
    EXPECT_EQ(files(), 2u);
  }
  EXPECT_EQ(seen(), "before");
  EXPECT_EQ(files(), 1u);
  {
    CommittedFile file(path);
    file.write(0, "after", 5);
    file.commit();
    file.write(0, "later", 5);
  }
  EXPECT_EQ(seen(), "after");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Committed, TwoWritersAreOneTooMany) {
  CommittedFile file(path);
  EXPECT_THROW(CommittedFile{path}, std::system_error);
  file.write(0, "one", 3);
  file.commit();
  file.write(0, "two", 3);
  EXPECT_THROW(CommittedFile{path}, std::system_error);
  file.commit();
  EXPECT_EQ(seen(), "two");
}

TEST_F(Committed, AFileThatWasRemovedComesBackAndOneThatWasReplacedStays) {
  CommittedFile file(path);
  file.write(0, "one", 3);
  file.commit();
  std::filesystem::remove(path);
  file.write(0, "two", 3);
  file.commit();
  EXPECT_EQ(seen(), "two");
  std::filesystem::remove(path);
  std::ofstream(path) << "not ours";
  file.write(0, "six", 3);
  EXPECT_THROW(file.commit(), std::system_error);
  EXPECT_EQ(seen(), "not ours");
}

TEST_F(Committed, ALinkStaysALink) {
  std::ofstream(folder / "target") << "before";
  std::filesystem::create_symlink("target", path);
  {
    CommittedFile file(path);
    file.write(0, "after", 5);
    file.commit();
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_EQ(seen(), "after");
}

// A limit on the size of files stands for a full disk: the same failing write, at any place.
TEST_F(Committed, AFullDiskLeavesTheLastCommit) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10000, 10000};
    setrlimit(RLIMIT_FSIZE, &limit);
    CommittedFile file(path);
    file.write(0, "kept", 4);
    file.commit();
    const std::string much(9000, 'm');
    file.write(4, much.data(), much.size());
    file.write(9004, much.data(), much.size());
    for (int i = 0; i < 3; ++i) file.write(0, "lost", 4);  // goes nowhere and fails nowhere
    try {
      file.commit();
    } catch (const std::system_error& error) {
      _exit(error.code().value() == EFBIG ? 0 : 2);
    }
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(seen(), "kept");
}

// Killed while it commits as fast as it can: every page of the file is of one and the same commit.
TEST_F(Committed, AKillLeavesOneWholeCommit) {
  constexpr std::size_t size = 300000;
  int late = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      CommittedFile file(path);
      for (int k = 1;; ++k) {
        const std::string block(size / 10, static_cast<char>(k % 251));
        for (std::size_t at = 0; at < size; at += block.size()) file.write(at, block.data(), block.size());
        file.commit();
      }
    }
    usleep(2000 + 1500 * static_cast<unsigned>(i));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::string text = seen();
    if (text.empty()) continue;
    ++late;
    ASSERT_EQ(text, std::string(size, text[0])) << "kill " << i;
  }
  EXPECT_GT(late, 5);
}

}  // namespace
}  // namespace carom
