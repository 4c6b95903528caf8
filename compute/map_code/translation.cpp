#include "compute/map_code/translation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loom {
namespace {

constexpr const char* kHelpers = R"(
#ifdef LOOM_UNCHECKED
#define LOOM_CHECK(index, size, line)
#define LOOM_CHECK_DIVISION(a, b, least, line)
#else
#define LOOM_CHECK(index, size, line) if ((unsigned long long)(index) >= size) LOOM_STOP(3, line)
#define LOOM_CHECK_DIVISION(a, b, least, line) \
  if ((b) == 0) LOOM_STOP(1, line) \
  if (least != 0 && (b) == -1 && (a) == least) LOOM_STOP(2, line)
#endif
)";

class Translator {
 public:
  explicit Translator(const MapTree& tree) : tree_(tree) {}

  std::string translate() {
    text_ = kHelpers;
    for (std::size_t i = 0; i < tree_.variables.size(); ++i) {
      const Variable& one = tree_.variables[i];
      if (!one.is_table) continue;
      line("LOOM_TABLE {} v{}[{}] = {{", info(one.type).c, i, one.data.size());
      for (const std::int64_t value : one.data) text_ += number(one.type, value) + ",";
      text_ += "};\n";
    }
    for (std::size_t i = 0; i < tree_.functions.size(); ++i)
      if (tree_.functions[i].body >= 0) line("{};", header(i));
    for (std::size_t i = 0; i < tree_.functions.size(); ++i)
      if (tree_.functions[i].body >= 0) function(i);
    return std::move(text_);
  }

 private:
  const Node& node(int index) const { return tree_.nodes[static_cast<std::size_t>(index)]; }
  const Variable& variable(std::int64_t index) const { return tree_.variables[static_cast<std::size_t>(index)]; }

  template <typename... Values>
  void line(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    text_ += '\n';
  }
  /// A new variable with this value.
  std::string value(Type type, const std::string& expression) {
    const int index = temporaries_++;
    line("const {} e{} = {};", info(type).c, index, expression);
    return fmt::format("e{}", index);
  }
  static std::string number(Type type, std::int64_t value) {
    // The least number has no literal.
    if (type == Type::kLong) return fmt::format("(long long){}ull", static_cast<std::uint64_t>(value));
    if (type == Type::kULong) return fmt::format("{}ull", static_cast<std::uint64_t>(value));
    if (type == Type::kUInt) return fmt::format("{}u", static_cast<std::uint32_t>(value));
    return fmt::format("({})({}ll)", info(type).c, value);
  }
  static const char* unsigned_name(Type type) { return is_wide(type) ? "unsigned long long" : "unsigned"; }

  std::string header(std::size_t index) const {
    const Function& one = tree_.functions[index];
    std::string text = fmt::format("LOOM_FUNCTION {} {}(LOOM_STATE t", info(one.type).c, function_name(static_cast<int>(index)));
    for (const int parameter : one.parameters)
      if (variable(parameter).type != Type::kFractal)
        text += fmt::format(", {} v{}", info(variable(parameter).type).c, parameter);
    return text + ")";
  }

  void function(std::size_t index) {
    const Function& one = tree_.functions[index];
    type_ = one.type;
    temporaries_ = 0;
    line("{} {{", header(index));
    is_recursive_ = one.is_recursive;
    for (const int local : tree_.locals[index]) {
      const Variable& of = variable(local);
      if (of.is_table || of.type == Type::kFractal ||
          std::find(one.parameters.begin(), one.parameters.end(), local) != one.parameters.end())
        continue;
      const char* const zero = info(of.type).members > 0 || of.is_array() ? "{0}" : "0";
      if (of.is_array()) line("{} v{}[{}] = {};", info(of.type).c, local, of.elements(), zero);
      else line("{} v{} = {};", info(of.type).c, local, zero);
    }
    if (is_recursive_) line("LOOM_ENTER({})", one.line);
    spend(one.body, one.line);
    statements(node(one.body).a);
    leave();
    if (one.type != Type::kVoid) line("{{ {} zero = {}; return zero; }}", info(one.type).c, info(one.type).members > 0 ? "{0}" : "0");
    line("}}");
  }
  void leave() {
    if (is_recursive_) line("LOOM_LEAVE");
  }
  /// Nodes that run at most once per pass.
  int cost(int index) const {
    if (index < 0) return 0;
    const Node& one = node(index);
    int sum = 1;
    for (const int child : {one.a, one.b, one.c})
      for (int i = child; i >= 0; i = node(i).next)
        if (node(i).kind != NodeKind::kLoop) sum += cost(i);
    return sum;
  }
  void spend(int body, int at) { line("LOOM_SPEND({}, {})", cost(body), at); }

