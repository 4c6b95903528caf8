#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compute/map_code/program.h"

namespace loom {

// The checked code of a map: instructions on registers of 32 lanes. Names are resolved, every conversion is
// an instruction, and if, loops and switch are brackets of instructions, so that what reads the code
// (interpreter, stepper, CUDA C++) knows no rules of the language.

// clang-format off
// Types: name in the language, bits of a number, whether it has a sign, registers of 32 bits, members.
#define LOOM_TYPES(X) \
  X(Void, "void", 0, false, 0) \
  X(Bool, "bool", 1, false, 1) \
  X(Char, "char", 8, true, 1)    X(UChar, "unsigned char", 8, false, 1) \
  X(Short, "short", 16, true, 1) X(UShort, "unsigned short", 16, false, 1) \
  X(Int, "int", 32, true, 1)     X(UInt, "unsigned", 32, false, 1) \
  X(Long, "long", 64, true, 2)   X(ULong, "unsigned long", 64, false, 2) \
  X(Float, "float", 32, true, 1) X(Double, "double", 64, true, 2) \
  X(Cell, "Cell", 0, false, 2, "x", "y") \
  X(Launch, "Launch", 0, false, 8, "grid_x", "grid_y", "block_x", "block_y") \
  X(Fractal, "Fractal", 0, false, 0) \
  X(ComplexFloat, "Complex", 0, false, 2, "re", "im") X(ComplexDouble, "Complex", 0, false, 4, "re", "im") \
  X(Vector, "Vector", 0, false, 6, "x", "y", "z")
// clang-format on
enum class Type : std::uint8_t {
#define LOOM_NAME(name, ...) k##name,
  LOOM_TYPES(LOOM_NAME)
#undef LOOM_NAME
};
struct TypeInfo {
  const char* name;
  int bits;
  bool is_signed;
  int units;
  std::array<const char*, 4> members;
};
inline constexpr TypeInfo kTypes[] = {
#define LOOM_ROW(id, name, bits, is_signed, units, ...) {name, bits, is_signed, units, {__VA_ARGS__}},
    LOOM_TYPES(LOOM_ROW)
#undef LOOM_ROW
};
constexpr const TypeInfo& info(Type type) {
  return item(kTypes, type);
}
/// The type of the members of a structure; of a number itself.
constexpr Type member_type(Type type) {
  return type == Type::kCell            ? Type::kInt
         : type == Type::kLaunch        ? Type::kLong
         : type == Type::kComplexFloat  ? Type::kFloat
         : type == Type::kComplexDouble ? Type::kDouble
         : type == Type::kVector        ? Type::kDouble
                                        : type;
}
constexpr bool is_real(Type type) {
  return type == Type::kFloat || type == Type::kDouble;
}
constexpr bool is_complex(Type type) {
  return type == Type::kComplexFloat || type == Type::kComplexDouble;
}
constexpr bool is_number(Type type) {
  return info(type).bits != 0;
}
/// Whether values are points of the plane or of space, whose members are floating-point numbers.
constexpr bool is_point(Type type) {
  return is_complex(type) || type == Type::kVector;
}
constexpr bool is_wide(Type type) {
  return info(member_type(type)).bits == 64;
}
constexpr int members_of(Type type) {
  return info(type).units / (is_wide(type) ? 2 : 1);
}

/// A result of 32 or 64 bits as a value of the type that it is computed for.
inline std::int64_t wrapped(Type type, std::int64_t value) {
  if (is_wide(type)) return value;
  return type == Type::kUInt ? std::int64_t{static_cast<std::uint32_t>(value)}
                             : std::int64_t{static_cast<std::int32_t>(value)};
}

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

// clang-format off
// Instructions on each lane: name, types of the operands a and b and of the result, expression in C++.
#define LOOM_LANE_OPS(X) \
  X(Add32, u32, u32, u32, a + b)             X(Add64, u64, u64, u64, a + b) \
  X(Sub32, u32, u32, u32, a - b)             X(Sub64, u64, u64, u64, a - b) \
  X(Mul32, u32, u32, u32, a * b)             X(Mul64, u64, u64, u64, a * b) \
  X(And32, u32, u32, u32, a & b)             X(And64, u64, u64, u64, a & b) \
  X(Xor32, u32, u32, u32, a ^ b)             X(Xor64, u64, u64, u64, a ^ b) \
  X(Or32, u32, u32, u32, a | b)              X(Or64, u64, u64, u64, a | b) \
  X(Equal32, u32, u32, i32, a == b)          X(Equal64, u64, u64, i32, a == b) \
  X(NotEqual32, u32, u32, i32, a != b)       X(NotEqual64, u64, u64, i32, a != b) \
  X(LessS32, i32, i32, i32, a < b)           X(LessU32, u32, u32, i32, a < b) \
  X(LessS64, i64, i64, i32, a < b)           X(LessU64, u64, u64, i32, a < b) \
  X(LessEqualS32, i32, i32, i32, a <= b)     X(LessEqualU32, u32, u32, i32, a <= b) \
  X(LessEqualS64, i64, i64, i32, a <= b)     X(LessEqualU64, u64, u64, i32, a <= b) \
  X(Shl32, u32, i32, u32, a << (b & 31))     X(Shl64, u64, i32, u64, a << (b & 63)) \
  X(ShrS32, i32, i32, i32, a >> (b & 31))    X(ShrU32, u32, i32, u32, a >> (b & 31)) \
  X(ShrS64, i64, i32, i64, a >> (b & 63))    X(ShrU64, u64, i32, u64, a >> (b & 63)) \
  X(BothTrue, u32, u32, i32, (a != 0) & (b != 0)) X(AnyTrue, u32, u32, i32, (a | b) != 0) \
  X(Min, i32, i32, i32, a < b ? a : b)       X(Max, i32, i32, i32, a < b ? b : a) \
  X(Move32, u32, u32, u32, a)                X(Move64, u64, u32, u64, a) \
  X(Extend, i32, u32, i64, a)                X(ExtendU, u32, u32, u64, a) \
  X(ToBool32, u32, u32, i32, a != 0)         X(ToBool64, u64, u32, i32, a != 0) \
  X(ToChar, i32, u32, i32, (signed char)a)   X(ToUChar, i32, u32, i32, (unsigned char)a) \
  X(ToShort, i32, u32, i32, (short)a)        X(ToUShort, i32, u32, i32, (unsigned short)a) \
  X(Narrow, u64, u32, u32, (u32)a)
// The same for divisions, which stop a lane where b is 0, or -1 and a the least number.
#define LOOM_DIVISION_OPS(X) \
  X(DivS32, i32, i32, i32, a / b) X(DivU32, u32, u32, u32, a / b) \
  X(DivS64, i64, i64, i64, a / b) X(DivU64, u64, u64, u64, a / b) \
  X(RemS32, i32, i32, i32, a % b) X(RemU32, u32, u32, u32, a % b) \
  X(RemS64, i64, i64, i64, a % b) X(RemU64, u64, u64, u64, a % b)
// The same for floating-point numbers, each rounded once. Numbers out of range become the nearest integer, NaN 0.
#define LOOM_REAL_OPS(X) \
  X(AddF32, f32, f32, f32, a + b)            X(AddF64, f64, f64, f64, a + b) \
  X(SubF32, f32, f32, f32, a - b)            X(SubF64, f64, f64, f64, a - b) \
  X(MulF32, f32, f32, f32, a * b)            X(MulF64, f64, f64, f64, a * b) \
  X(DivF32, f32, f32, f32, a / b)            X(DivF64, f64, f64, f64, a / b) \
  X(EqualF32, f32, f32, i32, a == b)         X(EqualF64, f64, f64, i32, a == b) \
  X(NotEqualF32, f32, f32, i32, a != b)      X(NotEqualF64, f64, f64, i32, a != b) \
  X(LessF32, f32, f32, i32, a < b)           X(LessF64, f64, f64, i32, a < b) \
  X(LessEqualF32, f32, f32, i32, a <= b)     X(LessEqualF64, f64, f64, i32, a <= b) \
  X(NegateF32, f32, u32, f32, -a)            X(NegateF64, f64, u32, f64, -a) \
  X(AbsF32, f32, u32, f32, fabsf(a))         X(AbsF64, f64, u32, f64, fabs(a)) \
  X(RootF32, f32, u32, f32, sqrtf(a))        X(RootF64, f64, u32, f64, sqrt(a)) \
  X(ExpF32, f32, u32, f32, expf(a))          X(ExpF64, f64, u32, f64, exp(a)) \
  X(SinF32, f32, u32, f32, sinf(a))          X(SinF64, f64, u32, f64, sin(a)) \
  X(CosF32, f32, u32, f32, cosf(a))          X(CosF64, f64, u32, f64, cos(a)) \
  X(AcosF32, f32, u32, f32, acosf(a))        X(AcosF64, f64, u32, f64, acos(a)) \
  X(Atan2F32, f32, f32, f32, atan2f(a, b))   X(Atan2F64, f64, f64, f64, atan2(a, b)) \
  X(ToBoolF32, f32, u32, i32, a != 0)        X(ToBoolF64, f64, u32, i32, a != 0) \
  X(IntToF32, i32, u32, f32, (f32)a)         X(IntToF64, i32, u32, f64, (f64)a) \
  X(UIntToF32, u32, u32, f32, (f32)a)        X(UIntToF64, u32, u32, f64, (f64)a) \
  X(LongToF32, i64, u32, f32, (f32)a)        X(LongToF64, i64, u32, f64, (f64)a) \
  X(ULongToF32, u64, u32, f32, (f32)a)       X(ULongToF64, u64, u32, f64, (f64)a) \
  X(DoubleToF32, f64, u32, f32, (f32)a)      X(FloatToF64, f32, u32, f64, (f64)a) \
  X(ToLongF32, f32, u32, i64, LOOM_TO_LONG(a))   X(ToLongF64, f64, u32, i64, LOOM_TO_LONG(a)) \
  X(ToULongF32, f32, u32, u64, LOOM_TO_ULONG(a)) X(ToULongF64, f64, u32, u64, LOOM_TO_ULONG(a))
#define LOOM_TO_LONG(a) \
  ((a) >= 9223372036854775808.0 ? 0x7fffffffffffffffll \
   : (a) >= -9223372036854775808.0 ? (i64)(a) : (a) < 0 ? -0x7fffffffffffffffll - 1 : 0)
#define LOOM_TO_ULONG(a) ((a) >= 18446744073709551616.0 ? ~0ull : (a) > 0 ? (u64)(a) : 0)
#define LOOM_OTHER_OPS(X) \
  X(IsCell) X(OffsetX) X(OffsetY) X(ReplicaAt) X(Power) /* d = what the language provides, of a and b */ \
  X(Select32) X(Select64) /* d = register imm ? a : b */ \
  X(Table32) X(Table64) /* d = element b of table imm */ \
  X(Load32) X(Load64) /* d = the register a + b * imm */ \
  X(Store32) X(Store64) /* the register d + b * imm = a */ \
  X(Zero) /* imm units from d; b: registers of 64 bits */ \
  X(Check32) X(Check64) /* index a is below imm */ \
  X(If) /* lanes where a is 0, or with b is not 0, wait for Else; if all, to imm */ \
  X(Else) /* the other lanes; if none, to imm */ \
  X(EndIf) /* of if and switch: all that did not leave; if none, to imm */ \
  X(Loop) /* a new loop */ \
  X(While) /* lanes where a is 0 are done; if all, to imm */ \
  X(Next) /* with the lanes of continue; if none, to imm */ \
  X(Jump) /* back to imm */ \
  X(EndLoop) /* all that did not return; if none, to imm */ \
  X(Break) /* out of construct a, counted from the innermost; then to imm, with no lane */ \
  X(Continue) \
  X(Leave) /* lanes have returned: to imm, with no lane */ \
  X(Switch) /* d = the label of a by switch imm */ \
  X(Case) /* lanes of label imm of switch b by d join; if none, to the next label that has some */ \
  X(Call) /* function imm, whose registers begin at d */ \
  X(Return)
// clang-format on
enum class Op : std::uint8_t {
#define LOOM_NAME(name, ...) k##name,
  LOOM_LANE_OPS(LOOM_NAME) LOOM_DIVISION_OPS(LOOM_NAME) LOOM_REAL_OPS(LOOM_NAME) LOOM_OTHER_OPS(LOOM_NAME)
#undef LOOM_NAME
};
constexpr bool is_division(Op op) {
  return op >= Op::kDivS32 && op <= Op::kRemU64;
}
constexpr bool is_branch(Op op) {
  return op == Op::kIf || op == Op::kWhile || op == Op::kSwitch;
}

/// What the language provides as functions. Those without an instruction build a structure of their
/// arguments.
struct Builtin {
  const char* name;
  int parameters;
  Type parameter;
  Type result;
  Op op = Op::kMove32;
};
inline constexpr std::array<Builtin, 11> kBuiltins = {
    {{"cell", 2, Type::kInt, Type::kCell},
     {"none", 0, Type::kInt, Type::kCell},
     {"grid1d", 2, Type::kLong, Type::kLaunch},
     {"grid2d", 4, Type::kLong, Type::kLaunch},
     {"is_cell", 2, Type::kInt, Type::kInt, Op::kIsCell},
     {"offset_x", 1, Type::kInt, Type::kInt, Op::kOffsetX},
     {"offset_y", 1, Type::kInt, Type::kInt, Op::kOffsetY},
     {"replica_at", 2, Type::kInt, Type::kInt, Op::kReplicaAt},
     {"power", 2, Type::kInt, Type::kInt, Op::kPower},
     {"min", 2, Type::kInt, Type::kInt, Op::kMin},
     {"max", 2, Type::kInt, Type::kInt, Op::kMax}}};

/// What the language of formulas provides as functions, of numbers, complex numbers and vectors.
inline constexpr std::array<const char*, 13> kFormulaBuiltins = {
    "complex", "abs", "conj", "sqr", "pow", "exp", "sin", "cos", "acos", "atan2", "sqrt", "vector", "dot"};
inline constexpr std::int64_t kMaxFormulaPower = 64;

/// Operands with this bit are the same in all functions: uniforms, then constants.
inline constexpr std::uint16_t kSharedOperand = 0x8000;

struct Instruction {
  Op op;
  bool keeps;  ///< lanes that are not active keep the old value of d
  std::uint16_t d, a, b;
  std::int32_t imm;
  // Its place in the text.
  std::int32_t line;
  std::int32_t column;
  bool begins;  ///< a statement
};
/// Of a function.
struct CodeVariable {
  std::string name = {};
  Type type = Type::kInt;
  std::vector<int> dimensions = {};  ///< of an array
  int line = 0;
  int unit = 0;            ///< its first register
  int made = 0;            ///< instruction from which on the registers are its own
  int begin = 0, end = 0;  ///< instructions that see it
  int elements() const {
    int product = 1;
    for (const int size : dimensions) product *= size;
    return product;
  }
};
struct CodeFunction {
  std::string name;
  Type type = Type::kVoid;
  std::vector<Type> parameters = {};
  int line = 0, column = 0;
  int entry = -1, end = 0;  ///< instructions; -1: it is declared only
  int locals = 0;           ///< units of the result and the parameters, which a call sets
  int units = 0;
  bool is_recursive = false;
  std::vector<CodeVariable> variables = {};
};
struct CodeSwitch {
  std::vector<std::pair<std::int64_t, int>> cases = {};  ///< ascending: value and label
  std::vector<int> labels = {};                          ///< instructions
  int other = -1;                                        ///< the label of default
  int end = 0;
  Type type = Type::kInt;
};
struct CodeTable {
  bool is_wide = false;
  std::vector<std::int32_t> values32;
  std::vector<std::int64_t> values64;  ///< the same
};
struct MapCode {
  std::vector<Instruction> instructions;
  std::vector<CodeFunction> functions;
  std::vector<std::int64_t> shared;  ///< values of the units behind the uniforms; of 64 bits: two units
  std::vector<bool> shared_wide;     ///< by unit: begins a register of 64 bits
  std::vector<CodeTable> tables;
  std::vector<CodeSwitch> switches;
  int max_line = 0;
  int launch = -1, cell_of_thread = -1;  ///< functions of a map
  int next = -1;                         ///< of a formula
  double escape_radius = 2;              ///< of a formula: its constants escape_radius and degree
  std::uint32_t degree = 2;
  /// Of a formula: the numbers of a point, 2 of a Complex or 3 of a Vector.
  int dimensions() const { return members_of(item(functions, next).type); }
};

/// The functions as text that is C++ as well as CUDA C++. Nothing of it was typed by a user: names are
/// numbers, each instruction is a statement of its own. What stands around defines
///
///   LOOM_FUNCTION, LOOM_SHARED, LOOM_TABLE  qualifiers of functions, of those that the text needs, of tables
///   LOOM_STATE                  type of the parameter t of each function, a pointer
///   LOOM_STOP(fault, line)      records that the thread stops; it must not go on
///   LOOM_SPEND(cost, line)      stops the thread if it has spent its instructions
///   LOOM_ENTER(line), LOOM_LEAVE  around the body of a function that can call itself: bounds the depth
///   loom_NAME                   for each of kUniforms (loom_threadIdx_x, loom_level) and each of kBuiltins
///   that
///                               has an instruction outside of LOOM_LANE_OPS
///
/// For a formula the numbers of a Complex are integers with its bits.
///
/// With LOOM_UNCHECKED defined there are no checks of indices, divisions, budgets and depth. Function i is
/// fi(t, result..., parameters...), with a reference for each member of the result.
std::string translated(const MapCode& code);

}  // namespace loom
