#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace loom {

/// A text file's content. Pipes and devices may be read as well, so only reading tells their size. Throws
/// InputError where it cannot be read, is larger than `most_bytes` or holds a zero byte, which no text has;
/// the message ends with "; allowed: `wanted`".
std::string read_input(const std::filesystem::path& file, std::uint64_t most_bytes, std::string_view wanted);

/// A part of a message that comes from a file: cut where it is long, control characters as spaces.
std::string shown(std::string_view text);

// Parsers of nested data call themselves, and so does what destroys it: text that nests deeper than the stack
// ends the program. These look at a text before it is parsed, and throw InputError with its name and line.

/// Lists and objects of JSON within each other, at most 32.
void check_json_nesting(std::string_view text, std::string_view name);
/// Parts of a dotted key or of a [table.name] of TOML, at most 8, and arrays and inline tables within each
/// other, at most 32.
void check_toml_nesting(std::string_view text, std::string_view name);

}  // namespace loom
