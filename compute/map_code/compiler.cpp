// The interpreter's instructions of a checked tree.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "compute/map_code/machine.h"

namespace loom {
namespace {

constexpr int kMaxEager = 8;  ///< nodes that are computed without a branch

struct Label {
  int at = -1;
  std::vector<std::size_t> uses;
};

/// Where a value of a variable is: a register, or one of an array by an index.
struct Place {
  int reg = 0;
  int index = -1;
  int stride = 1;
  int table = -1;
};

int units_of(Type type) {
  const TypeInfo& one = info(type);
  if (one.members > 0) return one.members * units_of(one.of_member);
  return type == Type::kVoid || type == Type::kFractal ? 0 : is_wide(type) ? 2 : 1;
}

class Compiler {
 public:
  explicit Compiler(const MapTree& tree, std::vector<CodeProblem>& problems) : tree_(tree), problems_(problems) {}

  MapCode compile() {
    code_.functions.resize(tree_.functions.size());
    for (std::size_t i = 0; i < tree_.functions.size(); ++i) {
      if (tree_.functions[i].body >= 0) function(i);
    }
    return std::move(code_);
  }

 private:
  const Node& node(int index) const { return tree_.nodes[static_cast<std::size_t>(index)]; }
  const Variable& variable(std::int64_t index) const { return tree_.variables[static_cast<std::size_t>(index)]; }

  // Registers, as a stack.

  int allocate(int units) {
    const int first = top_;
    top_ += units;
    most_ = std::max(most_, top_);
    return first;
  }

  // Instructions.

  int here() const { return static_cast<int>(code_.instructions.size()); }
  void emit(Op op, int d, int a = 0, int b = 0, int imm = 0) {
    // What only the current statement reads need not keep the values of other lanes.
    const bool keeps = d < first_temporary_ || keeps_;
    code_.instructions.push_back({op, keeps, static_cast<std::uint16_t>(d), static_cast<std::uint16_t>(a),
                                  static_cast<std::uint16_t>(b), imm});
    InstructionPlace place;
    place.line = line_;
    place.column = column_;
    place.begins = std::exchange(begins_, false);
    code_.places.push_back(place);
    code_.max_line = std::max(code_.max_line, line_);
  }
  void emit_to(Op op, Label& label, int d = 0, int a = 0, int b = 0) {
    label.uses.push_back(code_.instructions.size());
    emit(op, d, a, b);
  }
  void place(Label& label) {
    label.at = here();
    for (const std::size_t use : label.uses) code_.instructions[use].imm = label.at;
  }
  void mark(const Node& one) {
    begins_ = true;
    at(one);
  }
  void at(const Node& one) {
    line_ = one.line;
    column_ = one.column;
  }

  int constant(std::int64_t value, bool wide) {
    const auto [found, is_new] = constants_.try_emplace({value, wide}, 0);
    if (is_new) {
      found->second = static_cast<int>(kUniforms.size() + code_.shared.size()) | kSharedOperand;
      for (int i = 0; i < (wide ? 2 : 1); ++i) {
        code_.shared.push_back(value);
        code_.shared_wide.push_back(wide && i == 0);
      }
    }
    return found->second;
  }

  // Expressions. The value is in the register that is returned: in `want` if it is given.

  int result(int want, Type type) { return want >= 0 ? want : allocate(units_of(type)); }
  int moved(int reg, int want, Type type) {
    if (want < 0 || want == reg) return reg;
    const int units = units_of(type);
    if (is_number(type)) emit(is_wide(type) ? Op::kMove64 : Op::kMove32, want, reg);
    else
      for (int i = 0; i < units; ++i) emit(Op::kMove32, want + i, reg + i);
    return want;
  }

