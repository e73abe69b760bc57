// A first reading in a process of its own. The HDF5 library trusts its files: one with flipped bytes can end it by a
// signal, or make it run or allocate without end. What the child survives is then read here.
#pragma once

#include <functional>

namespace carom::inline io {

// Whether `work` comes to an end, by returning or by an exception, within 20 seconds of processor time and 4 GiB more
// memory than now. What it does to memory is lost. True if no process can be made.
bool survives(const std::function<void()>& work);

}  // namespace carom::inline io
