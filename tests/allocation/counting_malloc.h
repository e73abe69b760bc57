// Counts what is allocated while it is armed, by malloc and everything that ends there: operator new, Eigen,
// the standard library. The functions of the C library are replaced in this program only, see
// counting_malloc.cc.
#pragma once

#include <cstddef>
#include <string>

namespace carom::allocation {

// False where a sanitizer has replaced the allocator itself: there is nothing to count with.
bool available();

void arm();
void disarm();
long count();  // since arm()

// Where the first allocation came from, as addresses for addr2line -Cfie PROGRAM.
std::string first_place();

}  // namespace carom::allocation
