#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

// The text of a custom thread map: two functions in a subset of C that is also CUDA C++.
//
//   __host__ Launch launch(Fractal f)            the grid to launch
//   __device__ Cell cell_of_thread(Fractal f)    the cell of one thread, or none()
//
// docs/reference/map-language.md describes the subset.

/// The largest text of a custom map in bytes.
inline constexpr std::size_t kMaxMapCode = 65536;

/// Something wrong in the text of a map.
struct CodeProblem {
  int line = 0;    ///< from 1; 0: no line of the text
  int column = 0;  ///< from 1, in bytes; 0: the whole line
  int length = 0;  ///< bytes from the column on; 0: unknown
  std::string message;
  friend bool operator==(const CodeProblem&, const CodeProblem&) = default;
};

/// "line 3, column 7: message"; without a line, the message.
std::string to_string(const CodeProblem& problem);

enum class TokenKind : std::uint8_t {
  kWord,     ///< an identifier that is none of the following
  kKeyword,  ///< of C, and __host__, __device__
  kType,     ///< int, Cell, ...
  kBuiltin,  ///< what the language provides: blockIdx, cell, is_cell, ...
  kNumber,
  kText,  ///< a string or character constant
  kComment,
  kDirective,  ///< a line that begins with #
  kOperator,   ///< operators and punctuation
  kInvalid,    ///< a byte outside of the language
};

/// A part of the text, without spaces. Tokens do not overlap and are in order.
struct CodeToken {
  TokenKind kind = TokenKind::kWord;
  std::size_t begin = 0;  ///< in bytes
  std::size_t length = 0;
  int line = 1;
  int column = 1;
};

/// Splits any text; an unfinished comment or string ends at the end of the text or line.
std::vector<CodeToken> tokens_of(std::string_view code);

/// The first place where the text leaves the subset of C: too long, directives, pointers, system headers,
/// names that are reserved. A compiler finds the other errors.
std::optional<CodeProblem> check_map_code(std::string_view code);

/// What an exercise may limit in a text.
struct CodeCounts {
  std::uint32_t divisions = 0;  ///< operators / and % of any form
  std::uint32_t operators = 0;  ///< arithmetic, bitwise, shift, comparison and logical operators
  friend bool operator==(const CodeCounts&, const CodeCounts&) = default;
};
CodeCounts count_operators(std::string_view code);

/// Declarations that come before the text, for C compilers and for NVRTC. They define what the tokens of kind
/// kBuiltin mean. For NVRTC the macros LOOM_FRACTAL, LOOM_OFFSETS_X, LOOM_OFFSETS_Y and LOOM_REPLICAS, lists
/// of numbers, come before them. With the macro LOOM_CELLS, is_cell() reads cells_of_square().
std::string_view map_prelude();

/// The place of a name in quotes within a compiler's message, for messages that have only a line. Returns
/// column and length 0 if the name is not on that line.
void locate_name(std::string_view code, CodeProblem& problem);

}  // namespace loom
