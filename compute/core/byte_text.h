#pragma once

#include <cstdint>
#include <string>

namespace loom {

/// "512 B", "1536 bytes (1.5 KiB)": the exact number, and from 1 KiB on a readable one.
std::string with_units(std::uint64_t bytes);

}  // namespace loom
