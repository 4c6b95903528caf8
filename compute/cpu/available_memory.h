#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace loom::cpu {

/// Bytes that this process can still allocate: the smallest of the machine's available memory, of the limits
/// of its control groups (versions 1 and 2, including all parent groups) and of its address space and data
/// limits, minus a reserve for the rest of the program. This value decides which requests are refused and
/// which level fits, and appears in messages. Missing files impose no limit.
std::uint64_t available_memory();

/// The same without the process's own limits, from the files below `root` instead of /.
std::uint64_t available_memory_below(const std::filesystem::path& root);

/// Bytes that a reference orbit of deep zoom may take with its tables: available_memory(), at most a quarter
/// of the machine's memory. An orbit that does not end would take all of it otherwise.
std::uint64_t orbit_memory();

/// Throws CapacityError if `needed` bytes are not available; `what` names the object that needs them ("the
/// picture").
void check_available(std::uint64_t needed, std::string_view what);

}  // namespace loom::cpu
