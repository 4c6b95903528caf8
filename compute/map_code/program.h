#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

// The text of a custom thread map: two functions in a subset of C that is also CUDA C++.
//
//   __host__ Launch launch(Fractal f)            the grid to launch
//   __device__ Cell cell_of_thread(Fractal f)    the cell of one thread, or none()
//
// The text of a formula z <- next(z, c) is in the same language, extended by float, double and Complex:
//
//   Complex next(Complex z, Complex c)           one step of an orbit
//
// docs/reference/map-language.md describes the subset. One parser reads every text: for the editor's colours,
// for problems, and for the checked tree from which the interpreter's code and the code for a GPU are made.

/// The largest text of a custom map in bytes.
inline constexpr std::size_t kMaxMapCode = 65536;
/// Memory of a thread in bytes: variables and arrays of all functions that it is in.
inline constexpr int kMaxMapMemory = 16384;
inline constexpr int kMapUnits = kMaxMapMemory / 4;  ///< of 32 bits
/// Functions that a thread may be in at once.
inline constexpr int kMaxMapCalls = 64;
/// On a GPU, of functions that call themselves.
inline constexpr int kMaxGpuMapCalls = 16;

/// An element by a number or enumerator that is known to be in range.
template <typename Items>
constexpr auto& item(Items& items, auto index) {
  return items[static_cast<std::size_t>(index)];
}

/// Something wrong in the text of a map, or at a line of it while it ran.
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
  kWord,     ///< a name that the map defines, or an unknown one
  kKeyword,  ///< of C, and __host__, __device__
  kType,     ///< int, Cell, ...
  kBuiltin,  ///< what the language provides: blockIdx, cell, is_cell, ...
  kNumber,
  kText,  ///< a string or character constant
  kComment,
  kDirective,  ///< a line that begins with #
  kOperator,   ///< operators and punctuation
  kInvalid,    ///< a byte outside of the language
  kEnd,        ///< not in MapProgram::tokens
};

/// A part of the text, without spaces. Tokens do not overlap and are in order.
struct CodeToken {
  TokenKind kind = TokenKind::kWord;
  std::size_t begin = 0;  ///< in bytes
  std::size_t length = 0;
  int line = 1;
  int column = 1;
};

/// What an exercise may limit in a text, counted in the checked tree: comments cannot hide anything.
struct CodeCounts {
  std::uint32_t divisions = 0;  ///< operators / and % of any form
  std::uint32_t operators =
      0;  ///< arithmetic, bitwise, shift, comparison, logical operators, ?: and compound =
  friend bool operator==(const CodeCounts&, const CodeCounts&) = default;
};

struct MapCode;  ///< compute/map_code/code.h

/// A text, parsed and checked.
struct MapProgram {
  std::vector<CodeToken> tokens;      ///< of the whole text, whatever is wrong in it
  std::vector<CodeProblem> problems;  ///< in the order of the text; at most 20 and a note; empty: it can run
  CodeCounts counts;                  ///< if it can run
  std::vector<int> lines;             ///< those on which a statement begins, ascending: where to break
  std::shared_ptr<const MapCode> code;  ///< if it can run, else null
};

/// The language of a text: that of maps, or that of formulas with the numbers of which a Complex consists.
enum class CodeLanguage : std::uint8_t { kMap, kFloatFormula, kDoubleFormula };

/// Reads any text; takes about 0.2 ms for a page.
MapProgram parse_map_code(std::string_view code, CodeLanguage language = CodeLanguage::kMap);

}  // namespace loom
