// The number of calls of operator new so far in this program.
#pragma once

namespace carom::test {

long allocation_count();

}  // namespace carom::test
