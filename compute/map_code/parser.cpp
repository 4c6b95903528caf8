#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "compute/core/input_text.h"
#include "compute/map_code/code_writer.h"
#include "compute/map_code/machine.h"

namespace loom {
namespace {

constexpr int kMaxNesting = 128;
constexpr int kMaxElements = 1 << 20;

/// A variable in scope; or a constant, whose values are `data`.
struct Symbol : CodeVariable {
  bool is_constant = false;  ///< cannot be assigned
  bool is_table = false;
  std::vector<std::int64_t> data = {};
  int table = -1;  ///< of the code, once it is used with an index
};

struct Qualifiers {
  bool is_constant = false;
  bool is_static = false;
};

/// Reads a text from left to right, checks it, and writes its instructions.
class Parser : CodeWriter {
 public:
  Parser(std::string_view text, MapProgram& program, CodeLanguage language)
      : text_(text), program_(program), language_(language) {
    for (const CodeToken& token : program.tokens)
      if (token.kind != TokenKind::kComment) tokens_.push_back(token);
    CodeToken end = tokens_.empty() ? CodeToken{} : tokens_.back();
    end.kind = TokenKind::kEnd;
    tokens_.insert(tokens_.end(), 4, end);
  }

  void read() {
    try {
      scopes_.emplace_back();
      while (!is_end()) global();
      check_functions();
    } catch (const SyntaxError&) {
    }
    std::ranges::stable_sort(problems_, {},
                             [](const CodeProblem& one) { return std::pair(one.line, one.column); });
    // Parts that are read twice have their problems twice.
    problems_.erase(std::unique(problems_.begin(), problems_.end()), problems_.end());
    if (problems_.size() > kMaxProblems) {
      problems_.resize(kMaxProblems);
      problems_.push_back({0, 0, 0, fmt::format("more than {} errors; these are the first", kMaxProblems)});
    }
    program_.problems = std::move(problems_);
    if (!program_.problems.empty()) return;
    program_.lines.assign(lines_.begin(), lines_.end());
    program_.code = std::make_shared<const MapCode>(std::move(code_));
  }

 private:
  // Tokens.

  const CodeToken& token(int ahead = 0) const {
    return tokens_[std::min(static_cast<std::size_t>(at_ + ahead), tokens_.size() - 1)];
  }
  std::string_view text_of(int index) const {
    const CodeToken& one = tokens_[std::min(static_cast<std::size_t>(index), tokens_.size() - 1)];
    return one.kind == TokenKind::kEnd ? std::string_view() : text_.substr(one.begin, one.length);
  }
  std::string_view text(int ahead = 0) const { return text_of(at_ + ahead); }
  bool is_end() const { return token().kind == TokenKind::kEnd; }
  bool is_operator() const { return token().kind == TokenKind::kOperator; }
  bool accept(std::string_view expected) {
    if (text() != expected) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view expected) {
    if (!accept(expected)) fail_here(fmt::format("'{}' expected", expected));
  }
  template <typename... Values>
  [[noreturn]] void fail(int one, fmt::format_string<Values...> form, Values&&... values) {
    problem(one, form, std::forward<Values>(values)...);
    throw SyntaxError();
  }
  /// What is here is not part of the language, or not at this place.
  [[noreturn]] void fail_here(const std::string& message) {
    const std::string_view word = text();
    const TokenKind kind = token().kind;
    if (kind == TokenKind::kDirective && word.find("include") != std::string_view::npos)
      fail(at_, "#include is not allowed; everything that a {} may use is there already", kind_name());
    if (kind == TokenKind::kDirective) fail(at_, "lines that begin with # are not allowed");
    if (kind == TokenKind::kText && word.front() == '"')
      fail(at_, "strings are not allowed; allowed: numbers");
    if (kind == TokenKind::kInvalid)
      fail(at_, "the byte 0x{:02x} is not allowed outside of comments",
           static_cast<unsigned char>(word.front()));
    if (kind == TokenKind::kWord) check_word(at_);
    if (word == "->" || word == "#" || word == "##" || word == "...") fail(at_, "'{}' is not allowed", word);
    if (is_end()) fail(at_, "{} at the end of the code", message);
    fail(at_, "{} before '{}'", message, shown(word));
  }
  void check_word(int one) {
    const std::string_view word = text_of(one);
    if (const std::string_view refusal = refusal_of(word, language_); !refusal.empty())
      fail(one, "{}", refusal);
    if (word.front() == '_')
      fail(one,
           "'{}': names that begin with _ are reserved; allowed: __host__, __device__, "
           "__constant__",
           shown(word));
    if (word.starts_with("loom_")) fail(one, "'{}': names that begin with loom_ are reserved", shown(word));
  }
  bool is_formula() const { return language_ != CodeLanguage::kMap; }
  const char* kind_name() const { return is_formula() ? "formula" : "map"; }
  Type complex_type() const {
    return language_ == CodeLanguage::kFloatFormula ? Type::kComplexFloat : Type::kComplexDouble;
  }
  void refuse_pointer() {
    if (is_operator() && (text() == "*" || text() == "&" || text() == "&&")) fail(at_, "{}", kPointer);
  }
  struct Nesting {
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser.nesting_ > kMaxNesting)
        parser.fail(parser.at_, "nested too deeply; allowed: {} levels", kMaxNesting);
    }
    ~Nesting() { --parser_.nesting_; }
    Parser& parser_;
  };
  /// Reads what is here and forgets the code: it is read again.
  template <typename Work>
  void try_reading(const Work& work) {
    const int size = here();
    work();
    cut(size);
  }

  // Expressions.

  Value expression() {
    Value value = assignment();
    while (text() == ",") {
      discard(value);
      const int sign = at_++;
      value = load(assignment());
      value.token = sign;
      value.symbol = -1;
    }
    return value;
  }
  /// Nobody reads the value.
  void discard(const Value& value) {
    if (value.spare >= 0) erase(value.spare);
  }

  bool check_place(const Value& place, int sign) {
    constexpr std::string_view kConstants =
        "global and static variables are constants, since threads share no memory; allowed: local variables";
    const Symbol* const one = place.symbol < 0 ? nullptr : &item(symbols_, place.symbol);
    if (place.kind == Value::Kind::kUniform)
      problem(sign, "blockIdx, threadIdx, blockDim, gridDim and the Fractal cannot be changed");
    else if (one == nullptr)
      problem(sign, "only a variable, an element of an array or a member of a Cell can be changed");
    else if (one->is_table && one->dimensions.empty())
      problem(sign, "a constant cannot be changed: {}", kConstants);
    else if (one->is_table)
      problem(sign, "'{}' is a constant: {}", one->name, kConstants);
    else if (one->is_constant)
      problem(sign, "'{}' is const", one->name);
    else
      return true;
    return false;
  }

