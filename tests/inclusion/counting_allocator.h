// The number of allocations so far in this program.
#pragma once

namespace carom::test {

long allocation_count();

}  // namespace carom::test
