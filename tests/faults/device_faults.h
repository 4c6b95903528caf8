#pragma once

#include <cstdint>

namespace loom::tests {

// A program that links device_faults.cu with its options (CMakeLists.txt) calls these in place of CUDA's own
// functions; the program itself holds nothing for it. In one that is run as it is, variables of the
// environment say the same: LOOM_FAIL_ALLOCATION, LOOM_FAIL_INTEROP and LOOM_BREAK_LAUNCH with a number,
// LOOM_FEW_LAUNCHES and LOOM_KERNEL_TIMES with 1.

/// The n-th allocation from now on is refused, of device memory, page-locked memory, a stream or an event; 0:
/// none.
void fail_allocation(std::uint64_t nth);
/// The n-th call from now on by which CUDA and OpenGL share a texture is refused, and all after it; 0: none.
void fail_interop(std::uint64_t nth);
/// Before the n-th kernel from now on one is launched that ends in a trap: from then on every call fails.
void break_launch(std::uint64_t nth);
/// Room for launches from the device is said to be made, and is not.
void keep_launches_few(bool few);
/// No room for launches from the device can be made.
void refuse_launches(bool refuse);

/// Whether the one that was chosen last has come.
bool fault_came();
/// Buffers of device and page-locked memory that are held.
std::int64_t buffers_held();

/// Kernels that were launched.
std::uint64_t launches();

}  // namespace loom::tests
