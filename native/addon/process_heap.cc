#include "process_heap.h"

#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace mpd {

void limitHeapArenas([[maybe_unused]] int count) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
#endif
}

void trimHeap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace mpd
