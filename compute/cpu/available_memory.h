#pragma once

#include <cstdint>

namespace loom::cpu {

/// Bytes that this process could still allocate: the system's available memory, within the control group's
/// limit.
std::uint64_t available_memory();

}  // namespace loom::cpu