  bool mentions(int index, std::int64_t of) const {
    if (index < 0) return false;
    const Node& one = node(index);
    if (one.kind == NodeKind::kPlace && one.value == of) return true;
    for (const int child : {one.a, one.b, one.c})
      for (int i = child; i >= 0; i = node(i).next)
        if (mentions(i, of)) return true;
    return false;
  }
  /// Nodes of an expression that can be computed for all lanes: it cannot fail and changes nothing.
  int eager_cost(int index) const {
    const Node& one = node(index);
    if (one.has_effects || one.kind == NodeKind::kCall || is_division(one.op) ||
        (one.kind == NodeKind::kPlace && one.a >= 0) ||
        (one.kind == NodeKind::kBuiltin && static_cast<Builtin>(one.value) == Builtin::kPower))
      return kMaxEager + 1;
    int cost = 1;
    for (const int child : {one.a, one.b, one.c})
      for (int i = child; i >= 0 && cost <= kMaxEager; i = node(i).next) cost += eager_cost(i);
    return cost;
  }
  bool is_eager(int index) const { return eager_cost(index) <= kMaxEager; }

  Op binary_op(Operator op, Type type) const {
    const bool wide = is_wide(type);
    const bool is_signed = info(type).is_signed || info(type).bits < 32;
    const auto four = [&](Op first) {
      return static_cast<Op>(static_cast<int>(first) + (wide ? 2 : 0) + (is_signed ? 0 : 1));
    };
    const auto two = [&](Op first) { return static_cast<Op>(static_cast<int>(first) + (wide ? 1 : 0)); };
    switch (op) {
      case Operator::kAdd:
        return two(Op::kAdd32);
      case Operator::kSub:
        return two(Op::kSub32);
      case Operator::kMul:
        return two(Op::kMul32);
      case Operator::kDiv:
        return four(Op::kDivS32);
      case Operator::kRem:
        return four(Op::kRemS32);
      case Operator::kShl:
        return two(Op::kShl32);
      case Operator::kShr:
        return four(Op::kShrS32);
      case Operator::kAnd:
        return two(Op::kAnd32);
      case Operator::kXor:
        return two(Op::kXor32);
      case Operator::kOr:
        return two(Op::kOr32);
      case Operator::kLess:
      case Operator::kGreater:
        return four(Op::kLessS32);
      case Operator::kLessEqual:
      case Operator::kGreaterEqual:
        return four(Op::kLessEqualS32);
      case Operator::kEqual:
        return two(Op::kEqual32);
      default:
        return two(Op::kNotEqual32);
    }
  }
  void emit_binary(Operator op, Type type, int d, int a, int b) {
    if (op == Operator::kGreater || op == Operator::kGreaterEqual) std::swap(a, b);
    emit(binary_op(op, type), d, a, b);
  }

  int convert(int reg, Type from, Type to, int want) {
    const bool was_wide = is_wide(from);
    if (is_wide(to)) {
      if (was_wide) return moved(reg, want, to);
      const int d = result(want, to);
      emit(info(from).is_signed ? Op::kExtend : Op::kExtendU, d, reg);
      return d;
    }
    if (to == Type::kBool) {
      const int d = result(want, to);
      emit(was_wide ? Op::kToBool64 : Op::kToBool32, d, reg);
      return d;
    }
    int narrow = reg;
    const bool ends = info(to).bits == 32;
    if (was_wide) {
      narrow = ends ? result(want, to) : allocate(1);
      emit(Op::kNarrow, narrow, reg);
    }
    if (ends || (info(from).bits < info(to).bits && (info(from).is_signed == info(to).is_signed || info(to).is_signed)))
      return was_wide ? narrow : moved(reg, want, to);
    const int d = result(want, to);
    emit(to == Type::kChar     ? Op::kToChar
         : to == Type::kUChar  ? Op::kToUChar
         : to == Type::kShort  ? Op::kToShort
                               : Op::kToUShort,
         d, narrow);
    return d;
  }

  /// The condition as a register of 32 bits that is 0 for false.
  int condition(int index) {
    const int reg = expression(index);
    return is_wide(node(index).type) ? convert(reg, node(index).type, Type::kBool, -1) : reg;
  }