  Value assignment() {
    const Nesting nesting(*this);
    Value place = conditional();
    const std::string_view op = text();
    if (!is_operator() || op.back() != '=') return place;
    const OperatorInfo* const compound = find_operator(op.substr(0, op.size() - 1));
    if (op != "=" && (compound == nullptr || compound->binds <= kBindsAnd || compound->is_comparison()))
      return place;
    const int sign = at_++;
    if (place.index >= 0) place.index = hold({.type = Type::kInt, .token = sign, .reg = place.index}).reg;
    Value value = assignment();
    if (op != "=" && !is_point(value.type)) value = numeric(value);
    if (!check_place(place, sign)) return place;
    if (op != "=") {
      if (!is_number(place.type) && !is_point(place.type)) return convert(place, Type::kInt);
      value = binary(sign, *compound, place, value);
    }
    return store(sign, place, convert(value, place.type));
  }

  Value conditional() {
    const Value asked = operation(kBindsOr);
    if (text() != "?") return asked;
    const int sign = at_++;
    const Value c = hold(condition(asked));
    const int begin = here();
    Label other, end;
    emit_to(sign, Op::kIf, other, 0, operand(c));
    Value a = load(expression());
    expect(":");
    const Nesting nesting(*this);
    const int middle = here();
    place(other);
    emit_to(sign, Op::kElse, end);
    Value b = load(conditional());
    if (is_eager(begin + 1, middle) && is_eager(middle + 1, here()) && a.type != Type::kVoid) {
      erase(middle);
      erase(begin);
    } else {
      place(end);
      emit(sign, Op::kEndIf, 0, 0, 0, here() + 1);
    }
    // Lanes that did not compute a value have any, and do not select it.
    const Type type = is_number(a.type) && is_number(b.type) ? common(a.type, b.type)
                      : is_complex(b.type)                   ? b.type
                                                             : a.type;
    a = convert(a, type);
    b = convert(b, type);
    if (c.is_constant() && a.is_constant() && b.is_constant()) return c.constant != 0 ? a : b;
    const Value result = temporary(type, sign);
    each_member(type, [&](int unit) {
      emit(sign, of_width(Op::kSelect32, type), result.reg + unit, operand(a) + unit, operand(b) + unit,
           operand(c));
    });
    return result;
  }

  Value operation(int binds) {
    Value a = unary();
    for (;;) {
      const OperatorInfo* const found = is_operator() ? find_operator(text()) : nullptr;
      if (found == nullptr || found->binds < binds) return a;
      const int sign = at_++;
      if (found->binds <= kBindsAnd) {
        a = logical(sign, *found, hold(condition(a)));
      } else {
        a = hold(a);
        a = binary(sign, *found, a, operation(found->binds + 1));
      }
    }
  }
  /// a || b, a && b: lanes that a decides do not compute b.
  Value logical(int sign, const OperatorInfo& op, const Value& a) {
    const bool is_or = op.binds == kBindsOr;
    const int begin = here();
    Label end;
    emit_to(sign, Op::kIf, end, 0, operand(a), is_or);
    const Value b = condition(operation(op.binds + 1));
    if (is_eager(begin + 1, here())) {
      erase(begin);
    } else {
      place(end);
      emit(sign, Op::kEndIf, 0, 0, 0, here() + 1);
    }
    return compute(sign, is_or ? Op::kAnyTrue : Op::kBothTrue, Type::kInt, a, b);
  }

  /// ++ and --.
  Value step(int sign, const Value& place, bool is_post) {
    if (!check_place(place, sign)) return place;
    if (!is_number(place.type)) return convert(place, Type::kInt);
    Value old = load(place);
    const Value before = old;
    if (is_post && place.kind == Value::Kind::kVariable) {
      old = temporary(place.type, sign);
      old.spare = here();
      move(sign, before, old.reg);
    }
    const OperatorInfo& op = *find_operator(text_of(sign).substr(1));
    const Value next = store(sign, place, convert(binary(sign, op, before, number(sign, 1)), place.type));
    return is_post ? old : next;
  }

  Value unary() {
    const Nesting nesting(*this);
    const std::string_view op = text();
    refuse_pointer();
    if (is_operator()) {
      const int sign = at_;
      if (op == "++" || op == "--") {
        ++at_;
        return step(sign, unary(), false);
      }
      if (op == "-" || op == "+" || op == "~" || op == "!") {
        ++at_;
        const Value read = unary();
        if (is_complex(read.type) && (op == "-" || op == "+")) {
          const Value a = as_value(read);
          if (op == "+") return a;
          const Value re = real(Op::kNegateF32, part_of(a, 0));
          return complex_of(sign, re, real(Op::kNegateF32, part_of(a, 1)));
        }
        if (read.type == Type::kVector && (op == "-" || op == "+")) {
          const Value a = as_value(read);
          if (op == "+") return a;
          return vector_of(sign, [&](int i) { return real(Op::kNegateF32, part_of(a, i)); });
        }
        const Value a = numeric(read);
        const Type type = promoted(a.type);
        if (is_real(type) && op == "~") return problem(sign, "'~' is not defined for {}", info(type).name);
        if (is_real(type) && op == "-") return real(Op::kNegateF32, a);
        if (op == "!") return binary(sign, *find_operator("=="), a, number(sign, 0));
        if (op == "+") return as_value(convert(a, type));
        if (op == "~") return binary(sign, *find_operator("^"), a, number(sign, -1, type));
        return binary(sign, *find_operator("-"), number(sign, 0), a);
      }
      if (op == "(" && token(1).kind == TokenKind::kType) {
        ++at_;
        const Type type = type_name();
        expect(")");
        const Value a = unary();
        return type == Type::kVoid ? a : as_value(convert(a, type));
      }
    }
    return postfix(primary());
  }
  /// What cannot be assigned.
  Value as_value(const Value& of) {
    Value value = load(of);
    if (value.kind == Value::Kind::kVariable) value.kind = Value::Kind::kRegister;
    value.symbol = -1;
    return value;
  }

