#pragma once

namespace loom::app {

/// Has the allocator of this process, where it is glibc's, give back what is free instead of keeping it in
/// pieces, by which a window's memory grows for hours though it holds no more. To be called before there are
/// threads. The window asks for memory seldom: a frame in which nothing changes asks for none.
///
/// - All threads share two arenas. By default each thread of the driver, of OpenMP and of the workers gets
/// one
///   of its own, up to eight a core.
/// - What is large has pages of its own, which go with it. By default that bound rises to the largest buffer
///   that was ever freed (32 MiB at most), and whatever is smaller lies among all else.
void tune_allocator();

}  // namespace loom::app
