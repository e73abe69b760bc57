// The same counter as in the tests of the solvers.
#include "inclusion/counting_allocator.cc"
