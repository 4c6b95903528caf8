#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "compute/map_code/code.h"

namespace loom {
namespace {

/// The lane instructions as functions, from the same list as the interpreter's.
constexpr const char* kHelpers = R"(
typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
#ifdef LOOM_UNCHECKED
#define LOOM_CHECK(index, size, line)
#define LOOM_CHECK_DIVISION(a, b, least, line)
#else
#define LOOM_CHECK(index, size, line) if ((u64)(index) >= size) LOOM_STOP(3, line)
#define LOOM_CHECK_DIVISION(a, b, least, line) \
  if ((b) == 0) LOOM_STOP(1, line) \
  if (least != 0 && (b) == -1 && (a) == least) LOOM_STOP(2, line)
#endif
)"
#define LOOM_TEXT(name, A, B, R, expr) \
  "LOOM_SHARED " #R " loom_" #name "(" #A " a, " #B " b) { return " #expr "; }\n"
    LOOM_LANE_OPS(LOOM_TEXT) LOOM_DIVISION_OPS(LOOM_TEXT)
#undef LOOM_TEXT
    ;
/// The same for floating-point numbers, whose bits are in registers of integers.
constexpr const char* kRealHelpers = R"(
template <typename T> struct LoomBits { typedef T type; };
template <> struct LoomBits<f32> { typedef i32 type; };
template <> struct LoomBits<f64> { typedef i64 type; };
template <typename T, typename U> LOOM_SHARED T loom_cast(U value) {
  if constexpr (sizeof(T) == sizeof(U)) return __builtin_bit_cast(T, value);
  else return (T)value;
}
)"
#define LOOM_TEXT(name, A, B, R, expr)                                                       \
  "LOOM_SHARED LoomBits<" #R ">::type loom_" #name "(LoomBits<" #A ">::type x, LoomBits<" #B \
  ">::type y) {\n"                                                                           \
  "  const " #A " a = loom_cast<" #A ">(x); const " #B " b = loom_cast<" #B                  \
  ">(y); (void)b;\n"                                                                         \
  "  return loom_cast<LoomBits<" #R ">::type>((" #R ")(" LOOM_STRING(expr) ")); }\n"
#define LOOM_STRING(...) #__VA_ARGS__
    LOOM_REAL_OPS(LOOM_TEXT)
#undef LOOM_TEXT
    ;

/// The name of an instruction, and whether its operands a and b and its result have 64 bits.
struct OpInfo {
  const char* name;
  bool a = false, b = false, d = false;
};
constexpr OpInfo kOps[] = {
#define LOOM_TYPED(name, A, B, R, expr) {#name, #A[1] == '6', #B[1] == '6', #R[1] == '6'},
#define LOOM_NAMED(name) {#name},
    LOOM_LANE_OPS(LOOM_TYPED) LOOM_DIVISION_OPS(LOOM_TYPED) LOOM_REAL_OPS(LOOM_TYPED)
        LOOM_OTHER_OPS(LOOM_NAMED)
#undef LOOM_TYPED
#undef LOOM_NAMED
};

class Translator {
 public:
  explicit Translator(const MapCode& code) : code_(code), text_(kHelpers) {
    if (code.next >= 0) text_ += kRealHelpers;
    for (std::size_t i = 0; i < code.tables.size(); ++i) {
      const CodeTable& table = code.tables[i];
      line("LOOM_TABLE {} loom_table{}[] = {{", type_name(table.is_wide), i);
      for (const std::int64_t value : table.values64) text_ += literal(value, table.is_wide) + ",";
      line("}};");
    }
    for (std::size_t i = 0; i < code.functions.size(); ++i)
      if (code.functions[i].entry >= 0) line("{};", header(i));
    for (std::size_t i = 0; i < code.functions.size(); ++i)
      if (code.functions[i].entry >= 0) function(i);
  }
  std::string text() { return std::move(text_); }

