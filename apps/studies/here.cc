// The program with studies.
#include "study_commands.h"

namespace carom::cli {

void become_studying_program(std::string_view) {}

}  // namespace carom::cli
