#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loom {

// The checked tree of a map. Every conversion is a node, every name is resolved, constants are folded, so that
// what reads the tree (interpreter, CUDA, the C of the tests) knows no rules of the language but evaluation:
// operands from left to right, arithmetic that wraps.

enum class Type : std::uint8_t {
  kVoid,
  kBool,
  kChar,
  kUChar,
  kShort,
  kUShort,
  kInt,
  kUInt,
  kLong,
  kULong,
  kCell,
  kLaunch,
  kFractal
};
struct TypeInfo {
  const char* name;  ///< in the language
  const char* c;     ///< in C and CUDA C++
  int bits;          ///< of a number; 0: none
  bool is_signed;
  int members;     ///< of a structure
  Type of_member;  ///< the type of a number itself
};
const TypeInfo& info(Type type);
inline bool is_number(Type type) {
  return info(type).bits != 0;
}
inline bool is_wide(Type type) {
  return info(info(type).of_member).bits == 64;
}
/// The value as this type: it wraps.
std::int64_t converted(Type type, std::int64_t value);

enum class Operator : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
  kShl,
  kShr,
  kAnd,
  kXor,
  kOr,
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kNone
};
inline bool is_division(Operator op) {
  return op == Operator::kDiv || op == Operator::kRem;
}
inline bool is_comparison(Operator op) {
  return op >= Operator::kLess && op <= Operator::kNotEqual;
}
/// On operands of a type (kInt and wider). Empty for a division by zero or one that overflows.
std::optional<std::int64_t> applied(Operator op, Type type, std::int64_t a, std::int64_t b);

/// What a map reads of its launch and fractal, in the order of the interpreter's registers.
inline constexpr std::array<std::array<const char*, 2>, 15> kUniforms = {{{"threadIdx", "x"},
                                                                          {"threadIdx", "y"},
                                                                          {"blockIdx", "x"},
                                                                          {"blockIdx", "y"},
                                                                          {"blockDim", "x"},
                                                                          {"blockDim", "y"},
                                                                          {"gridDim", "x"},
                                                                          {"gridDim", "y"},
                                                                          {"", "level"},
                                                                          {"", "width"},
                                                                          {"", "height"},
                                                                          {"", "cells"},
                                                                          {"", "k"},
                                                                          {"", "s_x"},
                                                                          {"", "s_y"}}};
inline constexpr int kFractalUniforms = 8;  ///< the first of Fractal

enum class Builtin : std::uint8_t {
  kCell,
  kNone,
  kIsCell,
  kOffsetX,
  kOffsetY,
  kReplicaAt,
  kGrid1d,
  kGrid2d,
  kPower,
  kMin,
  kMax
};
struct BuiltinInfo {
  const char* name;
  int parameters;
  Type parameter;
  Type result;
};
inline constexpr std::array<BuiltinInfo, 11> kBuiltins = {{{"cell", 2, Type::kInt, Type::kCell},
                                                           {"none", 0, Type::kInt, Type::kCell},
                                                           {"is_cell", 2, Type::kInt, Type::kInt},
                                                           {"offset_x", 1, Type::kInt, Type::kInt},
                                                           {"offset_y", 1, Type::kInt, Type::kInt},
                                                           {"replica_at", 2, Type::kInt, Type::kInt},
                                                           {"grid1d", 2, Type::kLong, Type::kLaunch},
                                                           {"grid2d", 4, Type::kLong, Type::kLaunch},
                                                           {"power", 2, Type::kInt, Type::kInt},
                                                           {"min", 2, Type::kInt, Type::kInt},
                                                           {"max", 2, Type::kInt, Type::kInt}}};

enum class NodeKind : std::uint8_t {
  // Expressions.
  kNumber,   ///< value
  kUniform,  ///< value: of kUniforms
  kPlace,    ///< variable `value`, at the indices a (a list, one per dimension), of it the member
  kMember,   ///< the member of the structure a
  kBinary,   ///< a op b, both of the same type, but for shifts
  kAssign,   ///< place a = b; with op: a = a op b, computed in the type of b (of a shift: in `working`)
  kStep,     ///< place a plus `value` (1 or -1); the result is the new value, or with is_post the old one
  kSelect,   ///< a ? b : c
  kAnd,      ///< a && b
  kOr,
  kCall,     ///< function `value` with the arguments a (a list)
  kBuiltin,  ///< `value` with the arguments a
  kConvert,  ///< a as `type`
  kComma,    ///< a, then b
  // Statements.
  kExpression,  ///< a
  kDeclare,     ///< variable `value`: zero, unless is_post; then the assignments a (a list)
  kIf,          ///< a, b, else c or -1
  kLoop,        ///< while (a or -1) b, after each pass c or -1; is_post: do b while (a)
  kSwitch,      ///< a, statements b (a list) with kCase among them, `value` labels
  kCase,        ///< of `value`; is_post: default
  kBreak,
  kContinue,
  kReturn,  ///< a or -1
  kBlock    ///< statements a (a list)
};

struct Node {
  NodeKind kind = NodeKind::kNumber;
  Type type = Type::kVoid;
  Type working = Type::kVoid;
  Operator op = Operator::kNone;
  std::int8_t member = -1;
  bool is_post = false;
  bool has_effects = false;  ///< assigns a variable
  int a = -1, b = -1, c = -1;
  int next = -1;  ///< in a list
  int line = 0, column = 0, length = 0;
  std::int64_t value = 0;
};

struct Variable {
  std::string name;
  Type type = Type::kInt;
  std::vector<int> dimensions;  ///< of an array
  bool is_constant = false;     ///< cannot be assigned
  bool is_table = false;        ///< its values are `data` in all threads
  std::vector<std::int64_t> data;
  int line = 0;
  int elements() const;
  bool is_array() const { return !dimensions.empty(); }
};

struct Function {
  std::string name;
  Type type = Type::kVoid;
  std::vector<int> parameters;  ///< variables
  int body = -1;                ///< -1: declared only
  int line = 0, column = 0;
  bool is_recursive = false;
};

struct MapTree {
  std::vector<Node> nodes;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::vector<int>> locals;  ///< by function: its variables, with parameters
  int launch = -1;                       ///< functions
  int cell_of_thread = -1;
};

}  // namespace loom
