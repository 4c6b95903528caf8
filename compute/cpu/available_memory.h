#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace loom::cpu {

/// Bytes that this process could still allocate: the least of what the machine has available, what the limits
/// of its control groups leave (versions 1 and 2, with all groups above), and what its limits of address
/// space and data leave; less a reserve for what else the program needs. This one number decides what is
/// refused, which level fits, and stands in messages. Files that are not there limit nothing.
std::uint64_t available_memory();

/// The same without the process's own limits, from the files below `root` in place of /.
std::uint64_t available_memory_below(const std::filesystem::path& root);

/// Throws CapacityError where `needed` bytes are not available; `what` needs them ("the picture").
void check_available(std::uint64_t needed, std::string_view what);

}  // namespace loom::cpu
