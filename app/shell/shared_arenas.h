#pragma once

namespace loom::app {

/// Has all threads of this process share two of the allocator's arenas, where it is glibc's. By default each
/// thread of the driver, of OpenMP and of the workers gets one of its own, up to eight a core, and keeps what
/// is free in it in pieces: a window's memory grows for hours though it holds no more. To be called before
/// there are threads. The window's threads ask for memory seldom: a frame in which nothing changes asks for
/// none.
void share_arenas();

}  // namespace loom::app
