// The bits every shipped scenario ends with, stored in tests/batteries/end_states.txt, so that a silent change of bits
// is seen. A change that is meant is a deliberate commit of that file: `CAROM_RENEW_END_STATES=1 ctest -R
// ShippedScenarios` writes it anew.
//
// Bits are promised for one build on one kind of CPU (docs/architecture.md): other compilers and build types round sums
// otherwise, and the C library's sines differ between CPUs with and without fused multiplication. The first line of the
// file says which; elsewhere nothing is compared.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "carom/base/version.h"
#include "carom/system/state.h"

namespace carom::batteries {

// FNV-1a over the bytes of t, q and v.
inline std::uint64_t hash_of(const State& state) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&](const double* x, Eigen::Index n) {
    unsigned char bytes[sizeof(double)];
    for (Eigen::Index i = 0; i < n; ++i) {
      std::memcpy(bytes, x + i, sizeof bytes);
      for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
    }
  };
  add(&state.t, 1);
  add(state.q.data(), state.q.size());
  add(state.v.data(), state.v.size());
  return hash;
}

class EndStates {
 public:
  EndStates() {
    std::ifstream file(path);
    std::getline(file, made_by_);
    for (std::string name, hash; file >> name >> hash;) stored_[name] = hash;
  }

  void compare(const std::string& scenario, const State& end) {
    const std::string hash = fmt::format("{:016x}", hash_of(end));
    if (std::getenv("CAROM_RENEW_END_STATES")) return renew(scenario, hash);
    if (made_by_ != this_build()) return;
    EXPECT_EQ(stored_[scenario], hash) << "the end of scenarios/" << scenario
                                       << ".toml has other bits. If that is meant: "
                                       << "CAROM_RENEW_END_STATES=1 ctest -R ShippedScenarios, and commit " << path;
  }

  static std::string this_build() {
    const BuildInfo& build = build_info();
    const bool fused = __builtin_cpu_supports("fma");
    return fmt::format("{} {} {}", build.compiler, build.build_type, fused ? "fma" : "no fma");
  }

 private:
  static constexpr const char* path = "tests/batteries/end_states.txt";

  void renew(const std::string& scenario, const std::string& hash) {
    if (made_by_ != this_build()) stored_.clear();
    stored_[scenario] = hash;
    std::ofstream file(path);
    file << this_build() << "\n";
    for (const auto& [name, value] : stored_) file << name << " " << value << "\n";
  }

  std::string made_by_;
  std::map<std::string, std::string> stored_;
};

}  // namespace carom::batteries
