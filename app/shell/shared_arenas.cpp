#include "app/shell/shared_arenas.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace loom::app {

void share_arenas() {
#ifdef __GLIBC__
  constexpr int kArenas = 2;
  mallopt(M_ARENA_MAX, kArenas);
#endif
}

}  // namespace loom::app