  /// `stays`: the index keeps its value while other expressions run.
  Place place_of(const Node& one, bool stays = false) {
    const Variable& of = variable(one.value);
    Place where;
    if (of.is_table) where.table = table_of(static_cast<int>(one.value));
    else where.reg = registers_.at(static_cast<int>(one.value));
    where.stride = units_of(of.type);
    if (one.member >= 0) where.reg += one.member * units_of(info(of.type).of_member);
    std::int64_t fixed = 0;
    int dimension = 0;
    for (int i = one.a; i >= 0; i = node(i).next, ++dimension) {
      const int size = of.dimensions[static_cast<std::size_t>(dimension)];
      if (fixed >= 0 && node(i).kind == NodeKind::kNumber) {
        fixed = fixed * size + node(i).value;
        continue;
      }
      int index = expression(i);
      at(node(i));
      bool moves = stays;
      for (int later = node(i).next; later >= 0; later = node(later).next) moves |= node(later).has_effects;
      if (moves) index = moved(index, allocate(2), node(i).type);
      emit(is_wide(node(i).type) ? Op::kCheck64 : Op::kCheck32, 0, index, 0, size);
      if (is_wide(node(i).type)) index = convert(index, node(i).type, Type::kInt, -1);
      const int before = where.index >= 0 ? where.index : fixed > 0 ? constant(fixed, false) : -1;
      fixed = -1;
      if (before >= 0) {
        const int sum = allocate(1);
        emit(Op::kMul32, sum, before, constant(size, false));
        emit(Op::kAdd32, sum, sum, index);
        index = sum;
      }
      where.index = index;
    }
    if (one.a >= 0 && where.index < 0) {
      if (where.table >= 0) where.index = constant(fixed, false);
      else where.reg += static_cast<int>(fixed) * where.stride;
    }
    return where;
  }
  int load(const Place& where, Type type, int want) {
    if (where.table >= 0) {
      const int d = result(want, type);
      emit(is_wide(type) ? Op::kTable64 : Op::kTable32, d, 0, where.index < 0 ? constant(0, false) : where.index,
           where.table);
      return d;
    }
    if (where.index < 0) return moved(where.reg, want, type);
    const int d = result(want, type);
    if (is_number(type)) emit(is_wide(type) ? Op::kLoad64 : Op::kLoad32, d, where.reg, where.index, where.stride);
    else
      for (int i = 0; i < units_of(type); ++i) emit(Op::kLoad32, d + i, where.reg + i, where.index, where.stride);
    return d;
  }
  void store(const Place& where, Type type, int reg) {
    if (where.index < 0) {
      moved(reg, where.reg, type);
    } else if (is_number(type)) {
      emit(is_wide(type) ? Op::kStore64 : Op::kStore32, where.reg, reg, where.index, where.stride);
    } else {
      for (int i = 0; i < units_of(type); ++i)
        emit(Op::kStore32, where.reg + i, reg + i, where.index, where.stride);
    }
  }
  int table_of(int index) {
    const auto [found, is_new] = tables_.try_emplace(index, static_cast<int>(code_.tables.size()));
    if (is_new) {
      CodeTable& table = code_.tables.emplace_back();
      const bool wide = is_wide(variable(index).type);
      for (const std::int64_t value : variable(index).data)
        wide ? table.wide.push_back(value) : table.narrow.push_back(static_cast<std::int32_t>(value));
    }
    return found->second;
  }

