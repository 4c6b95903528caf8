#pragma once

#include <cstdint>

namespace loom {

/// What happens to a system call outside of those that a sandbox allows.
enum class RefusedCall {
  kEnds,   ///< it ends the process with a MapSignal
  kFails,  ///< it fails with EPERM: for a compiler that does without
};

/// Drops every privilege that compiling and computing do not need: files, sockets, processes, and more than
/// 384 MiB of additional memory. After `milliseconds`, and where code crashes, the process sends a MapSignal
/// and ends. Returns whether system calls are filtered.
bool enter_sandbox(int milliseconds, RefusedCall refused);

/// Where the indices of the running thread are, for MapSignal: two of each.
void set_thread_indices(const std::uint32_t* block, const std::uint32_t* thread);
void set_in_thread(bool in_thread);

}  // namespace loom