  struct Place {
    std::string name;
    std::string index;
  };
  std::string place(const Node& one) {
    const Variable& of = variable(one.value);
    std::string name = fmt::format("v{}", one.value);
    std::string index;
    std::size_t dimension = 0;
    for (int i = one.a; i >= 0; i = node(i).next, ++dimension) {
      const int size = of.dimensions[dimension];
      const std::string next = expression(i);
      if (node(i).kind != NodeKind::kNumber) line("LOOM_CHECK({}, {}, {})", next, size, node(i).line);
      const std::string narrow = value(Type::kInt, fmt::format("(int){}", next));
      index = index.empty() ? narrow : value(Type::kInt, fmt::format("{} * {} + {}", index, size, narrow));
    }
    if (!index.empty()) name += "[" + index + "]";
    if (of.is_table && index.empty()) name += "[0]";
    if (one.member >= 0) name += member(of.type, one.member);
    return name;
  }
  static std::string member(Type type, int index) {
    static constexpr const char* kNames[2][4] = {{".x", ".y", "", ""}, {".grid_x", ".grid_y", ".block_x", ".block_y"}};
    return kNames[type == Type::kLaunch][index];
  }

  std::string binary(const Node& one, Operator op, Type type, const std::string& a, const std::string& b) {
    static constexpr const char* kSigns[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "^", "|", "<", ">", "<=", ">=", "==", "!="};
    const char* const sign = kSigns[static_cast<std::size_t>(op)];
    const Type result = is_comparison(op) ? Type::kInt : type;
    if (is_division(op)) {
      const bool is_signed = info(type).is_signed;
      line("LOOM_CHECK_DIVISION({}, {}, {}, {})", a, b,
           is_signed ? number(type, converted(type, std::int64_t{1} << (info(type).bits - 1))) : "0", one.line);
      return value(result, fmt::format("{} {} {}", a, sign, b));
    }
    if (op == Operator::kShl || op == Operator::kShr)
      return value(result, op == Operator::kShl ? fmt::format("({})(({}){} << ({} & {}))", info(type).c, unsigned_name(type), a, b, info(type).bits - 1)
                                                : fmt::format("{} >> ({} & {})", a, b, info(type).bits - 1));
    if (op == Operator::kAdd || op == Operator::kSub || op == Operator::kMul)
      return value(result, fmt::format("({0})(({1}){2} {3} ({1}){4})", info(type).c, unsigned_name(type), a, sign, b));
    return value(result, fmt::format("{} {} {}", a, sign, b));
  }
  std::string convert(Type to, const std::string& a) {
    if (to == Type::kBool) return value(to, fmt::format("{} != 0", a));
    return value(to, fmt::format("({}){}", info(to).c, a));
  }

  /// The name of a constant that has the value.
  std::string expression(int index) {
    const Node& one = node(index);
    switch (one.kind) {
      case NodeKind::kNumber:
        return number(one.type, one.value);
      case NodeKind::kUniform: {
        if (one.type == Type::kFractal) return {};
        const auto& names = kUniforms[static_cast<std::size_t>(one.value)];
        return one.value < kFractalUniforms ? fmt::format("loom_{}_{}", names[0], names[1])
                                            : fmt::format("loom_{}", names[1]);
      }
      case NodeKind::kPlace:
        return value(one.type, place(one));
      case NodeKind::kMember:
        return value(one.type, expression(one.a) + member(node(one.a).type, one.member));
      case NodeKind::kBinary: {
        const std::string a = expression(one.a);
        return binary(one, one.op, one.working, a, expression(one.b));
      }
      case NodeKind::kAssign: {
        const std::string target = place(node(one.a));
        std::string result = expression(one.b);
        if (one.op != Operator::kNone) {
          std::string a = value(one.type, target);
          if (one.working != one.type) a = convert(one.working, a);
          result = binary(one, one.op, one.working, a, result);
          if (one.working != one.type) result = convert(one.type, result);
        }
        line("{} = {};", target, result);
        return result;
      }
      case NodeKind::kStep: {
        const std::string target = place(node(one.a));
        const std::string old = value(one.type, target);
        const Type working = info(one.type).bits < 32 ? Type::kInt : one.type;
        const std::string next = convert(one.type, binary(one, Operator::kAdd, working, old, number(working, one.value)));
        line("{} = {};", target, next);
        return one.is_post ? old : next;
      }
      case NodeKind::kSelect:
      case NodeKind::kAnd:
      case NodeKind::kOr: {
        const int result = temporaries_++;
        const bool has_value = one.type != Type::kVoid;
        const bool is_select = one.kind == NodeKind::kSelect;
        const bool is_or = one.kind == NodeKind::kOr;
        if (has_value) line("{} e{};", info(one.type).c, result);
        const std::string a = expression(one.a);
        const auto branch = [&](int child) {
          const std::string of = expression(child);
          if (has_value) line("e{} = {}{};", result, of, is_select ? "" : " != 0");
        };
        line("if ({} != 0) {{", a);
        if (is_or) line("e{} = 1;", result);
        else branch(one.b);
        line("}} else {{");
        if (is_select) branch(one.c);
        else if (is_or) branch(one.b);
        else line("e{} = 0;", result);
        line("}}");
        return fmt::format("e{}", result);
      }
      case NodeKind::kCall:
      case NodeKind::kBuiltin: {
        std::string arguments = one.kind == NodeKind::kCall ? "t" : "";
        for (int i = one.a; i >= 0; i = node(i).next) {
          const std::string argument = expression(i);
          if (node(i).type != Type::kFractal) arguments += (arguments.empty() ? "" : ", ") + argument;
        }
        const std::string call =
            one.kind == NodeKind::kCall
                ? fmt::format("{}({})", function_name(static_cast<int>(one.value)), arguments)
                : fmt::format("loom_{}({})", kBuiltins[static_cast<std::size_t>(one.value)].name, arguments);
        if (one.type != Type::kVoid) return value(one.type, call);
        line("{};", call);
        return {};
      }
      case NodeKind::kConvert:
        return convert(one.type, expression(one.a));
      case NodeKind::kComma:
        expression(one.a);
        return expression(one.b);
      default:
        return {};
    }
  }