  int expression(int index, int want = -1) {
    const Node& one = node(index);
    at(one);
    switch (one.kind) {
      case NodeKind::kNumber:
        return moved(constant(one.value, is_wide(one.type)), want, one.type);
      case NodeKind::kUniform:
        if (one.type == Type::kFractal) return 0;
        return moved(static_cast<int>(one.value) | kSharedOperand, want, one.type);
      case NodeKind::kPlace:
        return load(place_of(one), one.type, want);
      case NodeKind::kMember: {
        const int reg = expression(one.a);
        return moved(reg + one.member * units_of(one.type), want, one.type);
      }
      case NodeKind::kBinary: {
        int a = expression(one.a);
        if (node(one.b).has_effects) a = moved(a, allocate(units_of(one.working)), one.working);
        const int b = expression(one.b);
        at(one);
        const int d = result(want, one.type);
        emit_binary(one.op, one.working, d, a, b);
        return d;
      }
      case NodeKind::kAssign:
        return assign(one, want);
      case NodeKind::kStep: {
        const Place where = place_of(node(one.a));
        const int old = load(where, one.type, one.is_post ? (want >= 0 ? want : allocate(units_of(one.type))) : -1);
        at(one);
        const bool narrow = info(one.type).bits < 32;
        const int d = where.index < 0 && !narrow ? where.reg : allocate(units_of(one.type));
        const bool wide = is_wide(one.type);
        emit(wide ? Op::kAdd64 : Op::kAdd32, d, old, constant(one.value, wide));
        const int value = narrow ? convert(d, Type::kInt, one.type, -1) : d;
        store(where, one.type, value);
        return one.is_post ? old : moved(value, want, one.type);
      }
      case NodeKind::kSelect:
        return select(one, want);
      case NodeKind::kAnd:
      case NodeKind::kOr:
        return logical(one, want);
      case NodeKind::kCall:
        return moved(call(one), want, one.type);
      case NodeKind::kBuiltin:
        return builtin(one, want);
      case NodeKind::kConvert:
        return convert(expression(one.a), node(one.a).type, one.type, want);
      case NodeKind::kComma:
        expression(one.a);
        return expression(one.b, want);
      default:
        return 0;
    }
  }

  int assign(const Node& one, int want) {
    const Node& target = node(one.a);
    const Place where = place_of(target, node(one.b).has_effects);
    const bool is_register = where.index < 0 && where.table < 0;
    if (one.op == Operator::kNone) {
      const NodeKind kind = node(one.b).kind;
      // These write their result last and at once.
      const bool is_safe = is_number(one.type) && (kind == NodeKind::kBinary || kind == NodeKind::kConvert ||
                                                   kind == NodeKind::kPlace || kind == NodeKind::kNumber);
      const bool direct = is_register && (is_safe || !mentions(one.b, target.value));
      const int value = expression(one.b, direct ? where.reg : -1);
      at(one);
      store(where, one.type, value);
      return want >= 0 ? moved(value, want, one.type) : value;
    }
    const int b = expression(one.b);
    int a = load(where, one.type, -1);
    at(one);
    if (one.working != one.type) a = convert(a, one.type, one.working, -1);
    const bool direct = is_register && one.working == one.type;
    const int d = direct ? where.reg : allocate(units_of(one.working));
    emit_binary(one.op, one.working, d, a, b);
    const int value = one.working == one.type ? d : convert(d, one.working, one.type, -1);
    store(where, one.type, value);
    return want >= 0 ? moved(value, want, one.type) : value;
  }

  int select(const Node& one, int want) {
    const int c = condition(one.a);
    const bool is_void = units_of(one.type) == 0;
    if (!is_void && is_eager(one.b) && is_eager(one.c)) {
      const int a = expression(one.b);
      const int b = expression(one.c);
      at(one);
      const int d = result(want, one.type);
      if (is_number(one.type)) emit(is_wide(one.type) ? Op::kSelect64 : Op::kSelect32, d, a, b, c);
      else
        for (int i = 0; i < units_of(one.type); ++i) emit(Op::kSelect32, d + i, a + i, b + i, c);
      return d;
    }
    const int d = is_void ? -1 : result(want, one.type);
    at(one);
    Label other;
    Label end;
    const bool before = std::exchange(keeps_, true);
    emit_to(Op::kIf, other, 0, c);
    expression(one.b, d);
    place(other);
    emit_to(Op::kElse, end);
    expression(one.c, d);
    place(end);
    emit(Op::kEndIf, 0, 0, 0, here() + 1);
    keeps_ = before;
    return d;
  }

