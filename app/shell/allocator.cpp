#include "app/shell/allocator.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace loom::app {

void tune_allocator() {
#ifdef __GLIBC__
  constexpr int kArenas = 2;
  constexpr int kLarge = 256 * 1024;
  mallopt(M_ARENA_MAX, kArenas);
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace loom::app
