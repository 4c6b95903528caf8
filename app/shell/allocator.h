#pragma once

namespace loom::app {

/// Tunes glibc's allocator so that it returns free memory; otherwise fragmentation makes the memory of a
/// window grow for hours. Call before threads exist. The window allocates rarely: a frame without changes
/// does not allocate. All threads share two arenas, and large buffers get pages of their own, which are
/// returned when they are freed.
void tune_allocator();

}  // namespace loom::app
