#pragma once

#include <cstdint>

namespace loom::tests {

// A program that links device_faults.cu with its options (CMakeLists.txt) calls wrappers of CUDA's functions;
// its own code does not change. If the program is started by a test, environment variables request the same
// faults: LOOM_FAIL_ALLOCATION, LOOM_FAIL_INTEROP and LOOM_BREAK_LAUNCH with a number, LOOM_FEW_LAUNCHES and
// LOOM_KERNEL_TIMES with 1.

/// The n-th allocation from now on fails: device memory, page-locked memory, a stream or an event. 0: none.
void fail_allocation(std::uint64_t nth);
/// The n-th call from now on that shares a texture between CUDA and OpenGL fails, and all after it. 0: none.
void fail_interop(std::uint64_t nth);
/// Before the n-th kernel launch from now on, a kernel that traps is launched: from then on every call fails.
void break_launch(std::uint64_t nth);
/// Raising the limit of pending device-side launches reports success but has no effect.
void keep_launches_few(bool few);
/// Raising the limit of pending device-side launches fails.
void refuse_launches(bool refuse);

/// Whether the fault that was requested last has occurred.
bool fault_came();
/// The number of allocated buffers in device and page-locked memory.
std::int64_t buffers_held();

/// The number of kernel launches.
std::uint64_t launches();

}  // namespace loom::tests