  int logical(const Node& one, int want) {
    const bool is_and = one.kind == NodeKind::kAnd;
    int a = condition(one.a);
    if (is_eager(one.b)) {
      const int b = condition(one.b);
      at(one);
      const int d = result(want, Type::kInt);
      emit(is_and ? Op::kBothTrue : Op::kAnyTrue, d, a, b);
      return d;
    }
    // The value is that of a unless the lane goes on to b.
    const int d = allocate(1);
    const bool before = std::exchange(keeps_, true);
    at(one);
    emit(Op::kToBool32, d, a);
    int enters = d;
    if (!is_and) {
      enters = allocate(1);
      emit(Op::kEqual32, enters, d, constant(0, false));
    }
    Label end;
    emit_to(Op::kIf, end, 0, enters);
    const int b = condition(one.b);
    emit(Op::kToBool32, d, b);
    place(end);
    emit(Op::kEndIf, 0, 0, 0, here() + 1);
    keeps_ = before;
    return moved(d, want, Type::kInt);
  }

  int call(const Node& one) {
    const Function& callee = tree_.functions[static_cast<std::size_t>(one.value)];
    const int base = allocate(units_of(callee.type));
    std::vector<int> parameters;
    for (const int parameter : callee.parameters) parameters.push_back(allocate(units_of(variable(parameter).type)));
    std::size_t i = 0;
    for (int argument = one.a; argument >= 0; argument = node(argument).next, ++i)
      expression(argument, units_of(node(argument).type) > 0 ? parameters[i] : -1);
    at(one);
    emit(Op::kCall, base, 0, 0, static_cast<int>(one.value));
    return base;
  }

  int builtin(const Node& one, int want) {
    const auto which = static_cast<Builtin>(one.value);
    std::vector<int> arguments;
    if (which == Builtin::kCell || which == Builtin::kGrid1d || which == Builtin::kGrid2d || which == Builtin::kNone) {
      const int size = units_of(info(one.type).of_member);
      const int d = result(want, one.type);
      std::vector<int> members = {0, 1, 2, 3};
      if (which == Builtin::kGrid1d) members = {0, 2};
      int i = 0;
      for (int argument = one.a; argument >= 0; argument = node(argument).next, ++i)
        expression(argument, d + members[static_cast<std::size_t>(i)] * size);
      at(one);
      if (which == Builtin::kNone) {
        moved(constant(MapPoint::kNone, false), d, Type::kInt);
        moved(constant(0, false), d + 1, Type::kInt);
      }
      if (which == Builtin::kGrid1d)
        for (const int member : {1, 3}) moved(constant(1, true), d + member * size, Type::kLong);
      return d;
    }
    for (int argument = one.a; argument >= 0; argument = node(argument).next) {
      int reg = expression(argument);
      if (node(argument).next >= 0 && node(node(argument).next).has_effects) reg = moved(reg, allocate(1), Type::kInt);
      arguments.push_back(reg);
    }
    arguments.resize(2);
    at(one);
    const int d = result(want, one.type);
    static constexpr std::array<Op, 11> kOps = {Op::kMove32,    Op::kMove32,    Op::kIsCell, Op::kOffsetX,
                                                Op::kOffsetY,   Op::kReplicaAt, Op::kMove32, Op::kMove32,
                                                Op::kPower,     Op::kMin,       Op::kMax};
    emit(kOps[static_cast<std::size_t>(which)], d, arguments[0], arguments[1]);
    return d;
  }

  // Statements.

  /// Evaluates within a statement: its temporaries end with it.
  template <typename Work>
  void within(const Work& work) {
    const int before = top_;
    const int temporary = std::exchange(first_temporary_, top_);
    work();
    first_temporary_ = temporary;
    top_ = before;
  }

  void statements(int first) {
    const int before = top_;
    const std::size_t begin = open_.size();
    for (int i = first; i >= 0; i = node(i).next) statement(node(i));
    close(begin);
    top_ = before;
  }
  void close(std::size_t begin) {
    for (std::size_t i = begin; i < open_.size(); ++i)
      code_.functions[function_].variables[open_[i]].end = here();
    open_.resize(begin);
  }
  void declare(int index, int unit) {
    registers_[index] = unit;
    open_.push_back(code_.functions[function_].variables.size());
    code_.functions[function_].variables.push_back({index, unit, here(), 0});
  }

