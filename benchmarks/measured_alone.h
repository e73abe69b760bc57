// A measurement in a process of its own: its memory grows from nothing that an earlier one left behind.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

namespace carom {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

// Largest memory in use so far, in bytes.
inline double peak_memory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// What `measure` returns, computed in a child process; empty if that came to grief.
template <class Measure>
NamedNumbers measured_alone(const Measure& measure) {
  NamedNumbers numbers;
  int ends[2];
  if (pipe(ends) != 0) return numbers;
  const pid_t child = fork();
  if (child == 0) {
    std::FILE* out = fdopen(ends[1], "w");
    for (const auto& [name, value] : measure()) std::fprintf(out, "%s %.17g\n", name.c_str(), value);
    std::fclose(out);
    _exit(0);
  }
  close(ends[1]);
  std::FILE* in = fdopen(ends[0], "r");
  char name[128];
  for (double value; std::fscanf(in, "%127s %lf", name, &value) == 2;) numbers.emplace_back(name, value);
  std::fclose(in);
  if (child > 0) waitpid(child, nullptr, 0);
  return numbers;
}

}  // namespace carom
