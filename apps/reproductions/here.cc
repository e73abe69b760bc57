// The program with published figures.
#include "carom/study/reproduction.h"
#include "reproductions.h"

namespace carom::cli {

void become_reproducing_program(std::string_view) {}

std::vector<std::string> reproduction_ids() {
  std::vector<std::string> ids = {"all"};
  for (const Reproduction& reproduction : reproductions()) ids.push_back(reproduction.id);
  return ids;
}

}  // namespace carom::cli