  void statement(const Node& one) {
    switch (one.kind) {
      case NodeKind::kExpression:
        mark(one);
        within([&] { expression(one.a); });
        break;
      case NodeKind::kDeclare: {
        const Variable& of = variable(one.value);
        const std::int64_t units = std::int64_t{of.elements()} * units_of(of.type);
        if (units > static_cast<std::int64_t>(kMapUnits)) {
          problems_.push_back({one.line, one.column, one.length,
                               fmt::format("'{}' needs {} bytes in each thread; allowed: {} bytes for all variables of a "
                                           "thread",
                                           of.name, 4 * units, kMaxMapMemory)});
          return;
        }
        mark(one);
        const int unit = allocate(static_cast<int>(units));
        declare(static_cast<int>(one.value), unit);
        within([&] {
          if (!one.is_post) emit(Op::kZero, unit, 0, 0, static_cast<int>(units));
          for (int i = one.a; i >= 0; i = node(i).next) expression(i);
        });
        code_.functions[function_].variables[open_.back()].begin = here();
        break;
      }
      case NodeKind::kIf: {
        Label other;
        Label end;
        mark(one);
        within([&] {
          const int c = condition(one.a);
          at(one);
          emit_to(Op::kIf, other, 0, c);
        });
        ++depth_;
        Label* const before = std::exchange(join_, &other);
        statement(node(one.b));
        place(other);
        if (one.c >= 0) {
          at(one);
          join_ = &end;
          emit_to(Op::kElse, end);
          statement(node(one.c));
        }
        place(end);
        join_ = before;
        --depth_;
        at(one);
        emit_to(Op::kEndIf, *join_);
        break;
      }
      case NodeKind::kLoop:
        loop(one);
        break;
      case NodeKind::kSwitch:
        switch_statement(one);
        break;
      case NodeKind::kBreak:
        mark(one);
        emit_to(Op::kBreak, *join_, 0, depth_ - break_depth_);
        break;
      case NodeKind::kContinue:
        mark(one);
        emit_to(Op::kContinue, *join_, 0, depth_ - loop_depth_);
        break;
      case NodeKind::kReturn:
        mark(one);
        within([&] {
          if (one.a >= 0) expression(one.a, units_of(node(one.a).type) > 0 ? 0 : -1);
        });
        at(one);
        emit_to(Op::kLeave, *join_);
        break;
      case NodeKind::kBlock:
        statements(one.a);
        break;
      default:
        break;
    }
  }

  void loop(const Node& one) {
    Label again;
    Label next;
    Label end;
    at(one);
    emit(Op::kLoop, 0);
    ++depth_;
    const int loop_before = std::exchange(loop_depth_, depth_);
    const int break_before = std::exchange(break_depth_, depth_);
    Label* const before = std::exchange(join_, &next);
    place(again);
    const auto check = [&] {
      if (one.a < 0) return;
      mark(one.is_post ? node(one.a) : one);
      within([&] {
        const int c = condition(one.a);
        at(one);
        emit_to(Op::kWhile, end, 0, c);
      });
    };
    if (!one.is_post) check();
    statement(node(one.b));
    place(next);
    at(one);
    emit_to(Op::kNext, end);
    if (one.c >= 0) {
      within([&] { expression(node(one.c).a); });
    }
    if (one.is_post) check();
    at(one);
    emit_to(Op::kJump, again);
    code_.instructions.back().imm = again.at;
    place(end);
    --depth_;
    join_ = before;
    loop_depth_ = loop_before;
    break_depth_ = break_before;
    emit_to(Op::kEndLoop, *join_);
  }

