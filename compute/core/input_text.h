#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace loom {

/// The rest of a text that begins with a byte order mark, as some editors write before UTF-8; else all of it.
std::string_view without_byte_order_mark(std::string_view text);

/// A text file's content without a byte order mark. Pipes and devices may be read as well, so only reading
/// tells their size. Throws InputError where it cannot be read, is larger than `most_bytes` or holds a zero
/// byte, which no text has; the message ends with "; allowed: `wanted`". `between`, if any, is called between
/// parts; what it throws ends the reading.
std::string read_input(const std::filesystem::path& file, std::uint64_t most_bytes, std::string_view wanted,
                       const std::function<void()>& between = {});

/// A part of a message that comes from a file: cut where it is long, control characters as spaces.
std::string shown(std::string_view text);

/// The parser of TOML calls itself, and so does what destroys its tables: text that nests deeper than the
/// stack ends the program. Looks at a text before it is parsed, and throws InputError with its name and line
/// for more than 8 parts of a dotted key or of a [table.name], and for more than 32 arrays and inline tables
/// within each other.
void check_toml_nesting(std::string_view text, std::string_view name);

}  // namespace loom
