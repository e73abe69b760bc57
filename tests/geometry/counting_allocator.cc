#include "../inclusion/counting_allocator.cc"
