#include "allocation/counting_malloc.h"

#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>

#include <atomic>
#include <cerrno>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAROM_COUNTS_MALLOC 0
#else
#define CAROM_COUNTS_MALLOC 1
#endif

namespace carom::allocation {
namespace {

std::atomic<bool> armed = false;
std::atomic<long> counter = 0;
constexpr int deepest = 24;
void* frames[deepest];
int depth = 0;

[[maybe_unused]] void note() {
  if (!armed.load(std::memory_order_relaxed)) return;
  if (counter.fetch_add(1) == 0) {
    armed = false;  // backtrace may allocate
    depth = backtrace(frames, deepest);
    armed = true;
  }
}

}  // namespace

bool available() { return CAROM_COUNTS_MALLOC; }

void arm() {
  depth = backtrace(frames, deepest);  // loads what it needs now
  depth = 0;
  counter = 0;
  armed = true;
}

void disarm() { armed = false; }

long count() { return counter; }

std::string first_place() {
  // Addresses relative to where the program was loaded.
  std::size_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<std::size_t*>(out) = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      &base);
  std::string text;
  for (int i = 1; i < depth; ++i) text += fmt::format(" {:#x}", reinterpret_cast<std::size_t>(frames[i]) - base - 1);
  return text;
}

}  // namespace carom::allocation

#if CAROM_COUNTS_MALLOC
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
  carom::allocation::note();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  carom::allocation::note();
  return __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t size) {
  carom::allocation::note();
  return __libc_realloc(p, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  carom::allocation::note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  carom::allocation::note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  carom::allocation::note();
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : ENOMEM;
}
void free(void* p) { __libc_free(p); }
}
#endif
