#pragma once

#include <string_view>
#include <vector>

#include "compute/map_code/code.h"
#include "compute/map_code/program.h"

namespace loom {

inline constexpr std::string_view kPointer =
    "pointers are not allowed; allowed: numbers, Cell, and arrays of a fixed size";
inline constexpr std::string_view kReal = "floating point is not allowed; allowed: integer arithmetic";

/// A binary operator. `op`: the first of its instructions, for 32 bits and 64, or if it depends on the sign
/// for int, unsigned, long, unsigned long.
struct OperatorInfo {
  std::string_view text;
  int binds;  ///< its strength, from 1
  Op op = Op::kReturn;
  bool by_sign = false;
  bool swaps = false;     ///< computed as b op a
  Op real = Op::kReturn;  ///< the first of its instructions for floating-point numbers, if it has any
  bool is_shift() const { return op == Op::kShl32 || op == Op::kShrS32; }
  bool is_comparison() const { return op >= Op::kEqual32 && op <= Op::kLessEqualU64; }
};
inline constexpr int kBindsOr = 1, kBindsAnd = 2;  ///< || and &&, which have no instruction
/// Null for any other text.
const OperatorInfo* find_operator(std::string_view text);

/// Splits any text; an unfinished comment or string ends at the end of the text or line.
std::vector<CodeToken> tokens_of(std::string_view code, CodeLanguage language);

/// Why a word of C or C++ is not part of the language; empty for any other.
std::string_view refusal_of(std::string_view word, CodeLanguage language);

/// Of a Cell, Launch, Fractal or Complex; empty for other types.
std::vector<std::string_view> member_names(Type type);

CodeCounts count_operators(std::string_view code, const std::vector<CodeToken>& tokens);

}  // namespace loom
