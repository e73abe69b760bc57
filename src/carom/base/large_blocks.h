// Buffers grow with the contacts of a run. By default the C library of GNU keeps what they leave behind, in holes too
// small for the next size: after 250 steps of 4,000 falling spheres more than half of the memory in use. Programs call
// this first: blocks from 64 KiB on then go back to the system at once. After warm-up no step allocates, so that it
// costs nothing.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace carom::inline base {

inline void give_large_blocks_back() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);
#endif
}

// What small blocks have left behind all over, after much was built and is gone.
inline void give_free_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace carom::inline base