 private:
  template <typename... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    text_ += '\n';
  }
  static const char* type_name(bool wide) { return wide ? "i64" : "i32"; }
  static std::string literal(std::int64_t value, bool wide) {
    // The least number has no literal.
    return wide ? fmt::format("(i64){}ull", static_cast<std::uint64_t>(value))
                : fmt::format("(i32){}u", static_cast<std::uint32_t>(value));
  }
  static std::string local(int unit, bool wide) { return fmt::format("{}{}", wide ? 'w' : 'r', unit); }

  std::string header(std::size_t index) const {
    const CodeFunction& one = code_.functions[index];
    std::string text = fmt::format("LOOM_FUNCTION void f{}(LOOM_STATE t", index);
    int unit = 0;
    const auto add = [&](Type type, const char* reference) {
      for (const int end = unit + info(type).units; unit < end; unit += is_wide(type) ? 2 : 1)
        text += fmt::format(", {}{} {}", type_name(is_wide(type)), reference, local(unit, is_wide(type)));
    };
    add(one.type, "&");
    for (const Type parameter : one.parameters) add(parameter, "");
    return text + ")";
  }

  /// The array in which a register is at the current instruction.
  const CodeVariable* array_of(int unit) const {
    const auto has = [&](const CodeVariable& one) {
      return !one.dimensions.empty() && one.made <= at_ && at_ < one.end && unit >= one.unit &&
             unit < one.unit + one.elements() * info(one.type).units;
    };
    const auto found = std::ranges::find_if(function_->variables, has);
    return found == function_->variables.end() ? nullptr : &*found;
  }
  /// A register, or one of an array `index` times `stride` registers behind it.
  std::string reg(int operand, bool wide, const std::string& index = {}, int stride = 0) {
    const auto shared = static_cast<std::size_t>(operand & ~kSharedOperand);
    if ((operand & kSharedOperand) != 0) {
      if (shared >= kUniforms.size()) return literal(code_.shared[shared - kUniforms.size()], wide);
      const auto& [of, member] = kUniforms[shared];
      return shared < kFractalUniforms ? fmt::format("loom_{}_{}", of, member)
                                       : fmt::format("loom_{}", member);
    }
    const CodeVariable* const array = array_of(operand);
    if (array == nullptr) return *locals_.insert(local(operand, wide)).first;
    const int step = wide ? 2 : 1;
    const std::string offset = index.empty() ? "" : fmt::format(" + {} * {}", index, stride / step);
    return fmt::format("v{}[{}{}]", array - function_->variables.data(), (operand - array->unit) / step,
                       offset);
  }

  void function(std::size_t index) {
    function_ = &code_.functions[index];
    locals_.clear();
    std::string before = std::exchange(text_, {});
    const auto first = code_.instructions.begin();
    if (function_->is_recursive) line("LOOM_ENTER({})", function_->line);
    spend(function_->entry, function_->end, function_->line);
    for (at_ = function_->entry; at_ < function_->end; ++at_) instruction(first[at_]);
    line("}}");
    std::swap(text_, before);
    const std::string head = header(index);
    line("{} {{", head);
    for (const std::string& one : locals_)
      if (head.find(" " + one + ",") == std::string::npos && !head.ends_with(" " + one + ")"))
        line("{} {} = 0;", type_name(one.front() == 'w'), one);
    for (std::size_t i = 0; i < function_->variables.size(); ++i)
      if (const CodeVariable& one = function_->variables[i]; !one.dimensions.empty())
        line("{} v{}[{}] = {{0}};", type_name(is_wide(one.type)), i, one.elements() * members_of(one.type));
    text_ += before;
  }
  /// What runs at most once per pass of a loop, or of the function.
  void spend(int from, int end, int at) {
    int cost = 0;
    int depth = 0;
    for (int i = from; i < end && depth >= 0; ++i) {
      const Op op = item(code_.instructions, i).op;
      depth += (op == Op::kLoop) - (op == Op::kJump);
      cost += depth == 0;
    }
    line("LOOM_SPEND({}, {})", cost, at);
  }

  void instruction(const Instruction& i) {
    const OpInfo& op = item(kOps, i.op);
    const bool wide = std::string_view(op.name).ends_with("64");
    const auto open = [&](bool is_loop) { constructs_.push_back(is_loop ? at_ : -1); };
    switch (i.op) {
      case Op::kIsCell:
      case Op::kOffsetX:
      case Op::kOffsetY:
      case Op::kReplicaAt:
      case Op::kPower: {
        const auto& builtin = *std::ranges::find(kBuiltins, i.op, &Builtin::op);
        const std::string second = builtin.parameters == 2 ? ", " + reg(i.b, false) : "";
        return line("{} = loom_{}({}{});", reg(i.d, false), builtin.name, reg(i.a, false), second);
      }
      case Op::kSelect32:
      case Op::kSelect64:
        return line("{} = {} != 0 ? {} : {};", reg(i.d, wide), reg(i.imm, false), reg(i.a, wide),
                    reg(i.b, wide));
      case Op::kTable32:
      case Op::kTable64:
        return line("{} = loom_table{}[{}];", reg(i.d, wide), i.imm, reg(i.b, false));
      case Op::kLoad32:
      case Op::kLoad64:
        return line("{} = {};", reg(i.d, wide), reg(i.a, wide, reg(i.b, false), i.imm));
      case Op::kStore32:
      case Op::kStore64:
        return line("{} = {};", reg(i.d, wide, reg(i.b, false), i.imm), reg(i.a, wide));
      case Op::kZero:
        if (array_of(i.d) != nullptr)
          return line("for (i32 i = 0; i < {}; ++i) {} = 0;", i.imm / (i.b + 1), reg(i.d, i.b, "i", i.b + 1));
        for (int unit = i.d; unit < i.d + i.imm; unit += i.b + 1) line("{} = 0;", reg(unit, i.b));
        return;
      case Op::kCheck32:
        return line("LOOM_CHECK((u32){}, {}, {})", reg(i.a, false), i.imm, i.line);
      case Op::kCheck64:
        return line("LOOM_CHECK({}, {}, {})", reg(i.a, true), i.imm, i.line);
      case Op::kIf:
        open(false);
        return line("if ({}({} != 0)) {{", i.b != 0 ? "!" : "", reg(i.a, false));
      case Op::kElse:
        return line("}} else {{");
      case Op::kEndIf:
        constructs_.pop_back();
        return line("}}");
      case Op::kLoop:
        open(true);
        line("for (;;) {{");
        return spend(at_ + 1, function_->end, i.line);
      case Op::kWhile:
        return line("if ({} == 0) break;", reg(i.a, false));
      case Op::kNext:
        return line("next{}:;", constructs_.back());
      case Op::kJump:
        constructs_.pop_back();
        return line("}}");
      case Op::kBreak:
        return line("break;");
      case Op::kContinue:
        return line("goto next{};", constructs_[constructs_.size() - 1 - i.a]);
      case Op::kLeave:
      case Op::kReturn:
        if (function_->is_recursive) line("LOOM_LEAVE");
        return line("return;");
      case Op::kSwitch: {
        open(false);
        const bool is_64 = is_wide(item(code_.switches, i.imm).type);
        return line("switch (({}){}) {{", type_name(is_64), reg(i.a, is_64));
      }
      case Op::kCase: {
        const CodeSwitch& of = code_.switches[i.b];
        const auto label = std::ranges::find(of.cases, i.imm, &std::pair<std::int64_t, int>::second);
        return label == of.cases.end() ? line("default:;")
                                       : line("case {}:;", literal(label->first, is_wide(of.type)));
      }
      case Op::kCall:
        return call(i);
      case Op::kEndLoop:
        return;
      default:
        break;
    }
    if (is_division(i.op)) {
      const bool is_signed = op.name[3] == 'S';
      line("LOOM_CHECK_DIVISION({}, {}, {}, {})", reg(i.a, op.a), reg(i.b, op.b),
           is_signed ? literal(op.a ? std::int64_t{1} << 63 : std::int64_t{1} << 31, op.a) : "0", i.line);
    }
    line("{} = loom_{}({}, {});", reg(i.d, op.d), op.name, reg(i.a, op.a), reg(i.b, op.b));
  }
  void call(const Instruction& i) {
    const CodeFunction& callee = item(code_.functions, i.imm);
    std::string arguments = "t";
    int unit = i.d;
    const auto add = [&](Type type) {
      for (const int end = unit + info(type).units; unit < end; unit += is_wide(type) ? 2 : 1)
        arguments += ", " + reg(unit, is_wide(type));
    };
    add(callee.type);
    for (const Type parameter : callee.parameters) add(parameter);
    line("f{}({});", i.imm, arguments);
  }

  const MapCode& code_;
  std::string text_;
  const CodeFunction* function_ = nullptr;
  int at_ = 0;
  std::set<std::string> locals_;  ///< registers that the function uses
  std::vector<int> constructs_;   ///< around the instruction: loops by their number, or -1
};

}  // namespace

std::string translated(const MapCode& code) {
  return Translator(code).text();
}

}  // namespace loom