  void switch_statement(const Node& one) {
    const int index = static_cast<int>(code_.switches.size());
    code_.switches.emplace_back().is_wide = is_wide(node(one.a).type);
    const int scope = top_;
    const std::size_t begin = open_.size();
    const int labels = allocate(1);
    mark(one);
    within([&] {
      const int value = expression(one.a);
      at(one);
      emit(Op::kSwitch, labels, value, 0, index);
    });
    ++depth_;
    const int break_before = std::exchange(break_depth_, depth_);
    Label* const before = join_;
    // With no lane, execution goes on at the next label, or at the end.
    std::vector<Label> next(static_cast<std::size_t>(one.value) + 1);
    join_ = &next[0];
    int label = 0;
    for (int i = one.b; i >= 0; i = node(i).next) {
      if (node(i).kind != NodeKind::kCase) {
        statement(node(i));
        continue;
      }
      place(next[static_cast<std::size_t>(label)]);
      CodeSwitch& table = code_.switches[static_cast<std::size_t>(index)];
      if (node(i).is_post) table.other = label;
      else table.cases.emplace_back(node(i).value, label);
      table.labels.push_back(here());
      at(node(i));
      emit(Op::kCase, labels, 0, index, label);
      join_ = &next[static_cast<std::size_t>(++label)];
    }
    place(next.back());
    CodeSwitch& table = code_.switches[static_cast<std::size_t>(index)];
    std::ranges::sort(table.cases);
    table.end = here();
    --depth_;
    join_ = before;
    break_depth_ = break_before;
    at(one);
    emit_to(Op::kEndIf, *join_);
    close(begin);
    top_ = scope;
  }

  bool always_returns(int index) const {
    bool returns = false;
    for (int i = index; i >= 0; i = node(i).next) {
      const Node& one = node(i);
      returns = returns || one.kind == NodeKind::kReturn ||
                (one.kind == NodeKind::kBlock && always_returns(one.a)) ||
                (one.kind == NodeKind::kIf && one.c >= 0 && always_returns(one.b) && always_returns(one.c));
    }
    return returns;
  }

  void function(std::size_t index) {
    const Function& one = tree_.functions[index];
    function_ = index;
    CodeFunction& code = code_.functions[index];
    code.entry = here();
    top_ = most_ = 0;
    registers_.clear();
    depth_ = 0;
    Label end;
    join_ = &end;
    line_ = one.line;
    column_ = one.column;
    allocate(units_of(one.type));
    for (const int parameter : one.parameters) {
      const int unit = allocate(units_of(variable(parameter).type));
      if (variable(parameter).type != Type::kFractal) declare(parameter, unit);
    }
    first_temporary_ = top_;
    if (units_of(one.type) > 0 && !always_returns(node(one.body).a)) emit(Op::kZero, 0, 0, 0, units_of(one.type));
    first_temporary_ = 1 << 20;
    statements(node(one.body).a);
    place(end);
    close(0);
    emit(Op::kReturn, 0);
    code.units = most_ + 2;
    if (code.units > static_cast<int>(kMapUnits))
      problems_.push_back({one.line, one.column, static_cast<int>(one.name.size()),
                           fmt::format("'{}' needs {} bytes in each thread; allowed: {}", one.name, 4 * code.units,
                                       kMaxMapMemory)});
  }

  const MapTree& tree_;
  std::vector<CodeProblem>& problems_;
  MapCode code_;
  std::map<std::pair<std::int64_t, bool>, int> constants_;
  std::map<int, int> registers_;
  std::map<int, int> tables_;
  std::size_t function_ = 0;
  std::vector<std::size_t> open_;  ///< variables in scope
  int top_ = 0;
  int most_ = 0;
  int first_temporary_ = 0;
  bool keeps_ = false;
  bool begins_ = false;
  int line_ = 0;
  int column_ = 0;
  int depth_ = 0;        ///< of masks
  int loop_depth_ = 0;   ///< of the innermost loop
  int break_depth_ = 0;  ///< of the innermost loop or switch
  Label* join_ = nullptr;  ///< where lanes come together next
};

}  // namespace

MapCode compile_map(const MapTree& tree, std::vector<CodeProblem>& problems) {
  return Compiler(tree, problems).compile();
}

}  // namespace loom
