#pragma once

namespace loom::app {

/// Tunes glibc's allocator to return free memory to the system; otherwise fragmentation makes the window's
/// memory grow for hours. Call before any thread starts. All threads share two arenas, and buffers of 256 KiB
/// or more get their own pages, which are returned when they are freed. The cost is small because a frame
/// without changes does not allocate.
void tune_allocator();

}  // namespace loom::app