  Value postfix(Value a) {
    for (;;) {
      if (accept(".")) {
        a = member(a);
      } else if (text() == "->") {
        fail_here("");
      } else if (text() == "[") {
        fail(at_, "only an array can have an index");
      } else if (text() == "++" || text() == "--") {
        ++at_;
        a = step(at_ - 1, a, true);
      } else {
        return a;
      }
    }
  }

  Value member(Value a) {
    const int name = at_++;
    const std::vector<std::string_view> names = member_names(a.type);
    const int found = static_cast<int>(std::ranges::find(names, text_of(name)) - names.begin());
    if (names.empty()) return problem(name, "{} has no members", info(a.type).name);
    if (found == static_cast<int>(names.size()))
      return problem(name, "{} has no member '{}'; allowed: {}", info(a.type).name, shown(text_of(name)),
                     fmt::join(names, ", "));
    if (a.type == Type::kFractal) return uniform(name, kFractalUniforms + found);
    a.type = member_type(a.type);
    a.reg += found * info(a.type).units;
    return a;
  }
  static Value uniform(int name, int index) {
    return {.kind = Value::Kind::kUniform,
            .type = index < kFractalUniforms ? Type::kUInt : Type::kInt,
            .token = name,
            .reg = index | kSharedOperand};
  }