  void statements(int first) {
    for (int i = first; i >= 0; i = node(i).next) statement(i);
  }
  /// Its temporaries end with it.
  void scope(const auto& work) {
    line("{{");
    work();
    line("}}");
  }

  void statement(int index) {
    const Node& one = node(index);
    switch (one.kind) {
      case NodeKind::kExpression:
        scope([&] { expression(one.a); });
        break;
      case NodeKind::kDeclare:
        scope([&] {
          const Variable& of = variable(one.value);
          if (of.is_array())
            line("for (int i = 0; i < {}; ++i) {{ {} zero = {}; v{}[i] = zero; }}", of.elements(), info(of.type).c,
                 info(of.type).members > 0 ? "{0}" : "0", one.value);
          else
            line("{{ {} zero = {}; v{} = zero; }}", info(of.type).c, info(of.type).members > 0 ? "{0}" : "0", one.value);
          for (int i = one.a; i >= 0; i = node(i).next) expression(i);
        });
        break;
      case NodeKind::kIf:
        scope([&] {
          line("if ({} != 0) {{", expression(one.a));
          statement(one.b);
          line("}} else {{");
          if (one.c >= 0) statement(one.c);
          line("}}");
        });
        break;
      case NodeKind::kLoop: {
        const int number_of = loops_++;
        const int before = std::exchange(loop_, number_of);
        const auto check = [&] {
          if (one.a < 0) return;
          scope([&] { line("if ({} == 0) break;", expression(one.a)); });
        };
        line("for (;;) {{");
        spend(index, one.line);
        if (!one.is_post) check();
        scope([&] { statement(one.b); });
        line("next{}:;", number_of);
        if (one.c >= 0) statement(one.c);
        if (one.is_post) check();
        line("}}");
        loop_ = before;
        break;
      }
      case NodeKind::kSwitch:
        scope([&] {
          line("switch ({}) {{", expression(one.a));
          for (int i = one.b; i >= 0; i = node(i).next) {
            if (node(i).kind != NodeKind::kCase) statement(i);
            else if (node(i).is_post) line("default:;");
            else line("case {}:;", number(node(one.a).type, node(i).value));
          }
          line("}}");
        });
        break;
      case NodeKind::kBreak:
        line("break;");
        break;
      case NodeKind::kContinue:
        line("goto next{};", loop_);
        break;
      case NodeKind::kReturn:
        scope([&] {
          const std::string result = one.a >= 0 ? expression(one.a) : std::string();
          leave();
          line("return {};", result);
        });
        break;
      case NodeKind::kBlock:
        scope([&] { statements(one.a); });
        break;
      default:
        break;
    }
  }

  const MapTree& tree_;
  std::string text_;
  Type type_ = Type::kVoid;
  bool is_recursive_ = false;
  int temporaries_ = 0;
  int loops_ = 0;
  int loop_ = 0;
};

}  // namespace

std::string translated(const MapTree& tree) {
  return Translator(tree).translate();
}

std::string function_name(int function) {
  return fmt::format("f{}", function);
}

}  // namespace loom
