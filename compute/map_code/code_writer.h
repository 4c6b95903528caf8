#pragma once

#include <fmt/format.h>
#include <math.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "compute/map_code/tokens.h"

namespace loom {

// Writes the instructions of a map while the parser reads its text. Expressions return values that know where
// they are; temporaries of a statement are registers above its variables, and end with it.

/// A value of an expression, as far as its code is written.
struct Value {
  enum class Kind : std::uint8_t {
    kConstant,
    kRegister,  ///< a temporary, or what cannot be assigned
    kUniform,   ///< of the launch, or with kFractal the fractal
    kVariable,  ///< a variable's own registers
    kElement,   ///< of an array in registers, at `index`
    kTable      ///< of table `reg`, at `index`
  };
  Kind kind = Kind::kRegister;
  Type type = Type::kVoid;
  int token = 0;              ///< where problems with it are
  std::int64_t constant = 0;  ///< sign-extended or zero-extended as its type is
  int reg = 0;                ///< the first register of 32 bits
  int index = -1;             ///< register, checked
  int stride = 1;             ///< registers of an element
  int symbol = -1;            ///< the variable that it is a part or the constant value of
  int spare = -1;             ///< the instruction that is not needed if nobody reads the value
  bool is_constant() const { return kind == Kind::kConstant; }
};

/// Instructions that jump to a place that is not known yet.
struct Label {
  std::vector<int> uses;
};

inline Type promoted(Type type) {
  return info(type).bits < 32 ? Type::kInt : type;
}
inline Type common(Type a, Type b) {
  return std::max(promoted(a), promoted(b));
}
/// A constant of a type of instructions, and back: floating-point numbers by their bits.
template <typename T>
T from_constant(std::int64_t value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::int32_t>(value));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(value);
  else
    return static_cast<T>(value);
}
template <typename T>
std::int64_t to_constant(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::int32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::int64_t>(value);
  else
    return static_cast<std::int64_t>(value);
}

/// What an instruction computes of constants. Empty for a division by zero or one that overflows, and for
/// instructions that need a fractal.
inline std::optional<std::int64_t> applied(Op op, std::int64_t left, std::int64_t right) {
  using i32 = std::int32_t;
  using u32 = std::uint32_t;
  using i64 = std::int64_t;
  using u64 = std::uint64_t;
  using f32 = float;
  using f64 = double;
  switch (op) {
#define LOOM_APPLY_REAL(name, A, B, R, expr)              \
  case Op::k##name: {                                     \
    [[maybe_unused]] const A a = from_constant<A>(left);  \
    [[maybe_unused]] const B b = from_constant<B>(right); \
    return to_constant<R>(static_cast<R>(expr));          \
  }
    LOOM_REAL_OPS(LOOM_APPLY_REAL)
#undef LOOM_APPLY_REAL
#define LOOM_APPLY(name, A, B, R, expr)                                                                     \
  case Op::k##name: {                                                                                       \
    [[maybe_unused]] const A a = static_cast<A>(left);                                                      \
    [[maybe_unused]] const B b = static_cast<B>(right);                                                     \
    if (is_division(op) && (b == 0 || (A(-1) < A(1) && b == B(-1) && a == A(A(1) << (8 * sizeof(A) - 1))))) \
      return std::nullopt;                                                                                  \
    return static_cast<i64>(static_cast<R>(expr));                                                          \
  }
    LOOM_LANE_OPS(LOOM_APPLY)
    LOOM_DIVISION_OPS(LOOM_APPLY)
#undef LOOM_APPLY
    default:
      return std::nullopt;
  }
}

class CodeWriter {
 protected:
  int here() const { return static_cast<int>(code_.instructions.size()); }
  int allocate(int units) {
    top_ += units;
    most_ = std::max(most_, top_);
    return top_ - units;
  }
  Value temporary(Type type, int token) {
    return {.type = type, .token = token, .reg = allocate(info(type).units)};
  }
  static Value number(int token, std::int64_t value, Type type = Type::kInt) {
    return {.kind = Value::Kind::kConstant, .type = type, .token = token, .constant = wrapped(type, value)};
  }