  /// A number with a point or an exponent: double, or with f float.
  Value real_literal(int one, std::string_view word) {
    const bool is_float = std::tolower(word.back()) == 'f';
    if (is_float) word.remove_suffix(1);
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size())
      fail(one, "not a number, or one that is too large or small");
    return real_constant(one, value, is_float ? Type::kFloat : Type::kDouble);
  }
  Value literal() {
    const int one = at_++;
    std::string_view word = text_of(one);
    const auto begins = [&](char letter) {
      return word[0] == '0' && word.size() > 1 && std::tolower(word[1]) == letter;
    };
    const int base = begins('x') ? 16 : begins('b') ? 2 : word[0] == '0' ? 8 : 10;
    if (word.find_first_of(base == 16 ? "." : ".eEpPfF") != std::string_view::npos) {
      if (is_formula() && base != 16) return real_literal(one, word);
      fail(one, "{}", is_formula() ? "not a number; allowed: decimal ones like 0.5 and 1e-3" : kReal);
    }
    bool is_unsigned = false;
    int longs = 0;
    for (; !word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos;
         word.remove_suffix(1))
      std::tolower(word.back()) == 'u' ? is_unsigned = true : ++longs > 0;
    if (base == 16 || base == 2) word.remove_prefix(2);
    std::uint64_t value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size() || longs > 2)
      fail(one, "not a number, or one of more than 64 bits");
    Type type = is_unsigned || value >> 63 != 0 ? Type::kULong : Type::kLong;
    if (longs == 0 && !is_unsigned && value >> 31 == 0)
      type = Type::kInt;
    else if (longs == 0 && (is_unsigned || base != 10) && value >> 32 == 0)
      type = Type::kUInt;
    return number(one, static_cast<std::int64_t>(value), type);
  }

  Value character() {
    const int one = at_;
    const std::string_view word = text();
    if (word.front() == '"') fail_here("");
    ++at_;
    if (word.size() == 3 && word[1] != '\\' && word[2] == '\'') return number(one, word[1]);
    static constexpr std::string_view kEscapes("n\nt\tr\r0\0\\\\''\"\"", 14);
    if (word.size() == 4 && word[1] == '\\' && word[3] == '\'') {
      for (std::size_t i = 0; i < kEscapes.size(); i += 2)
        if (kEscapes[i] == word[2]) return number(one, kEscapes[i + 1]);
    }
    fail(one, "a character constant has one character, for example 'a'");
  }

  Value primary() {
    const int one = at_;
    switch (token().kind) {
      case TokenKind::kNumber:
        return literal();
      case TokenKind::kText:
        return character();
      case TokenKind::kKeyword:
        if (text() != "true" && text() != "false") break;
        ++at_;
        return number(one, text_of(one) == "true");
      case TokenKind::kBuiltin:
      case TokenKind::kWord:
        check_word(one);
        ++at_;
        return text() == "(" && find_variable(one) < 0 ? call(one) : name(one);
      default:
        if (!accept("(")) break;
        const Value a = expression();
        expect(")");
        return a;
    }
    fail_here("an expression expected");
  }

  /// An integer; else a problem and 0.
  Value whole(const Value& value) {
    const Value of = numeric(value);
    if (!is_real(of.type)) return of;
    return problem(of.token, "a whole number is expected, not {}", info(of.type).name);
  }
  int find_variable(int one) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(text_of(one)); found != scope->end()) return found->second;
    return -1;
  }
  Symbol& symbol(int index) { return item(symbols_, index); }

  Value name(int one) {
    const int found = find_variable(one);
    if (found < 0) return unknown_name(one);
    if (symbol(found).type == Type::kFractal)
      return {.kind = Value::Kind::kUniform, .type = Type::kFractal, .token = one};
    // The element, as a constant as far as it is one.
    Value element = number(one, 0);
    const std::vector<int> dimensions = symbol(found).dimensions;
    std::size_t indices = 0;
    for (; text() == "[" && indices < dimensions.size(); ++indices) {
      ++at_;
      const int size = dimensions[indices];
      Value index = whole(expression());
      index = convert(index, promoted(index.type));
      expect("]");
      if (index.is_constant() && (index.constant < 0 || index.constant >= size))
        problem(index.token, "the index {} is outside of '{}'; allowed: 0 to {}", index.constant,
                text_of(one), size - 1);
      if (!index.is_constant()) emit(index.token, of_width(Op::kCheck32, index.type), 0, index.reg, 0, size);
      index = hold(convert(index, Type::kInt));
      const auto combine = [&](Op op, const Value& a, const Value& b) {
        return compute(index.token, op, Type::kInt, a, b);
      };
      element = element.is_constant() && element.constant == 0
                    ? index
                    : combine(Op::kAdd32, combine(Op::kMul32, element, number(one, size)), index);
    }
    if (indices < dimensions.size())
      problem(one, "'{}' is an array: an index expected for each dimension", text_of(one));
    Symbol& of = symbol(found);
    Value value{.kind = Value::Kind::kVariable,
                .type = of.type,
                .token = one,
                .reg = of.unit,
                .stride = info(of.type).units,
                .symbol = found};
    if (!element.is_constant()) {
      value.kind = of.is_table ? Value::Kind::kTable : Value::Kind::kElement;
      value.index = element.reg;
      if (of.is_table) value.reg = table_of(of);
    } else if (of.is_table) {
      const std::size_t at = std::min(static_cast<std::size_t>(element.constant), of.data.size() - 1);
      value = number(one, of.data[at], of.type);
      value.symbol = found;
    } else {
      value.reg += static_cast<int>(element.constant) * value.stride;
    }
    return value;
  }
  int table_of(Symbol& of) {
    if (of.table >= 0) return of.table;
    of.table = static_cast<int>(code_.tables.size());
    code_.tables.push_back({is_wide(of.type), {of.data.begin(), of.data.end()}, of.data});
    return of.table;
  }
  /// blockIdx.x and the like, or a problem.
  Value unknown_name(int one) {
    const std::string_view word = text_of(one);
    const bool is_builtin = item(tokens_, one).kind == TokenKind::kBuiltin;
    if (is_builtin && accept(".")) {
      for (int i = 0; i < kFractalUniforms; ++i) {
        const auto& [of, member] = item(kUniforms, i);
        if (word == of && accept(member)) return uniform(one, i);
      }
      fail_here(fmt::format("{} has the members x and y; one of them expected", word));
    }
    while (accept("[")) {
      expression();
      expect("]");
    }
    if (!is_builtin) return problem(one, "'{}' is not defined", shown(word));
    const bool is_function =
        is_formula() || std::ranges::find(kBuiltins, word, &Builtin::name) != kBuiltins.end();
    return problem(one, "'{}' is used without {}", word, is_function ? "arguments" : ".x or .y");
  }

  /// complex(), abs() and the others of kFormulaBuiltins.
  Value formula_call(int one) {
    const std::string_view word = text_of(one);
    const Type type = complex_type();
    constexpr std::string_view kOfTwo[] = {"complex", "pow", "dot", "atan2"};
    const std::size_t expected = word == "vector"                                      ? 3
                                 : std::ranges::find(kOfTwo, word) != std::end(kOfTwo) ? 2
                                                                                       : 1;
    std::vector<Value> values;
    expect("(");
    if (!accept(")")) {
      do values.push_back(hold(assignment()));
      while (accept(","));
      expect(")");
    }
    if (values.size() != expected)
      return problem(one, "'{}' has {} parameter{}, not {}", word, expected, expected == 1 ? "" : "s",
                     values.size());
    if (word == "complex") {
      const Value re = convert(numeric(values[0]), member_type(type));
      return complex_of(one, re, convert(numeric(values[1]), member_type(type)));
    }
    if (word == "vector") {
      for (Value& part : values) part = numeric(part);
      return vector_of(one, [&](int i) { return item(values, i); });
    }
    if (word == "dot") return dot(convert(values[0], Type::kVector), convert(values[1], Type::kVector));
    Value value = values[0];
    if (word == "abs" && value.type == Type::kVector) return real(Op::kRootF32, dot(value, value));
    const bool is_part = !is_complex(value.type) || word == "sqrt" || word == "acos" || word == "atan2";
    if (is_part) {
      value = numeric(value);
      if (!is_real(value.type)) value = convert(value, Type::kDouble);
    }
    value.token = one;
    if (word == "sqrt") return real(Op::kRootF32, value);
    if (word == "acos") return real(Op::kAcosF32, value);
    if (word == "atan2") {
      const Value x = numeric(values[1]);
      const Type of = common(value.type, x.type);
      return real(Op::kAtan2F32, convert(value, of), convert(x, of));
    }
    if (word == "pow") {
      const Value& n = values[1];
      if (!n.is_constant() || is_real(n.type) || n.constant < 0 || n.constant > kMaxFormulaPower)
        return problem(n.token,
                       "the power of pow() is not allowed; allowed: a constant whole number from 0 to {}",
                       kMaxFormulaPower);
      return power_of(convert(value, type), n.constant);
    }
    if (word == "sqr") return is_part ? real(Op::kMulF32, value, value) : square_of(value);
    if (word == "abs")
      return is_part ? real(Op::kAbsF32, value) : real(Op::kRootF32, square_of_length(value));
    if (word == "conj") {
      if (is_part) return value;
      return complex_of(one, part_of(value, 0), real(Op::kNegateF32, part_of(value, 1)));
    }
    const Op op = word == "exp" ? Op::kExpF32 : word == "sin" ? Op::kSinF32 : Op::kCosF32;
    return is_part ? real(op, value) : transcendental(op, value);
  }

  Value call(int one) {
    const std::string_view word = text_of(one);
    if (is_formula() && item(tokens_, one).kind == TokenKind::kBuiltin) return formula_call(one);
    const auto builtin = std::ranges::find(kBuiltins, word, &Builtin::name);
    const auto own = functions_.find(word);
    const bool is_builtin = !is_formula() && builtin != kBuiltins.end();
    const bool is_own = !is_builtin && own != functions_.end();
    Type type = Type::kInt;
    std::vector<Type> types;
    if (is_own) {
      const CodeFunction& function = item(code_.functions, own->second);
      type = function.type;
      types = function.parameters;
    } else if (is_builtin) {
      type = builtin->result;
      types.assign(static_cast<std::size_t>(builtin->parameters), builtin->parameter);
    }
    // Arguments of an instruction are operands. Those of cell() and the like are the members of the result,
    // those of a function have registers behind it.
    const bool is_instruction = is_builtin && builtin->op != Op::kMove32;
    const Value result = is_instruction ? Value() : temporary(type, one);
    std::vector<int> to;
    for (const Type of : types)
      to.push_back(is_own ? allocate(info(of).units)
                          : result.reg +
                                static_cast<int>(to.size()) * info(of).units * (word == "grid1d" ? 2 : 1));
    std::vector<Value> values;
    expect("(");
    if (!accept(")")) {
      do {
        const Value value = assignment();
        const std::size_t i = values.size();
        values.push_back(i < types.size() ? hold(convert(value, types[i])) : value);
        if (i < types.size() && !is_instruction) move(values[i].token, values[i], to[i]);
      } while (accept(","));
      expect(")");
    }
    if (!is_own && !is_builtin)
      return problem(one,
                     "the function '{}' is not defined; a {} uses only its own functions and those of the "
                     "language",
                     shown(word), kind_name());
    if (types.size() != values.size())
      return problem(one, "'{}' has {} parameters, not {}", word, types.size(), values.size());
    if (is_instruction) return compute(one, builtin->op, type, values.front(), values.back());
    if (word == "none")
      for (const int i : {0, 1}) move(one, number(one, i == 0 ? MapPoint::kNone : 0), result.reg + i);
    if (word == "grid1d")
      for (const int i : {2, 6}) move(one, number(one, 1, Type::kLong), result.reg + i);
    if (is_builtin) return result;
    calls_[current_].insert(own->second);
    called_.emplace(own->second, one);
    emit(one, Op::kCall, result.reg, 0, 0, own->second);
    return result;
  }

  // Types and declarations.

  bool begins_type() const {
    constexpr std::string_view kQualifiers[] = {"const", "static", "__constant__", "__device__", "__host__"};
    return token().kind == TokenKind::kType ||
           std::ranges::find(kQualifiers, text()) != std::end(kQualifiers);
  }
  /// Qualifiers and a type.
  Type type_name() {
    qualifiers_ = {};
    const int first = at_;
    std::vector<std::string_view> words;
    for (; begins_type(); ++at_) {
      qualifiers_.is_constant |= text() == "const" || text() == "__constant__";
      qualifiers_.is_static |= text() == "static" || text() == "__constant__";
      if (token().kind == TokenKind::kType) words.push_back(text());
    }
    refuse_pointer();
    if (words.empty()) fail_here("a type expected, for example int,");
    const auto take = [&](std::string_view word) {
      const auto at = std::ranges::find(words, word);
      return at != words.end() && (words.erase(at), true);
    };
    const bool is_unsigned = take("unsigned");
    const bool has_sign = is_unsigned || take("signed");
    const bool has_int = take("int");
    const bool is_long = take("long");
    if (is_long) take("long");
    const bool is_default = words.empty();  // int, or long
    const std::array kOthers = {Type::kShort,  Type::kChar,   Type::kBool,    Type::kVoid,
                                Type::kCell,   Type::kLaunch, Type::kFractal, Type::kFloat,
                                Type::kDouble, Type::kVector, complex_type()};
    const auto other = std::ranges::find_if(kOthers, [&](Type type) { return take(info(type).name); });
    const bool is_other = !is_default && !is_long && other != kOthers.end() &&
                          !(has_int && *other != Type::kShort) &&
                          !(has_sign && *other != Type::kShort && *other != Type::kChar);
    if (!words.empty() || (!is_default && !is_other)) fail(first, "this is no type; allowed: {}", types());
    const Type type = is_other ? *other : is_long ? Type::kLong : Type::kInt;
    return static_cast<Type>(static_cast<int>(type) + is_unsigned);  // the unsigned one follows
  }

  const char* types() const {
    return is_formula() ? "int, unsigned, long, short, char, bool, float, double, Complex, Vector"
                        : "int, unsigned, long, short, char, bool, Cell";
  }

  int new_name() {
    if (text() == "(" && text(1) == "*") fail(at_ + 1, "{}", kPointer);
    if (token().kind != TokenKind::kWord && token().kind != TokenKind::kBuiltin) fail_here("a name expected");
    check_word(at_);
    return at_++;
  }
  std::int64_t constant(const Value& value) {
    if (value.is_constant() && !is_real(value.type)) return value.constant;
    problem(value.token, "a constant expected: numbers, and const variables that are numbers");
    return 1;
  }

  int declare(int one, Type type, bool is_constant) {
    const std::string_view word = text_of(one);
    Symbol& made = symbols_.emplace_back();
    made.name = word;
    made.type = type;
    made.line = item(tokens_, one).line;
    made.is_constant = is_constant;
    if (scopes_.back().contains(word)) problem(one, "'{}' is defined twice", shown(word));
    return scopes_.back()[word] = static_cast<int>(symbols_.size()) - 1;
  }
  /// From here to the end of its scope, the stepper shows a variable.
  void open(int index) {
    symbol(index).begin = here();
    open_.push_back(function().variables.size());
    function().variables.push_back(symbol(index));
  }
  CodeFunction& function() { return item(code_.functions, current_); }
  /// A scope of names and registers.
  template <typename Work>
  void scope(const Work& work) {
    const int before = top_;
    const std::size_t begin = open_.size();
    scopes_.emplace_back();
    work();
    scopes_.pop_back();
    for (std::size_t i = begin; i < open_.size(); ++i) function().variables[open_[i]].end = here();
    open_.resize(begin);
    top_ = before;
  }

  void read_dimensions(int index) {
    std::vector<int>& sizes = symbol(index).dimensions;
    std::int64_t elements = 1;
    bool is_open = false;
    while (accept("[")) {
      if (sizes.empty() && accept("]")) {
        is_open = true;
        sizes.push_back(1);
        continue;
      }
      const int at = at_;
      const std::int64_t size = constant(numeric(conditional()));
      expect("]");
      const bool fits = size >= 1 && size <= kMaxElements && elements * size <= kMaxElements;
      if (!fits)
        problem(at, "an array of {} elements; allowed: 1 to {}, and {} bytes of memory for a thread", size,
                kMaxElements, kMaxMapMemory);
      elements *= fits ? size : 1;
      symbol(index).dimensions.push_back(fits ? static_cast<int>(size) : 1);
    }
    if (is_open && text() != "=") problem(at_, "an array without a size needs values: = {{...}}");
    if (!is_open || text() != "=" || text(1) != "{") return;
    // Its values say how many there are.
    const int begin = at_++;
    symbol(index).dimensions[0] = kMaxElements;
    try_reading([&] { read_values(index, 0, 0, [](std::int64_t, const Value&) {}); });
    at_ = begin;
  }

  /// { values } of an array or structure: `take(element, value)`.
  template <typename Take>
  void read_values(int index, std::size_t level, std::int64_t begin, const Take& take) {
    const Nesting nesting(*this);
    expect("{");
    const std::vector<int> sizes = symbol(index).dimensions;
    std::int64_t inner = 1;
    for (std::size_t i = level + 1; i < sizes.size(); ++i) inner *= sizes[i];
    const std::int64_t most = sizes.empty()
                                  ? (is_number(symbol(index).type) ? 0 : members_of(symbol(index).type))
                              : level == 0 && sizes[0] == kMaxElements ? kMaxElements
                                                                       : sizes[level] * inner;
    std::int64_t i = 0;
    while (!accept("}")) {
      if (i >= most) fail(at_, "too many values for '{}'; allowed: {}", symbol(index).name, most);
      if (text() == "{" && level + 1 < sizes.size()) {
        i = (i + inner - 1) / inner * inner;
        read_values(index, level + 1, begin + i, take);
        i += inner;
      } else {
        take(begin + i++, assignment());
      }
      if (accept(",")) continue;
      expect("}");
      break;
    }
    if (level == 0 && !sizes.empty() && sizes[0] == kMaxElements)
      symbol(index).dimensions[0] = std::max(1, static_cast<int>((i + inner - 1) / inner));
  }

  /// The rest of a declaration behind the type.
  void variables(Type type) {
    const Qualifiers qualifiers = qualifiers_;
    do variable(new_name(), type, qualifiers);
    while (accept(","));
    expect(";");
  }
  void variable(int one, Type type, const Qualifiers& qualifiers) {
    const bool must_be_constant = current_ < 0 || qualifiers.is_static;
    if (type == Type::kVoid) fail(one, "a variable cannot be void; allowed: {}", types());
    if (text() == "(") fail(at_, "a function can be defined only outside of functions");
    const int index = declare(one, type, qualifiers.is_constant || must_be_constant);
    read_dimensions(index);
    const bool has_value = text() == "=";
    const bool is_list = has_value && text(1) == "{";
    if (type == Type::kFractal && (!has_value || !symbol(index).dimensions.empty()))
      problem(one, "a Fractal is a parameter, or a copy of one");
    if (!has_value && qualifiers.is_constant && !must_be_constant)
      problem(one, "'{}' is const and needs a value", symbol(index).name);
    const std::int64_t units = std::int64_t{symbol(index).elements()} * info(type).units;
    const bool fits = units <= kMapUnits;
    const bool may_be_constant = is_number(type) && symbol(index).is_constant;
    const Type of_value = symbol(index).dimensions.empty() && is_list ? member_type(type) : type;
    std::vector<std::int64_t> data(may_be_constant ? static_cast<std::size_t>(symbol(index).elements()) : 0);
    bool is_constant = may_be_constant;
    const auto take = [&](std::int64_t element, const Value& given) {
      const Value value = convert(given, of_value);
      if (value.is_constant() && may_be_constant)
        item(data, element) = value.constant;
      else if (must_be_constant && may_be_constant)
        problem(value.token, "a global or static variable is a constant; its value must be a constant");
      is_constant = is_constant && value.is_constant();
      move(one, value, symbol(index).unit + static_cast<int>(element) * info(of_value).units);
    };
    const int begin = here();
    const bool began = std::exchange(begins_, true);
    symbol(index).made = begin;
    symbol(index).unit = allocate(fits ? static_cast<int>(units) : 0);
    within([&] {
      // Before its value is there, a variable is 0.
      if (is_list || !has_value || mentions(one))
        emit(one, Op::kZero, symbol(index).unit, 0, is_wide(type), static_cast<int>(units));
      if (!accept("=")) return;
      if (is_list) return read_values(index, 0, 0, take);
      const Value value = assignment();
      if (!symbol(index).dimensions.empty()) fail(one, "an array needs values in braces: = {{1, 2, 3}}");
      take(0, value);
    });
    if (is_constant || must_be_constant || type == Type::kFractal) {
      if (!is_constant && must_be_constant && !may_be_constant)
        problem(one, "a global or static variable is a constant number or array of numbers");
      symbol(index).is_table = is_constant;
      symbol(index).data = std::move(data);
      top_ = symbol(index).unit;
      cut(begin);
      begins_ = began;
      return;
    }
    if (!fits)
      problem(one,
              "'{}' needs {} bytes in each thread; allowed: {} bytes for all variables of a "
              "thread",
              symbol(index).name, 4 * units, kMaxMapMemory);
    lines_.insert(symbol(index).line);
    open(index);
  }
  /// Whether the name stands in its own value.
  bool mentions(int one) const {
    int depth = 0;
    for (int i = one + 1;; ++i) {
      const std::string_view word = text_of(i);
      depth += (word == "(" || word == "{" || word == "[") - (word == ")" || word == "}" || word == "]");
      if (word.empty() || word == ";" || (word == "," && depth == 0)) return false;
      if (word == text_of(one)) return true;
    }
  }

  void global() {
    if (accept(";")) return;
    if (!begins_type()) fail_here("a function expected, for example int twice(int x) {...},");
    const Type type = type_name();
    if (text(1) != "(" || is_operator())
      variables(type);
    else
      define(type, new_name());
  }

  void define(Type type, int one) {
    const std::string_view word = text_of(one);
    const CodeToken& at = item(tokens_, one);
    if (at.kind == TokenKind::kBuiltin) fail(one, "'{}' is part of the language", word);
    if (type == Type::kFractal) fail(one, "a function cannot return a Fractal");
    if (scopes_.front().contains(word)) fail(one, "'{}' is defined twice", word);
    const auto [found, added] = functions_.emplace(word, static_cast<int>(code_.functions.size()));
    const bool is_new = added;
    if (is_new)
      code_.functions.push_back(
          {.name = std::string(word), .type = type, .line = at.line, .column = at.column});
    current_ = found->second;
    top_ = most_ = 0;
    Label end;
    flow_ = {.join = &end};
    allocate(info(type).units);
    scope([&] {
      const std::vector<int> parameters = read_parameters();
      std::vector<Type> types;
      for (const int parameter : parameters) types.push_back(symbol(parameter).type);
      if (!is_new && (type != function().type || types != function().parameters))
        fail(one, "'{}' was declared with other types in line {}", word, function().line);
      function().parameters = types;
      if (accept(";")) return;
      if (function().entry >= 0) fail(one, "'{}' is defined twice", word);
      function().line = at.line;
      function().column = at.column;
      function().entry = here();
      function().locals = top_;
      for (const int parameter : parameters)
        if (symbol(parameter).type != Type::kFractal && !symbol(parameter).name.empty()) open(parameter);
      if (text() != "{") fail_here("'{' expected");
      ++at_;
      statements();
      // Lanes that come here have not returned.
      if (type != Type::kVoid) emit(one, Op::kZero, 0, 0, is_wide(type), info(type).units);
      place(end);
      emit(one, Op::kReturn, 0);
      function().end = here();
      function().units = most_ + 2;
      if (function().units > kMapUnits)
        problem(one, "'{}' needs {} bytes in each thread; allowed: {}", word, 4 * function().units,
                kMaxMapMemory);
    });
    current_ = -1;
  }
  std::vector<int> read_parameters() {
    std::vector<int> parameters;
    expect("(");
    if (text() == "void" && text(1) == ")") ++at_;
    if (accept(")")) return parameters;
    do {
      if (text() == "...") fail_here("");
      const Type type = type_name();
      if (type == Type::kVoid) fail_here("a parameter cannot be void");
      if (text() == "," || text() == ")") {
        parameters.push_back(static_cast<int>(symbols_.size()));
        symbols_.emplace_back().type = type;
      } else {
        parameters.push_back(declare(new_name(), type, qualifiers_.is_constant));
        if (text() == "[") fail(at_, "a parameter cannot be an array; allowed: numbers and Cell");
      }
      symbol(parameters.back()).unit = allocate(info(type).units);
      symbol(parameters.back()).made = here();
    } while (accept(","));
    expect(")");
    return parameters;
  }

  // Statements.

  /// Work whose temporaries end with it.
  template <typename Work>
  void within(const Work& work) {
    const int before = top_;
    const int temporary = std::exchange(first_temporary_, top_);
    last_effect_ = -1;
    for (int i = at_; !text_of(i).empty() && text_of(i) != ";"; ++i) {
      const std::string_view word = text_of(i);
      if (word == "++" || word == "--" || (word.back() == '=' && find_operator(word) == nullptr))
        last_effect_ = i;
    }
    work();
    first_temporary_ = temporary;
    top_ = before;
  }
  /// Up to }.
  void statements() {
    while (!accept("}")) {
      if (is_end()) fail_here("'}' expected");
      statement();
    }
  }
  /// A statement with a scope of its own.
  void body() {
    scope([&] { statement(); });
  }
  Value parenthesized() {
    expect("(");
    const Value value = condition(expression());
    expect(")");
    return value;
  }
  /// An expression as a statement.
  void effect() {
    begins_ = true;
    within([&] { discard(expression()); });
  }

  /// What has masks of its own: lanes come together at `join` if none is left within.
  struct Flow {
    int depth = 0;
    int loop = 0;    ///< the depth of the innermost loop, 0: none
    int breaks = 0;  ///< of the innermost loop or switch
    Label* join = nullptr;
  };
  template <typename Work>
  void nested(Label& join, bool is_loop, bool is_switch, const Work& work) {
    const Flow before = flow_;
    ++flow_.depth;
    flow_.join = &join;
    if (is_loop) flow_.loop = flow_.depth;
    if (is_loop || is_switch) flow_.breaks = flow_.depth;
    work();
    flow_ = before;
  }

  void statement() {
    const Nesting nesting(*this);
    const int one = at_;
    const std::string_view word = text();
    if (accept(";")) return;
    if (accept("{")) return scope([&] { statements(); });
    if (begins_type()) return variables(type_name());
    lines_.insert(token().line);
    if (token().kind == TokenKind::kKeyword) {
      if (word == "if") return if_statement();
      if (word == "for" || word == "while" || word == "do") return scope([&] { loop(); });
      if (word == "switch") return scope([&] { switch_statement(); });
      if (word == "case" || word == "default")
        fail(one, "'{}' belongs directly into the braces of a switch", word);
      if (word == "else") fail(one, "'else' without 'if'");
      if (word == "break" || word == "continue") return jump(word == "break");
      if (word == "return") return return_statement();
    }
    if (token().kind == TokenKind::kWord && text(1) == ":" && find_variable(one) < 0)
      fail(at_ + 1, "labels are not allowed; allowed: if, for, while, do, switch, break, continue");
    effect();
    expect(";");
  }

  void jump(bool is_break) {
    const int one = at_++;
    expect(";");
    const int depth = is_break ? flow_.breaks : flow_.loop;
    if (depth == 0) problem(one, "'{}' is not in a loop{}", text_of(one), is_break ? " or switch" : "");
    begins_ = true;
    emit_to(one, is_break ? Op::kBreak : Op::kContinue, *flow_.join, 0, flow_.depth - depth);
  }
  void return_statement() {
    const int one = at_++;
    const Type type = function().type;
    begins_ = true;
    within([&] {
      if (text() == ";") {
        if (type != Type::kVoid) problem(one, "{} is expected behind return", info(type).name);
        return;
      }
      const Value value = expression();
      if (type == Type::kVoid)
        problem(one, "a void function returns nothing");
      else
        move(one, convert(value, type), 0);
    });
    expect(";");
    emit_to(one, Op::kLeave, *flow_.join);
  }

  void if_statement() {
    const int one = at_++;
    Label other, end;
    begins_ = true;
    within([&] { emit_to(one, Op::kIf, other, 0, operand(parenthesized())); });
    nested(other, false, false, [&] { body(); });
    place(other);
    if (accept("else")) {
      emit_to(one, Op::kElse, end);
      nested(end, false, false, [&] { body(); });
      place(end);
    }
    emit_to(one, Op::kEndIf, *flow_.join);
  }

  void loop() {
    const int one = at_++;
    const bool is_for = text_of(one) == "for";
    const bool is_do = text_of(one) == "do";
    Label next, end;
    if (is_for) {
      expect("(");
      if (begins_type()) {
        variables(type_name());
      } else if (!accept(";")) {
        effect();
        expect(";");
      }
    }
    emit(one, Op::kLoop, 0);
    const int again = here();
    const auto check = [&] {
      begins_ = true;
      within([&] {
        const Value c = is_for ? condition(expression()) : parenthesized();
        emit_to(one, Op::kWhile, end, 0, operand(c));
      });
    };
    nested(next, true, false, [&] {
      if (!is_do && text() != ";") check();
      if (is_for) expect(";");
      // What follows each pass stands in front of its code: it is read again behind it.
      const int step = at_;
      if (is_for && text() != ")") try_reading([&] { within([&] { expression(); }); });
      if (is_for) expect(")");
      body();
      place(next);
      emit_to(one, Op::kNext, end);
      if (is_for) {
        const int after = std::exchange(at_, step);
        if (text() != ")") within([&] { discard(expression()); });
        at_ = after;
      } else if (is_do) {
        if (text() != "while") fail_here("'while' expected");
        lines_.insert(token().line);
        ++at_;
        check();
        expect(";");
      }
      emit(one, Op::kJump, 0, 0, 0, again);
      place(end);
    });
    emit_to(one, Op::kEndLoop, *flow_.join);
  }

  void switch_statement() {
    const int one = at_++;
    const std::size_t index = code_.switches.size();
    code_.switches.emplace_back();
    const int labels = allocate(1);
    Type type = Type::kInt;
    begins_ = true;
    within([&] {
      expect("(");
      const Value value = whole(expression());
      expect(")");
      type = promoted(value.type);
      emit(one, Op::kSwitch, labels, operand(convert(value, type)), 0, static_cast<int>(index));
    });
    expect("{");
    CodeSwitch table{.type = type};
    // With no lane, execution goes on at the next label, or at the end.
    Label next;
    nested(next, false, true, [&] {
      while (!accept("}")) {
        const bool is_default = text() == "default";
        if (is_default || text() == "case") {
          const int label = static_cast<int>(table.labels.size());
          const int at = at_++;
          std::int64_t value = 0;
          if (!is_default) value = constant(convert(numeric(conditional()), type));
          expect(":");
          const bool is_new =
              is_default ? table.other < 0
                         : std::ranges::find(table.cases, value, &std::pair<std::int64_t, int>::first) ==
                               table.cases.end();
          if (!is_new) problem(at, "this label is in the switch twice");
          is_default ? void(table.other = label) : void(table.cases.emplace_back(value, label));
          place(next);
          next = {};
          table.labels.push_back(here());
          emit(at, Op::kCase, labels, 0, static_cast<int>(index), label);
          continue;
        }
        if (is_end()) fail_here("'}' expected");
        if (table.labels.empty()) fail_here("'case' or 'default' expected");
        if (begins_type()) fail(at_, "a variable within a switch needs braces: case 1: {{ int x = 2; ... }}");
        statement();
      }
      place(next);
    });
    std::ranges::sort(table.cases);
    table.end = here();
    code_.switches[index] = std::move(table);
    emit_to(one, Op::kEndIf, *flow_.join);
  }

  void check_functions() {
    const auto find = [&](const char* name, Type type, const char* header,
                          std::vector<Type> parameters = {Type::kFractal}) {
      const auto found = functions_.find(std::string_view(name));
      const CodeFunction* const one =
          found == functions_.end() ? nullptr : &item(code_.functions, found->second);
      if (one == nullptr || one->entry < 0)
        problems_.push_back({0, 0, 0, fmt::format("the {} has no function: {}", kind_name(), header)});
      else if (one->type != type || one->parameters != parameters)
        problems_.push_back({one->line, one->column, static_cast<int>(one->name.size()),
                             fmt::format("'{}' is not {}", name, header)});
      return one == nullptr ? -1 : found->second;
    };
    if (is_formula()) {
      const auto next = functions_.find(std::string_view("next"));
      const bool in_space =
          next != functions_.end() && item(code_.functions, next->second).type == Type::kVector;
      const Type type = in_space ? Type::kVector : complex_type();
      code_.next = find("next", type,
                        in_space ? "Vector next(Vector v, Vector c)" : "Complex next(Complex z, Complex c)",
                        {type, type});
      check_constants();
    } else {
      code_.launch = find("launch", Type::kLaunch, "__host__ Launch launch(Fractal f)");
      code_.cell_of_thread = find("cell_of_thread", Type::kCell, "__device__ Cell cell_of_thread(Fractal f)");
    }
    for (const auto& [index, one] : called_)
      if (item(code_.functions, index).entry < 0)
        problem(one, "the function '{}' is declared and has no body", text_of(one));
    for (const auto& [index, calls] : calls_) {
      std::set<int> reached;
      std::vector<int> open(calls.begin(), calls.end());
      while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        if (reached.insert(next).second) open.insert(open.end(), calls_[next].begin(), calls_[next].end());
      }
      item(code_.functions, index).is_recursive = reached.contains(index);
    }
  }

  /// What a formula states about itself by constants.
  void check_constants() {
    constexpr double kMinRadius = 1e-3;
    constexpr double kMaxRadius = 1e9;
    const auto read = [&](const char* name, double least, double most, bool whole, double otherwise) {
      const auto found = scopes_.front().find(std::string_view(name));
      if (found == scopes_.front().end()) return otherwise;
      const Symbol& one = symbol(found->second);
      double value = std::numeric_limits<double>::quiet_NaN();
      if (one.dimensions.empty() && one.data.size() == 1) {
        const Value of = number(0, one.data[0], one.type);
        const Value as_double = convert(of, Type::kDouble);
        value = from_constant<double>(as_double.constant);
      }
      if (value >= least && value <= most && (!whole || value == std::floor(value))) return value;
      problems_.push_back({one.line, 0, 0,
                           fmt::format("{} is not allowed; allowed: a constant {} from {} to {}", name,
                                       whole ? "whole number" : "number", least, most)});
      return otherwise;
    };
    code_.escape_radius = read("escape_radius", kMinRadius, kMaxRadius, false, code_.escape_radius);
    code_.degree = static_cast<std::uint32_t>(read("degree", 2, 8, true, code_.degree));
  }

  std::string_view text_;
  MapProgram& program_;
  CodeLanguage language_;
  std::set<int> lines_;
  int nesting_ = 0;
  Qualifiers qualifiers_;  ///< of the last type
  int current_ = -1;       ///< the function that is read
  Flow flow_;
  std::vector<Symbol> symbols_;
  std::vector<std::unordered_map<std::string_view, int>> scopes_;  ///< names of symbols
  std::vector<std::size_t> open_;                                  ///< variables of the function in scope
  std::unordered_map<std::string_view, int> functions_;
  std::map<int, std::set<int>> calls_;
  std::map<int, int> called_;  ///< functions, and the token of the first call
};

}  // namespace

std::string to_string(const CodeProblem& problem) {
  if (problem.line == 0) return problem.message;
  if (problem.column == 0) return fmt::format("line {}: {}", problem.line, problem.message);
  return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
}

MapProgram parse_map_code(std::string_view code, CodeLanguage language) {
  MapProgram program;
  if (code.size() > kMaxMapCode) {
    program.problems.push_back(
        {0, 0, 0, fmt::format("the code has {} bytes; allowed: up to {}", code.size(), kMaxMapCode)});
    return program;
  }
  program.tokens = tokens_of(code, language);
  Parser(code, program, language).read();
  if (program.problems.empty()) program.counts = count_operators(code, program.tokens);
  return program;
}

}  // namespace loom
