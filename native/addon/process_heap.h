// The C library's heap of this process. Without effect where the C library is not glibc.
#pragma once

namespace mpd {

/// Threads that start from now on share `count` arenas (glibc: 8 a core). An arena keeps what it freed once,
/// so each one costs memory. 1 or more.
void limitHeapArenas(int count);

/// Gives whole free pages of all arenas back to the kernel. Locks one arena at a time.
void trimHeap();

}  // namespace mpd