  // Instructions.

  void emit(int token, Op op, int d, int a = 0, int b = 0, int imm = 0) {
    // What only the current statement reads need not keep the values of other lanes.
    const CodeToken& at = item(tokens_, token);
    code_.instructions.push_back({op, d < first_temporary_, static_cast<std::uint16_t>(d),
                                  static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), imm, at.line,
                                  at.column, std::exchange(begins_, false)});
    code_.max_line = std::max(code_.max_line, at.line);
  }
  void emit_to(int token, Op op, Label& label, int d = 0, int a = 0, int b = 0) {
    label.uses.push_back(here());
    emit(token, op, d, a, b);
  }
  void place(const Label& label) {
    for (const int use : label.uses) item(code_.instructions, use).imm = here();
  }
  /// Removes an instruction. Nothing behind it jumps.
  void erase(int at) {
    const auto place = code_.instructions.begin() + at;
    if (place->begins) (at + 1 < here() ? (place + 1)->begins : begins_) = true;
    code_.instructions.erase(place);
  }
  void cut(int size) {
    while (here() > size) erase(here() - 1);
  }
  /// Whether these instructions are few, cannot fail and change nothing but temporaries.
  bool is_eager(int from, int to) const {
    constexpr int kMost = 4;
    return to - from <= kMost && std::all_of(code_.instructions.begin() + from,
                                             code_.instructions.begin() + to, [&](const Instruction& one) {
                                               return one.op <= Op::kSelect64 && one.op != Op::kPower &&
                                                      !is_division(one.op) && one.d >= first_temporary_;
                                             });
  }

  // Values.

  /// The register of a number that is not an element.
  int operand(const Value& value) {
    if (!value.is_constant()) return value.reg;
    const bool wide = is_wide(value.type);
    const auto [found, is_new] = constants_.try_emplace({value.constant, wide}, 0);
    if (is_new) {
      found->second = static_cast<int>(kUniforms.size() + code_.shared.size()) | kSharedOperand;
      for (int i = 0; i < (wide ? 2 : 1); ++i) {
        code_.shared.push_back(value.constant);
        code_.shared_wide.push_back(wide && i == 0);
      }
    }
    return found->second;
  }
  static Op of_width(Op narrow, Type type) {
    return static_cast<Op>(static_cast<int>(narrow) + (is_wide(type) ? 1 : 0));
  }
  /// For each member of a structure, or the number: the distance of its register from the first one.
  template <typename Work>
  static void each_member(Type type, const Work& work) {
    for (int unit = 0; unit < info(type).units; unit += is_wide(type) ? 2 : 1) work(unit);
  }
  /// Elements of arrays and tables as temporaries.
  Value load(const Value& value) {
    const bool is_table = value.kind == Value::Kind::kTable;
    if (value.kind != Value::Kind::kElement && !is_table) return value;
    const Value loaded = temporary(value.type, value.token);
    each_member(value.type, [&](int unit) {
      if (is_table)
        emit(value.token, of_width(Op::kTable32, value.type), loaded.reg, 0, value.index, value.reg);
      else
        emit(value.token, of_width(Op::kLoad32, value.type), loaded.reg + unit, value.reg + unit, value.index,
             value.stride);
    });
    return loaded;
  }
  /// The value stays what it is while the rest of the statement is read: `x + (x = 3)`.
  Value hold(const Value& value) {
    const Value held = load(value);
    const bool has_value = is_number(held.type) || is_point(held.type);
    if (last_effect_ < at_ || !has_value || held.is_constant() || held.reg >= first_temporary_) return held;
    const Value copy = temporary(held.type, held.token);
    move(held.token, held, copy.reg);
    return copy;
  }
  /// Writes the value to registers: its last instructions write there at once if they can.
  void move(int token, const Value& from, int to) {
    const Value value = load(from);
    const int step = is_wide(value.type) ? 2 : 1;
    const int members = members_of(value.type);
    const int begin = here() - members;
    bool direct = !value.is_constant() && value.reg >= first_temporary_ && begin >= 0 && members > 0;
    for (int i = 0; direct && i < members; ++i) {
      const Instruction& one = item(code_.instructions, begin + i);
      const auto reads_moved = [&](int reg) { return i > 0 && reg >= to && reg < to + i * step; };
      direct = one.op < Op::kStore32 && one.d == value.reg + i * step && !reads_moved(one.a) &&
               !reads_moved(one.b) && !reads_moved(one.imm);
    }
    each_member(value.type, [&](int unit) {
      if (!direct) return emit(token, of_width(Op::kMove32, value.type), to + unit, operand(value) + unit);
      Instruction& one = item(code_.instructions, begin + unit / step);
      one.d = static_cast<std::uint16_t>(to + unit);
      one.keeps = to < first_temporary_;
    });
  }
  Value compute(int token, Op op, Type type, const Value& a, const Value& b) {
    if (a.is_constant() && b.is_constant()) {
      if (const auto value = applied(op, a.constant, b.constant)) return number(a.token, *value, type);
    }
    const int left = operand(a);
    const int right = operand(b);
    const Value result = temporary(type, token);
    emit(token, op, result.reg, left, right);
    return result;
  }
  /// The expression as a value of this type; a problem and 0 if that is not possible.
  Value convert(const Value& from, Type to) {
    if (from.type == to) return from;
    if (is_complex(to) && is_number(from.type)) {
      const Value re = convert(from, member_type(to));
      return complex_of(from.token, re, convert(number(from.token, 0), member_type(to)));
    }
    if (is_number(from.type) && is_number(to) && (is_real(from.type) || is_real(to)))
      return convert_real(from, to);
    if (!is_number(from.type) || !is_number(to))
      return problem(from.token, "{} is expected, not {}", info(to).name, info(from.type).name);
    Value value = load(from);
    const TypeInfo& old = info(from.type);
    const TypeInfo& is = info(to);
    const bool fits = old.bits < is.bits && (old.is_signed == is.is_signed || is.is_signed);
    const auto apply = [&](Op op, Type type) { value = compute(from.token, op, type, value, value); };
    if (is.bits == 64) {
      if (old.bits < 64) apply(old.is_signed ? Op::kExtend : Op::kExtendU, to);
    } else if (to == Type::kBool) {
      apply(of_width(Op::kToBool32, from.type), to);
    } else {
      if (old.bits == 64) apply(Op::kNarrow, is.bits == 32 ? to : Type::kInt);
      constexpr std::array kNarrow = {Op::kToChar, Op::kToUChar, Op::kToShort, Op::kToUShort};
      if (is.bits < 32 && !fits)
        apply(kNarrow[static_cast<std::size_t>(to) - static_cast<std::size_t>(Type::kChar)], to);
    }
    if (value.is_constant()) return number(from.token, value.constant, to);
    return {.type = to, .token = from.token, .reg = value.reg};
  }
  /// The same from or to a floating-point number.
  Value convert_real(const Value& from, Type to) {
    const bool to_real = is_real(to);
    const bool from_wide = is_wide(from.type);
    if (to_real && !is_real(from.type)) {
      const Value value = convert(from, promoted(from.type));
      const Op op = !from_wide ? (value.type == Type::kInt ? Op::kIntToF32 : Op::kUIntToF32)
                               : (value.type == Type::kLong ? Op::kLongToF32 : Op::kULongToF32);
      return compute(from.token, of_width(op, to), to, value, value);
    }
    const Value value = load(from);
    if (to_real) return compute(from.token, from_wide ? Op::kDoubleToF32 : Op::kFloatToF64, to, value, value);
    if (to == Type::kBool) return compute(from.token, of_width(Op::kToBoolF32, from.type), to, value, value);
    const bool is_unsigned = to == Type::kULong;
    const Op op = of_width(is_unsigned ? Op::kToULongF32 : Op::kToLongF32, from.type);
    return convert(compute(from.token, op, is_unsigned ? Type::kULong : Type::kLong, value, value), to);
  }
  /// A value with these parts, of one type: their own registers where they are temporaries in a row.
  Value complex_of(int token, const Value& re, const Value& im) {
    const int units = info(re.type).units;
    const Type type = is_wide(re.type) ? Type::kComplexDouble : Type::kComplexFloat;
    if (!re.is_constant() && !im.is_constant() && re.reg >= first_temporary_ && im.reg == re.reg + units &&
        ((re.reg | im.reg) & kSharedOperand) == 0)
      return {.type = type, .token = token, .reg = re.reg};
    const Value made = temporary(type, token);
    move(token, re, made.reg);
    move(token, im, made.reg + units);
    return made;
  }
  /// A Vector with the numbers that part(0), part(1) and part(2) return.
  template <typename Part>
  Value vector_of(int token, const Part& part) {
    const Value made = temporary(Type::kVector, token);
    for (int i = 0; i < members_of(Type::kVector); ++i)
      move(token, convert(part(i), Type::kDouble), made.reg + i * info(Type::kDouble).units);
    return made;
  }
  /// A part of a Complex or Vector that is loaded.
  static Value part_of(const Value& value, int part) {
    const Type type = member_type(value.type);
    return {.type = type, .token = value.token, .reg = value.reg + part * info(type).units};
  }
  /// An instruction on floating-point numbers of one type, named by that for 32 bits.
  Value real(Op op, const Value& a, const Value& b) {
    return compute(a.token, of_width(op, a.type), a.type, a, b);
  }
  Value real(Op op, const Value& a) { return real(op, a, a); }
  static Value real_constant(int token, double value, Type type) {
    return number(token, type == Type::kFloat ? to_constant(static_cast<float>(value)) : to_constant(value),
                  type);
  }

  /// A number; else a problem and 0.
  Value numeric(const Value& value) {
    return is_number(value.type) ? load(value) : convert(value, Type::kInt);
  }
  /// A number of 32 bits that is 0 for false.
  Value condition(const Value& value) {
    const Value of = numeric(value);
    return is_wide(of.type) || is_real(of.type) ? convert(of, Type::kBool) : of;
  }
  Value binary(int sign, const OperatorInfo& op, const Value& left, const Value& right) {
    if (left.type == Type::kVector || right.type == Type::kVector)
      return vector_binary(sign, op, left, right);
    if (is_complex(left.type) || is_complex(right.type)) return complex_binary(sign, op, left, right);
    Value a = numeric(left);
    Value b = numeric(right);
    if (is_real(a.type) || is_real(b.type)) {
      const Type type = common(a.type, b.type);
      if (op.real == Op::kReturn)
        return problem(sign, "'{}' is not defined for {}", op.text, info(type).name);
      a = convert(a, type);
      b = convert(b, type);
      if (op.swaps) std::swap(a, b);
      return compute(sign, of_width(op.real, type), op.is_comparison() ? Type::kInt : type, a, b);
    }
    const Type type = op.is_shift() ? promoted(a.type) : common(a.type, b.type);
    a = convert(a, type);
    b = convert(b, op.is_shift() ? Type::kInt : type);
    const int variant = op.by_sign ? 2 * is_wide(type) + !info(type).is_signed : is_wide(type);
    if (op.swaps) std::swap(a, b);
    return compute(sign, static_cast<Op>(static_cast<int>(op.op) + variant),
                   op.is_comparison() ? Type::kInt : type, a, b);
  }
  /// With a Vector on a side: by parts. A number is each part of a Vector.
  Value vector_binary(int sign, const OperatorInfo& op, const Value& left, const Value& right) {
    if (op.real == Op::kReturn || op.is_comparison())
      return problem(sign, "'{}' is not defined for Vector; allowed: + - * /", op.text);
    const auto loaded = [&](const Value& value) {
      return value.type == Type::kVector ? load(value) : convert(numeric(value), Type::kDouble);
    };
    const Value a = loaded(left);
    const Value b = loaded(right);
    const auto part = [](const Value& of, int i) { return of.type == Type::kVector ? part_of(of, i) : of; };
    return vector_of(sign, [&](int i) { return real(op.real, part(a, i), part(b, i)); });
  }
  /// Of two vectors that are loaded, summed from x to z.
  Value dot(const Value& a, const Value& b) {
    const auto product = [&](int i) { return real(Op::kMulF32, part_of(a, i), part_of(b, i)); };
    const Value of_x = product(0);
    const Value sum = real(Op::kAddF32, of_x, product(1));
    return real(Op::kAddF32, sum, product(2));
  }
  // Complex numbers. Each operation on their parts is rounded once; the last two compute the parts of a
  // result.

  /// With a Complex on a side. A real number changes only the parts that it must.
  Value complex_binary(int sign, const OperatorInfo& op, const Value& left, const Value& right) {
    if (op.real == Op::kReturn || op.is_comparison())
      return problem(sign,
                     "'{}' is not defined for Complex; allowed: + - * /, with sqr(z) or z * z for a power",
                     op.text);
    const Type type = is_complex(left.type) ? left.type : right.type;
    const auto loaded = [&](const Value& value) {
      return is_complex(value.type) ? load(value) : convert(numeric(value), member_type(type));
    };
    const Value a = loaded(left);
    const Value b = loaded(right);
    const bool is_sum = op.real == Op::kAddF32 || op.real == Op::kSubF32;
    if (!is_complex(b.type)) {
      const Value re = real(op.real, part_of(a, 0), b);
      return complex_of(sign, re, is_sum ? part_of(a, 1) : real(op.real, part_of(a, 1), b));
    }
    if (!is_complex(a.type)) {
      if (op.real == Op::kDivF32) return complex_binary(sign, op, convert(a, type), b);
      const Value re = real(op.real, a, part_of(b, 0));
      const Value im = part_of(b, 1);
      return complex_of(sign, re,
                        op.real == Op::kAddF32   ? im
                        : op.real == Op::kSubF32 ? real(Op::kNegateF32, im)
                                                 : real(Op::kMulF32, a, im));
    }
    if (is_sum) {
      const Value re = real(op.real, part_of(a, 0), part_of(b, 0));
      return complex_of(sign, re, real(op.real, part_of(a, 1), part_of(b, 1)));
    }
    const bool divides = op.real == Op::kDivF32;
    const auto times = [&](int part, const Value& other, int of_other) {
      return real(Op::kMulF32, part_of(a, part), part_of(other, of_other));
    };
    const Value re_re = times(0, b, 0);
    const Value im_im = times(1, b, 1);
    const Value re_im = times(0, b, 1);
    const Value im_re = times(1, b, 0);
    if (!divides) {
      const Value re = real(Op::kSubF32, re_re, im_im);
      return complex_of(sign, re, real(Op::kAddF32, re_im, im_re));
    }
    const Value length = square_of_length(b);
    const Value above_re = real(Op::kAddF32, re_re, im_im);
    const Value above_im = real(Op::kSubF32, im_re, re_im);
    const Value re = real(Op::kDivF32, above_re, length);
    return complex_of(sign, re, real(Op::kDivF32, above_im, length));
  }
  Value square_of_length(const Value& z) {
    const Value re = real(Op::kMulF32, part_of(z, 0), part_of(z, 0));
    const Value im = real(Op::kMulF32, part_of(z, 1), part_of(z, 1));
    return real(Op::kAddF32, re, im);
  }
  Value square_of(const Value& z) {
    const Value re = real(Op::kMulF32, part_of(z, 0), part_of(z, 0));
    const Value im = real(Op::kMulF32, part_of(z, 1), part_of(z, 1));
    const Value product = real(Op::kMulF32, part_of(z, 0), part_of(z, 1));
    const Value difference = real(Op::kSubF32, re, im);
    return complex_of(z.token, difference, real(Op::kAddF32, product, product));
  }
  /// z^n as power_of() in compute/mandelbrot/formula.h.
  Value power_of(const Value& z, std::int64_t n) {
    if (n == 0) return convert(real_constant(z.token, 1, member_type(z.type)), z.type);
    if (n == 1) return z;
    if (n == 2) return square_of(z);
    if (n % 2 == 0) return square_of(power_of(z, n / 2));
    if (n > 3) return complex_binary(z.token, *find_operator("*"), power_of(z, n - 1), z);
    const Value square_x = real(Op::kMulF32, part_of(z, 0), part_of(z, 0));
    const Value square_y = real(Op::kMulF32, part_of(z, 1), part_of(z, 1));
    const Value length = real(Op::kAddF32, square_x, square_y);
    const Value four = real_constant(z.token, 4, length.type);
    const Value left = real(Op::kSubF32, length, real(Op::kMulF32, four, square_y));
    const Value right = real(Op::kSubF32, real(Op::kMulF32, four, square_x), length);
    const Value re = real(Op::kMulF32, part_of(z, 0), left);
    return complex_of(z.token, re, real(Op::kMulF32, part_of(z, 1), right));
  }
  /// exp, sin or cos of a complex number, by those of its parts.
  Value transcendental(Op op, const Value& z) {
    const Value x = part_of(z, 0);
    const Value y = part_of(z, 1);
    if (op == Op::kExpF32) {
      const Value length = real(Op::kExpF32, x);
      const Value cosine = real(Op::kCosF32, y);
      const Value sine = real(Op::kSinF32, y);
      const Value re = real(Op::kMulF32, length, cosine);
      return complex_of(z.token, re, real(Op::kMulF32, length, sine));
    }
    // sin z = sin x cosh y + i cos x sinh y, cos z = cos x cosh y - i sin x sinh y
    const Value half = real_constant(z.token, 0.5, x.type);
    const Value up = real(Op::kExpF32, y);
    const Value down = real(Op::kExpF32, real(Op::kNegateF32, y));
    const Value cosh = real(Op::kMulF32, half, real(Op::kAddF32, up, down));
    const Value sinh = real(Op::kMulF32, half,
                            op == Op::kSinF32 ? real(Op::kSubF32, up, down) : real(Op::kSubF32, down, up));
    const Value sine = real(Op::kSinF32, x);
    const Value cosine = real(Op::kCosF32, x);
    const Value re = real(Op::kMulF32, op == Op::kSinF32 ? sine : cosine, cosh);
    return complex_of(z.token, re, real(Op::kMulF32, op == Op::kSinF32 ? cosine : sine, sinh));
  }
  /// Assigns a value of the type of the place. Returns it.
  Value store(int sign, const Value& place, const Value& value) {
    if (place.kind == Value::Kind::kVariable) {
      move(sign, value, place.reg);
      return {.type = place.type, .token = sign, .reg = place.reg};
    }
    Value loaded = load(value);
    loaded.spare = -1;
    each_member(place.type, [&](int unit) {
      emit(sign, of_width(Op::kStore32, place.type), place.reg + unit, operand(loaded) + unit, place.index,
           place.stride);
    });
    return loaded;
  }

  /// The rest of the text cannot be read.
  struct SyntaxError {};
  static constexpr std::size_t kMaxProblems = 20;
  /// Notes what is wrong. Returns 0, with which reading goes on.
  template <typename... Values>
  Value problem(int token, fmt::format_string<Values...> form, Values&&... values) {
    if (problems_.size() > 10 * kMaxProblems) throw SyntaxError();
    const CodeToken& at = item(tokens_, token);
    problems_.push_back({at.line, at.column, static_cast<int>(at.length),
                         fmt::format(form, std::forward<Values>(values)...)});
    return number(token, 0);
  }

  MapCode code_;
  std::vector<CodeProblem> problems_;
  std::vector<CodeToken> tokens_;
  int at_ = 0;  ///< the token that is read next
  int top_ = 0;
  int most_ = 0;
  int first_temporary_ = 1 << 20;
  int last_effect_ = -1;  ///< the last token of the statement that changes a variable
  bool begins_ = false;   ///< the next instruction begins a statement

 private:
  std::map<std::pair<std::int64_t, bool>, int> constants_;
};

}  // namespace loom
