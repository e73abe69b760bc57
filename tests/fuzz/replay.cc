// A plain driver for a fuzzing entry point: runs every seed of the given folders, then a fixed stream of mutations of
// them. The stream is the same in every run up to where the time ends it. Whatever ends the entry point (a signal, an
// exception it does not expect, ten seconds for one input, two GiB) is a failure that names the mutation;
// REPLAY_ONLY=<number> runs that one alone, and writes it to replay_input.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr long kMutations = 3000;
constexpr double kSeconds = 2.0;  // of processor time
constexpr unsigned kSecondsForOne = 10;
[[maybe_unused]] constexpr rlim_t kBytes = rlim_t{2} << 30;

std::atomic<long> current = -1;  // below 0: a seed; read when a signal came

extern "C" void tell_and_end(int number) {
  char text[120];
  const long at = current;
  const int length = std::snprintf(text, sizeof text, "signal %d in %s %ld\n", number, at < 0 ? "seed" : "mutation",
                                   at < 0 ? -at - 1 : at);
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, static_cast<std::size_t>(length));
  _exit(1);
}

// What numbers in broken files tend to be.
constexpr const char* kNumbers[] = {"0",
                                    "-1",
                                    "1",
                                    "nan",
                                    "inf",
                                    "-inf",
                                    "1e999",
                                    "1e300",
                                    "-1e300",
                                    "1e-300",
                                    "1e20",
                                    "2147483647",
                                    "2147483648",
                                    "4294967297",
                                    "9007199254740993",
                                    "9223372036854775807",
                                    "18446744073709551616",
                                    "0.5",
                                    "\"0/0\"",
                                    "\"1/0\""};

class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, std::uint64_t number)
      : seeds_(seeds), random_(number * 2654435761u + 1) {}

  std::string make() {
    std::string text = seeds_[below(seeds_.size())];
    for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1), length = std::min(text.size() - at, 1 + below(1 + below(64)));
    switch (below(9)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, 1, static_cast<char>(random_())); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        break;
      case 4:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 5: text.resize(at); break;
      case 6: replace_number(text, at); break;
      case 7: swap_lines(text, at); break;
      case 8: {
        const std::string& other = seeds_[below(seeds_.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
        break;
      }
    }
  }
  // The next number after `at` becomes one of those.
  void replace_number(std::string& text, std::size_t at) {
    while (at < text.size() && !std::isdigit(static_cast<unsigned char>(text[at]))) ++at;
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.')) ++end;
    text.replace(at, end - at, kNumbers[below(std::size(kNumbers))]);
  }
  // The line at `at` goes somewhere else, or comes twice.
  void swap_lines(std::string& text, std::size_t at) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(begin, end - begin) + "\n";
    if (below(2) == 0) text.erase(begin, std::min(line.size(), text.size() - begin));
    const std::size_t target = std::min(text.find('\n', below(text.size() + 1)), text.size());
    text.insert(target == text.size() ? target : target + 1, line);
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

void run(const std::string& input) {
  alarm(kSecondsForOne);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  alarm(0);
}

std::vector<std::string> read_seeds(int argc, char** argv) {
  std::vector<std::filesystem::path> paths;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> seeds = read_seeds(argc, argv);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds\n");
    return 1;
  }
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(number, tell_and_end);
#if !defined(__SANITIZE_ADDRESS__)  // which maps more than any machine has
  const rlimit memory{kBytes, kBytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
  if (const char* only = std::getenv("REPLAY_ONLY")) {
    const std::string input = Mutator(seeds, std::strtoull(only, nullptr, 10)).make();
    std::ofstream("replay_input", std::ios::binary) << input;
    run(input);
    return 0;
  }
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    current = -1 - static_cast<long>(i);
    run(seeds[i]);
  }
  for (current = 0; current < kMutations && static_cast<double>(std::clock()) < kSeconds * CLOCKS_PER_SEC; ++current)
    run(Mutator(seeds, static_cast<std::uint64_t>(current)).make());
  std::printf("%zu seeds, %ld mutations\n", seeds.size(), current.load());
  return current > 0 ? 0 : 1;
}
