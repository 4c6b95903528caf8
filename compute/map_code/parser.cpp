#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include "compute/core/input_text.h"
#include "compute/map_code/machine.h"
#include "compute/map_code/program.h"
#include "compute/map_code/tree.h"

namespace loom {
namespace {

constexpr std::size_t kMaxProblems = 20;
constexpr int kMaxNesting = 128;

/// All words of the language, and those of C and C++ that it leaves out, with the reason.
struct Word {
  std::string_view text;
  TokenKind kind;
  std::string_view refused = {};
};
constexpr std::string_view kOwnTypes =
    "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell";
constexpr std::string_view kReal = "floating point is not allowed; allowed: integer arithmetic";
constexpr std::string_view kAllocates = "memory cannot be allocated; allowed: arrays of a fixed size";
constexpr std::string_view kPointer =
    "pointers are not allowed; allowed: numbers, Cell, and arrays of a fixed size";
constexpr Word kWords[] = {
    {"if", TokenKind::kKeyword},
    {"else", TokenKind::kKeyword},
    {"for", TokenKind::kKeyword},
    {"while", TokenKind::kKeyword},
    {"do", TokenKind::kKeyword},
    {"switch", TokenKind::kKeyword},
    {"case", TokenKind::kKeyword},
    {"default", TokenKind::kKeyword},
    {"break", TokenKind::kKeyword},
    {"return", TokenKind::kKeyword},
    {"continue", TokenKind::kKeyword},
    {"const", TokenKind::kKeyword},
    {"static", TokenKind::kKeyword},
    {"true", TokenKind::kKeyword},
    {"false", TokenKind::kKeyword},
    {"__host__", TokenKind::kKeyword},
    {"__device__", TokenKind::kKeyword},
    {"__constant__", TokenKind::kKeyword},
    {"int", TokenKind::kType},
    {"unsigned", TokenKind::kType},
    {"signed", TokenKind::kType},
    {"long", TokenKind::kType},
    {"short", TokenKind::kType},
    {"char", TokenKind::kType},
    {"bool", TokenKind::kType},
    {"void", TokenKind::kType},
    {"Cell", TokenKind::kType},
    {"Launch", TokenKind::kType},
    {"Fractal", TokenKind::kType},
    {"blockIdx", TokenKind::kBuiltin},
    {"blockDim", TokenKind::kBuiltin},
    {"gridDim", TokenKind::kBuiltin},
    {"threadIdx", TokenKind::kBuiltin},
    {"asm", TokenKind::kWord, "assembly is not allowed"},
    {"goto", TokenKind::kWord,
     "goto is not allowed; allowed: if, for, while, do, switch, break, continue"},
    {"struct", TokenKind::kWord, kOwnTypes},
    {"union", TokenKind::kWord, kOwnTypes},
    {"enum", TokenKind::kWord, kOwnTypes},
    {"typedef", TokenKind::kWord, kOwnTypes},
    {"class", TokenKind::kWord, kOwnTypes},
    {"template", TokenKind::kWord, "templates are not allowed; write a function"},
    {"extern", TokenKind::kWord,
     "extern is not allowed; a map uses only its own functions and those of the language"},
    {"register", TokenKind::kWord, "register is not allowed"},
    {"volatile", TokenKind::kWord, "volatile is not allowed"},
    {"auto", TokenKind::kWord, "auto is not allowed; name the type, for example int"},
    {"float", TokenKind::kWord, kReal},
    {"double", TokenKind::kWord, kReal},
    {"sizeof", TokenKind::kWord, "sizeof is not allowed"},
    {"inline", TokenKind::kWord, "inline is not needed here; leave it out"},
    {"typeof", TokenKind::kWord, "typeof is not allowed; name the type"},
    {"new", TokenKind::kWord, kAllocates},
    {"delete", TokenKind::kWord, kAllocates},
    {"using", TokenKind::kWord, "using is not allowed"},
    {"namespace", TokenKind::kWord, "namespaces are not allowed"},
    {"this", TokenKind::kWord, "this is not allowed"},
};

const Word* find_word(std::string_view text) {
  static const std::unordered_map<std::string_view, Word> words = [] {
    std::unordered_map<std::string_view, Word> all;
    for (const Word& word : kWords) all.emplace(word.text, word);
    for (const BuiltinInfo& one : kBuiltins) all.emplace(one.name, Word{one.name, TokenKind::kBuiltin});
    return all;
  }();
  const auto found = words.find(text);
  return found == words.end() ? nullptr : &found->second;
}

/// Binary operators by the strength of their binding.
struct OperatorInfo {
  std::string_view text;
  int binds;
  Operator op;
};
constexpr int kBindsOr = 1, kBindsAnd = 2;
constexpr OperatorInfo kOperators[] = {
    {"||", kBindsOr, Operator::kNone},   {"&&", kBindsAnd, Operator::kNone},
    {"|", 3, Operator::kOr},             {"^", 4, Operator::kXor},
    {"&", 5, Operator::kAnd},            {"==", 6, Operator::kEqual},
    {"!=", 6, Operator::kNotEqual},      {"<", 7, Operator::kLess},
    {">", 7, Operator::kGreater},        {"<=", 7, Operator::kLessEqual},
    {">=", 7, Operator::kGreaterEqual},  {"<<", 8, Operator::kShl},
    {">>", 8, Operator::kShr},           {"+", 9, Operator::kAdd},
    {"-", 9, Operator::kSub},            {"*", 10, Operator::kMul},
    {"/", 10, Operator::kDiv},           {"%", 10, Operator::kRem}};
const OperatorInfo* find_operator(std::string_view text) {
  const auto* const found = std::ranges::find(kOperators, text, &OperatorInfo::text);
  return found == std::end(kOperators) ? nullptr : found;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Splits any text; an unfinished comment or string ends at the end of the text or line.
std::vector<CodeToken> tokens_of(std::string_view code) {
  constexpr std::string_view kLong[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
  std::vector<CodeToken> tokens;
  tokens.reserve(code.size() / 3);
  std::size_t line_begin = 0;
  int line = 1;
  bool first_on_line = true;
  for (std::size_t i = 0; i < code.size();) {
    const char c = code[i];
    if (c == '\n') {
      ++line;
      line_begin = ++i;
      first_on_line = true;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      ++i;
      continue;
    }
    CodeToken token{TokenKind::kOperator, i, 1, line, static_cast<int>(i - line_begin) + 1};
    const std::string_view rest = code.substr(i);
    const auto to_line_end = [&] { return std::min(rest.find('\n'), rest.size()); };
    if (rest.starts_with("//")) {
      token.kind = TokenKind::kComment;
      token.length = to_line_end();
    } else if (rest.starts_with("/*")) {
      token.kind = TokenKind::kComment;
      const std::size_t end = rest.find("*/", 2);
      token.length = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (c == '#' && first_on_line) {
      token.kind = TokenKind::kDirective;
      token.length = to_line_end();
    } else if (is_letter(c) || is_digit(c)) {
      const auto belongs = [&](char next) {
        return is_letter(next) || is_digit(next) || (next == '.' && is_digit(c));
      };
      while (token.length < rest.size() && belongs(rest[token.length])) ++token.length;
      token.kind = is_digit(c) ? TokenKind::kNumber : TokenKind::kWord;
      if (const Word* const word = find_word(rest.substr(0, token.length)); word != nullptr && !is_digit(c))
        token.kind = word->kind;
    } else if (c == '"' || c == '\'') {
      token.kind = TokenKind::kText;
      const std::size_t end = to_line_end();
      while (token.length < end && rest[token.length] != c) token.length += rest[token.length] == '\\' ? 2 : 1;
      token.length = std::min(token.length + 1, end);
    } else {
      const auto* const sign =
          std::ranges::find_if(kLong, [&](std::string_view text) { return rest.starts_with(text); });
      if (sign != std::end(kLong)) token.length = sign->size();
      if (std::string_view("+-*/%&|^~!<>=?:;,.(){}[]#").find(c) == std::string_view::npos)
        token.kind = TokenKind::kInvalid;
    }
    for (std::size_t j = i; j < i + token.length; ++j) {
      if (code[j] != '\n') continue;
      ++line;
      line_begin = j + 1;
    }
    first_on_line = false;
    i += token.length;
    tokens.push_back(token);
  }
  return tokens;
}

/// The rest of the text cannot be read.
struct SyntaxError {};

class Parser {
 public:
  Parser(std::string_view code, MapProgram& program) : code_(code), program_(program) {
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
    auto& problems = program_.problems;
    std::ranges::stable_sort(problems, {}, [](const CodeProblem& one) { return std::pair(one.line, one.column); });
    if (problems.size() > kMaxProblems) {
      problems.resize(kMaxProblems);
      problems.push_back({0, 0, 0, fmt::format("more than {} errors; these are the first", kMaxProblems)});
    }
  }
  MapTree tree;
  std::set<int> lines;

 private:
  // Tokens.

  const CodeToken& token(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
  std::string_view text(std::size_t ahead = 0) const {
    const CodeToken& one = token(ahead);
    return one.kind == TokenKind::kEnd ? std::string_view() : code_.substr(one.begin, one.length);
  }
  bool is_end() const { return token().kind == TokenKind::kEnd; }
  bool accept(std::string_view expected) {
    if (text() != expected) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view expected) {
    if (!accept(expected)) fail_here(fmt::format("'{}' expected", expected));
  }

  void problem(int line, int column, int length, std::string message) {
    if (program_.problems.size() > 10 * kMaxProblems) throw SyntaxError();
    program_.problems.push_back({line, column, length, std::move(message)});
  }
  void problem(const CodeToken& one, std::string message) {
    problem(one.line, one.column, static_cast<int>(one.length), std::move(message));
  }
  void problem(int node, std::string message) {
    const Node& one = tree.nodes[static_cast<std::size_t>(node)];
    problem(one.line, one.column, one.length, std::move(message));
  }
  [[noreturn]] void fail(const CodeToken& one, std::string message) {
    problem(one, std::move(message));
    throw SyntaxError();
  }
  /// What is here is not part of the language, or not at this place.
  [[noreturn]] void fail_here(const std::string& message) {
    const CodeToken& one = token();
    const std::string_view word = text();
    switch (one.kind) {
      case TokenKind::kDirective:
        fail(one, word.find("include") != std::string_view::npos
                      ? "#include is not allowed; everything that a map may use is there already"
                      : "lines that begin with # are not allowed");
      case TokenKind::kText:
        if (word.front() == '"') fail(one, "strings are not allowed; allowed: integer arithmetic");
        break;
      case TokenKind::kInvalid:
        fail(one, fmt::format("the byte 0x{:02x} is not allowed outside of comments",
                              static_cast<unsigned char>(word.front())));
      case TokenKind::kWord:
        check_word(one);
        break;
      case TokenKind::kOperator:
        if (word == "->" || word == "#" || word == "##" || word == "...")
          fail(one, fmt::format("'{}' is not allowed", word));
        break;
      default:
        break;
    }
    fail(one, is_end() ? message + " at the end of the code" : fmt::format("{} before '{}'", message, shown(word)));
  }
  void check_word(const CodeToken& one) {
    const std::string_view word = code_.substr(one.begin, one.length);
    if (const Word* const known = find_word(word); known != nullptr && !known->refused.empty())
      fail(one, std::string(known->refused));
    if (word.front() == '_')
      fail(one, fmt::format("'{}': names that begin with _ are reserved; allowed: __host__, __device__, "
                            "__constant__",
                            shown(word)));
    if (word.starts_with("loom_"))
      fail(one, fmt::format("'{}': names that begin with loom_ are reserved", shown(word)));
  }
  struct Nesting {
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser.nesting_ > kMaxNesting)
        parser.fail(parser.token(), fmt::format("nested too deeply; allowed: {} levels", kMaxNesting));
    }
    ~Nesting() { --parser_.nesting_; }
    Parser& parser_;
  };

  // Nodes.

  Node& node(int index) { return tree.nodes[static_cast<std::size_t>(index)]; }
  Variable& variable(int index) { return tree.variables[static_cast<std::size_t>(index)]; }
  Function& function(std::int64_t index) { return tree.functions[static_cast<std::size_t>(index)]; }
  int add(Node one) {
    for (const int child : {one.a, one.b, one.c})
      for (int i = child; i >= 0; i = node(i).next) one.has_effects |= node(i).has_effects;
    tree.nodes.push_back(one);
    return static_cast<int>(tree.nodes.size()) - 1;
  }
  Node made(NodeKind kind, const CodeToken& one, Type type = Type::kVoid) const {
    Node made_node;
    made_node.kind = kind;
    made_node.type = type;
    made_node.line = one.line;
    made_node.column = one.column;
    made_node.length = static_cast<int>(one.length);
    return made_node;
  }
  Node at(int place, NodeKind kind, Type type) {
    Node copy;
    copy.kind = kind;
    copy.type = type;
    copy.line = node(place).line;
    copy.column = node(place).column;
    copy.length = node(place).length;
    return copy;
  }
  int number(const CodeToken& one, std::int64_t value, Type type = Type::kInt) {
    Node made_node = made(NodeKind::kNumber, one, type);
    made_node.value = value;
    return add(made_node);
  }
  bool is_constant(int index) { return node(index).kind == NodeKind::kNumber; }

  /// The expression as a value of this type.
  int convert(int index, Type type) {
    const Type from = node(index).type;
    if (from == type) return index;
    if (!is_number(from) || !is_number(type)) {
      problem(index, fmt::format("{} is expected, not {}", info(type).name, info(from).name));
      return number_at(index, 0, is_number(type) ? type : Type::kInt);
    }
    if (is_constant(index)) return number_at(index, converted(type, node(index).value), type);
    Node made_node = at(index, NodeKind::kConvert, type);
    made_node.a = index;
    return add(made_node);
  }
  int number_at(int place, std::int64_t value, Type type) {
    Node made_node = at(place, NodeKind::kNumber, type);
    made_node.value = value;
    return add(made_node);
  }
  static Type promoted(Type type) { return info(type).bits < 32 ? Type::kInt : type; }
  static Type common(Type a, Type b) { return std::max(promoted(a), promoted(b)); }
  /// A number; else a problem and 0.
  int numeric(int index) {
    if (is_number(node(index).type)) return index;
    return convert(index, Type::kInt);
  }
  int condition(int index) { return numeric(index); }

  int binary(const CodeToken& sign, Operator op, int a, int b) {
    a = numeric(a);
    b = numeric(b);
    const bool is_shift = op == Operator::kShl || op == Operator::kShr;
    const Type type =
        is_shift ? promoted(node(a).type) : common(node(a).type, node(b).type);
    a = convert(a, type);
    b = convert(b, is_shift ? Type::kInt : type);
    const Type result = is_comparison(op) ? Type::kInt : type;
    if (is_constant(a) && is_constant(b)) {
      if (const auto value = applied(op, type, node(a).value, node(b).value))
        return number_at(a, *value, result);
    }
    Node made_node = made(NodeKind::kBinary, sign, result);
    made_node.op = op;
    made_node.working = type;
    made_node.a = a;
    made_node.b = b;
    return add(made_node);
  }

  // Expressions.

  int expression() {
    int a = assignment();
    while (text() == ",") {
      Node made_node = made(NodeKind::kComma, token());
      ++at_;
      made_node.a = a;
      made_node.b = assignment();
      made_node.type = node(made_node.b).type;
      a = add(made_node);
    }
    return a;
  }

  bool check_place(int place, const CodeToken& sign) {
    if (node(place).kind != NodeKind::kPlace) {
      if (node(place).kind == NodeKind::kNumber && node(place).is_post)
        problem(sign, "a constant cannot be changed: global and static variables are constants, since threads share "
                      "no memory; allowed: local variables");
      else if (node(place).kind == NodeKind::kUniform || node(place).type == Type::kFractal)
        problem(sign, "blockIdx, threadIdx, blockDim, gridDim and the Fractal cannot be changed");
      else
        problem(sign, "only a variable, an element of an array or a member of a Cell can be changed");
      return false;
    }
    const Variable& one = variable(static_cast<int>(node(place).value));
    if (one.is_table)
      problem(sign, fmt::format("'{}' is a constant: global and static variables are constants, since threads share "
                                "no memory; allowed: local variables",
                                one.name));
    else if (one.is_constant)
      problem(sign, fmt::format("'{}' is const", one.name));
    return !one.is_table && !one.is_constant;
  }

  int assigned(const CodeToken& sign, int place, int value) {
    Node made_node = made(NodeKind::kAssign, sign, node(place).type);
    made_node.a = place;
    made_node.b = convert(value, node(place).type);
    made_node.has_effects = true;
    return add(made_node);
  }

  int assignment() {
    const Nesting nesting(*this);
    const int place = conditional();
    const std::string_view sign_text = text();
    const CodeToken sign = token();
    if (sign.kind != TokenKind::kOperator || sign_text.back() != '=') return place;
    if (sign_text == "=") {
      ++at_;
      const int value = assignment();
      if (!check_place(place, sign)) return place;
      return assigned(sign, place, value);
    }
    const OperatorInfo* const compound = find_operator(sign_text.substr(0, sign_text.size() - 1));
    if (compound == nullptr || compound->binds <= kBindsAnd || is_comparison(compound->op)) return place;
    ++at_;
    int value = numeric(assignment());
    if (!check_place(place, sign)) return place;
    if (!is_number(node(place).type)) return convert(place, Type::kInt);
    const bool is_shift = compound->op == Operator::kShl || compound->op == Operator::kShr;
    Node made_node = made(NodeKind::kAssign, sign, node(place).type);
    made_node.op = compound->op;
    made_node.working =
        is_shift ? promoted(node(place).type) : common(node(place).type, node(value).type);
    made_node.a = place;
    made_node.b = convert(value, is_shift ? Type::kInt : made_node.working);
    made_node.has_effects = true;
    return add(made_node);
  }

  int conditional() {
    const int a = operation(kBindsOr);
    if (text() != "?") return a;
    Node made_node = made(NodeKind::kSelect, token());
    ++at_;
    made_node.a = condition(a);
    int b = expression();
    expect(":");
    const Nesting nesting(*this);
    int c = conditional();
    made_node.type = node(b).type;
    if (is_number(node(b).type) && is_number(node(c).type)) made_node.type = common(node(b).type, node(c).type);
    b = convert(b, made_node.type);
    c = convert(c, made_node.type);
    if (is_constant(made_node.a)) return node(made_node.a).value != 0 ? b : c;
    made_node.b = b;
    made_node.c = c;
    return add(made_node);
  }

  int operation(int binds) {
    int a = unary();
    for (;;) {
      const OperatorInfo* const found =
          token().kind == TokenKind::kOperator ? find_operator(text()) : nullptr;
      if (found == nullptr || found->binds < binds) return a;
      const CodeToken sign = token();
      ++at_;
      const int b = operation(found->binds + 1);
      if (found->op != Operator::kNone) {
        a = binary(sign, found->op, a, b);
        continue;
      }
      Node made_node = made(found->binds == kBindsAnd ? NodeKind::kAnd : NodeKind::kOr, sign, Type::kInt);
      made_node.a = condition(a);
      made_node.b = condition(b);
      if (is_constant(made_node.a)) {
        const bool decides = (node(made_node.a).value != 0) == (found->binds == kBindsOr);
        a = decides ? number(sign, found->binds == kBindsOr ? 1 : 0)
                    : binary(sign, Operator::kNotEqual, made_node.b, number(sign, 0));
        continue;
      }
      a = add(made_node);
    }
  }

  int step(const CodeToken& sign, int place, std::int64_t by, bool is_post) {
    if (!check_place(place, sign)) return place;
    if (!is_number(node(place).type)) return convert(place, Type::kInt);
    Node made_node = made(NodeKind::kStep, sign, node(place).type);
    made_node.a = place;
    made_node.value = by;
    made_node.is_post = is_post;
    made_node.has_effects = true;
    return add(made_node);
  }

  int unary() {
    const Nesting nesting(*this);
    const CodeToken sign = token();
    const std::string_view op = text();
    if (sign.kind == TokenKind::kOperator) {
      if (op == "*" || op == "&" || op == "&&") fail(sign, std::string(kPointer));
      if (op == "++" || op == "--") {
        ++at_;
        return step(sign, unary(), op == "++" ? 1 : -1, false);
      }
      if (op == "-" || op == "+" || op == "~" || op == "!") {
        ++at_;
        const int a = numeric(unary());
        const Type type = promoted(node(a).type);
        if (op == "!") return binary(sign, Operator::kEqual, a, number(sign, 0));
        if (op == "+") return convert(a, type);
        if (op == "~") return binary(sign, Operator::kXor, a, number(sign, -1, type));
        return binary(sign, Operator::kSub, number(sign, 0), a);
      }
      if (op == "(" && token(1).kind == TokenKind::kType) {
        ++at_;
        const Type type = type_name();
        expect(")");
        const int a = unary();
        if (type == Type::kVoid) return a;
        return convert(a, type);
      }
    }
    return postfix(primary());
  }

  int member(int a) {
    const CodeToken name = token();
    const std::string_view word = text();
    ++at_;
    const auto bad = [&](const char* allowed) {
      problem(name, fmt::format("{} has no member '{}'; allowed: {}", info(node(a).type).name, shown(word), allowed));
      return number(name, 0);
    };
    static constexpr std::array<std::string_view, 4> kLaunch = {"grid_x", "grid_y", "block_x", "block_y"};
    int found = -1;
    switch (node(a).type) {
      case Type::kFractal:
        for (std::size_t i = kFractalUniforms; i < kUniforms.size(); ++i)
          if (word == kUniforms[i][1]) return uniform(name, i);
        return bad("level, width, height, cells, k, s_x, s_y");
      case Type::kCell:
        found = word == "x" ? 0 : word == "y" ? 1 : -1;
        if (found < 0) return bad("x, y");
        break;
      case Type::kLaunch:
        for (std::size_t i = 0; i < kLaunch.size(); ++i)
          if (word == kLaunch[i]) found = static_cast<int>(i);
        if (found < 0) return bad("grid_x, grid_y, block_x, block_y");
        break;
      default:
        problem(name, fmt::format("{} has no members", info(node(a).type).name));
        return number(name, 0);
    }
    const Type type = info(node(a).type).of_member;
    if (node(a).kind == NodeKind::kPlace) {
      node(a).member = static_cast<std::int8_t>(found);
      node(a).type = type;
      return a;
    }
    Node made_node = at(a, NodeKind::kMember, type);
    made_node.a = a;
    made_node.member = static_cast<std::int8_t>(found);
    return add(made_node);
  }
  int uniform(const CodeToken& name, std::size_t index) {
    Node made_node =
        made(NodeKind::kUniform, name, index < kFractalUniforms ? Type::kUInt : Type::kInt);
    made_node.value = static_cast<std::int64_t>(index);
    return add(made_node);
  }

  int postfix(int a) {
    for (;;) {
      const CodeToken sign = token();
      if (accept(".")) {
        a = member(a);
      } else if (text() == "->") {
        fail_here("");
      } else if (text() == "[") {
        fail(sign, "only an array can have an index");
      } else if (text() == "++" || text() == "--") {
        const std::int64_t by = text() == "++" ? 1 : -1;
        ++at_;
        a = step(sign, a, by, true);
      } else {
        return a;
      }
    }
  }

  int literal() {
    const CodeToken one = token();
    std::string_view word = text();
    ++at_;
    const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    if (word.find('.') != std::string_view::npos ||
        (!is_hex && word.find_first_of("eEpPfF") != std::string_view::npos))
      fail(one, std::string(kReal));
    bool is_unsigned = false;
    int longs = 0;
    while (!word.empty() && std::string_view("uUlL").find(word.back()) != std::string_view::npos) {
      (word.back() == 'u' || word.back() == 'U') ? is_unsigned = true : ++longs > 0;
      word.remove_suffix(1);
    }
    const bool is_binary = word.starts_with("0b") || word.starts_with("0B");
    const unsigned base = is_hex ? 16 : is_binary ? 2 : word.size() > 1 && word.front() == '0' ? 8 : 10;
    if (is_hex || is_binary) word.remove_prefix(2);
    std::uint64_t value = 0;
    bool good = !word.empty() && longs <= 2;
    for (const char c : word) {
      const unsigned digit = is_digit(c) ? static_cast<unsigned>(c - '0')
                                         : static_cast<unsigned>(std::tolower(c) - 'a') + 10;
      good = good && (is_digit(c) || std::isxdigit(static_cast<unsigned char>(c)) != 0) && digit < base &&
             value <= (~std::uint64_t{0} - digit) / base;
      if (!good) break;
      value = value * base + digit;
    }
    if (!good) fail(one, "this is no number, or it needs more than 64 bits");
    const bool may_be_unsigned = is_unsigned || base != 10;
    Type type = is_unsigned ? Type::kULong : value >> 63 != 0 ? Type::kULong : Type::kLong;
    if (longs == 0) {
      if (!is_unsigned && value >> 31 == 0) type = Type::kInt;
      else if (may_be_unsigned && value >> 32 == 0) type = Type::kUInt;
    }
    return number(one, static_cast<std::int64_t>(value), type);
  }

  int character() {
    const CodeToken one = token();
    const std::string_view word = text();
    if (word.front() == '"') fail_here("");
    ++at_;
    if (word.size() == 3 && word[1] != '\\' && word[2] == '\'') return number(one, word[1]);
    if (word.size() == 4 && word[1] == '\\' && word[3] == '\'') {
      static constexpr char kTable[] = {'n', '\n', 't', '\t', 'r', '\r', '0', '\0', '\\', '\\', '\'', '\'', '"', '"'};
      for (std::size_t i = 0; i < sizeof(kTable); i += 2)
        if (kTable[i] == word[2]) return number(one, kTable[i + 1]);
    }
    fail(one, "a character constant has one character, for example 'a'");
  }

  int primary() {
    const CodeToken one = token();
    switch (one.kind) {
      case TokenKind::kNumber:
        return literal();
      case TokenKind::kText:
        return character();
      case TokenKind::kKeyword:
        if (text() != "true" && text() != "false") break;
        return number(one, code_[tokens_[at_++].begin] == 't' ? 1 : 0);
      case TokenKind::kBuiltin:
      case TokenKind::kWord:
        check_word(one);
        ++at_;
        return text() == "(" && find_variable(one) < 0 ? call(one) : name(one);
      case TokenKind::kOperator:
        if (!accept("(")) break;
        {
          const int a = expression();
          expect(")");
          return a;
        }
      default:
        break;
    }
    fail_here("an expression expected");
  }

  std::string_view text_of(const CodeToken& one) const { return code_.substr(one.begin, one.length); }

  int find_variable(const CodeToken& one) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(text_of(one)); found != scope->end()) return found->second;
    }
    return -1;
  }

  int name(const CodeToken& one) {
    const std::string_view word = text_of(one);
    const int found = find_variable(one);
    if (found < 0) {
      if (one.kind == TokenKind::kBuiltin && accept(".")) {
        const std::string_view axis = text();
        for (std::size_t i = 0; i < kFractalUniforms; ++i) {
          if (word != kUniforms[i][0] || axis != kUniforms[i][1]) continue;
          ++at_;
          return uniform(one, i);
        }
        fail_here(fmt::format("{} has the members x and y; one of them expected", word));
      }
      problem(one, one.kind == TokenKind::kBuiltin
                       ? fmt::format("'{}' is used without {}", word,
                                     std::ranges::find(kBuiltins, word, &BuiltinInfo::name) != kBuiltins.end()
                                         ? "arguments"
                                         : ".x or .y")
                       : fmt::format("'{}' is not defined", shown(word)));
      while (accept("[")) {
        expression();
        expect("]");
      }
      return number(one, 0);
    }
    if (variable(found).type == Type::kFractal) {
      Node made_node = made(NodeKind::kUniform, one, Type::kFractal);
      return add(made_node);
    }
    Node made_node = made(NodeKind::kPlace, one, variable(found).type);
    made_node.value = found;
    int* link = &made_node.a;
    std::size_t indices = 0;
    std::vector<int> list;
    while (text() == "[" && indices < variable(found).dimensions.size()) {
      ++at_;
      const int index = numeric(expression());
      list.push_back(convert(index, promoted(node(index).type)));
      expect("]");
      ++indices;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      (i == 0 ? *link : node(list[i - 1]).next) = list[i];
      if (!is_constant(list[i])) continue;
      const int dimension = variable(found).dimensions[i];
      if (node(list[i]).value < 0 || node(list[i]).value >= dimension)
        problem(list[i], fmt::format("the index {} is outside of '{}'; allowed: 0 to {}", node(list[i]).value,
                                     word, dimension - 1));
    }
    if (indices < variable(found).dimensions.size())
      problem(one, fmt::format("'{}' is an array: an index expected for each dimension", word));
    // A constant is its value.
    if (variable(found).is_constant && !variable(found).is_array() && variable(found).data.size() == 1) {
      const int value = number(one, variable(found).data[0], variable(found).type);
      node(value).is_post = true;  // for a message where it is changed
      return value;
    }
    return add(made_node);
  }

  int call(const CodeToken& one) {
    const std::string_view word = text_of(one);
    expect("(");
    std::vector<int> arguments;
    if (!accept(")")) {
      do arguments.push_back(assignment());
      while (accept(","));
      expect(")");
    }
    Node made_node = made(NodeKind::kCall, one);
    const auto builtin = std::ranges::find(kBuiltins, word, &BuiltinInfo::name);
    std::vector<Type> types;
    if (builtin != kBuiltins.end()) {
      made_node.kind = NodeKind::kBuiltin;
      made_node.value = builtin - kBuiltins.begin();
      made_node.type = builtin->result;
      types.assign(static_cast<std::size_t>(builtin->parameters), builtin->parameter);
    } else if (const auto found = functions_.find(word); found != functions_.end()) {
      made_node.value = found->second;
      made_node.type = function(found->second).type;
      for (const int parameter : function(found->second).parameters) types.push_back(variable(parameter).type);
      calls_[current_].insert(found->second);
      called_.emplace(found->second, one);
    } else {
      problem(one, fmt::format("the function '{}' is not defined; a map uses only its own functions and those of "
                               "the language",
                               shown(word)));
      return number(one, 0);
    }
    if (types.size() != arguments.size()) {
      problem(one, fmt::format("'{}' has {} parameters, not {}", word, types.size(), arguments.size()));
      return number(one, 0, Type::kInt);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      // Each argument is a list element of its own.
      int argument = convert(arguments[i], types[i]);
      if (i > 0) node(arguments[i - 1]).next = argument;
      else made_node.a = argument;
      arguments[i] = argument;
    }
    return add(made_node);
  }

  // Types and declarations.

  bool begins_type() const {
    return token().kind == TokenKind::kType || text() == "const" || text() == "static" || text() == "__constant__" ||
           text() == "__device__" || text() == "__host__";
  }

  /// Qualifiers and a type; sets what the qualifiers say.
  Type type_name(bool* is_constant = nullptr, bool* is_static = nullptr) {
    int longs = 0, shorts = 0, chars = 0, ints = 0, signeds = 0, unsigneds = 0, others = 0;
    Type type = Type::kInt;
    const CodeToken first = token();
    for (;; ++at_) {
      const std::string_view word = text();
      if (word == "const" || word == "__constant__") {
        if (is_constant != nullptr) *is_constant = true;
        if (word != "const" && is_static != nullptr) *is_static = true;
      } else if (word == "static") {
        if (is_static != nullptr) *is_static = true;
      } else if (word == "__device__" || word == "__host__") {
      } else if (token().kind == TokenKind::kType) {
        longs += word == "long";
        shorts += word == "short";
        chars += word == "char";
        ints += word == "int";
        signeds += word == "signed";
        unsigneds += word == "unsigned";
        const auto set = [&](std::string_view name, Type other) {
          if (word != name) return;
          ++others;
          type = other;
        };
        set("bool", Type::kBool);
        set("void", Type::kVoid);
        set("Cell", Type::kCell);
        set("Launch", Type::kLaunch);
        set("Fractal", Type::kFractal);
      } else {
        break;
      }
    }
    if (token().kind == TokenKind::kOperator && (text() == "*" || text() == "&" || text() == "&&"))
      fail(token(), std::string(kPointer));
    const int numbers = longs + shorts + chars + ints + signeds + unsigneds;
    if (numbers + others == 0) fail_here("a type expected, for example int,");
    if (others > 1 || (others == 1 && numbers > 0) || longs > 2 || shorts > 1 || chars > 1 || ints > 1 ||
        (longs > 0) + (shorts > 0) + (chars > 0) > 1 || (chars > 0 && ints > 0) || signeds + unsigneds > 1)
      fail(first, "this is no type; allowed: int, unsigned, long, short, char, bool, Cell");
    if (others == 1) return type;
    const bool is_unsigned = unsigneds > 0;
    if (longs > 0) return is_unsigned ? Type::kULong : Type::kLong;
    if (shorts > 0) return is_unsigned ? Type::kUShort : Type::kShort;
    if (chars > 0) return is_unsigned ? Type::kUChar : Type::kChar;
    return is_unsigned ? Type::kUInt : Type::kInt;
  }

  CodeToken new_name() {
    if (text() == "(" && text(1) == "*") fail(token(1), std::string(kPointer));
    const CodeToken one = token();
    if (one.kind != TokenKind::kWord && one.kind != TokenKind::kBuiltin) fail_here("a name expected");
    check_word(one);
    ++at_;
    return one;
  }

  std::int64_t constant(int index) {
    if (!is_constant(index)) {
      problem(index, "a constant expected: numbers, and const variables that are numbers");
      return 1;
    }
    return node(index).value;
  }

  int declare(const CodeToken& one, Type type, bool is_constant) {
    const int index = static_cast<int>(tree.variables.size());
    Variable made_variable;
    made_variable.name = text_of(one);
    made_variable.type = type;
    made_variable.is_constant = is_constant;
    made_variable.line = one.line;
    tree.variables.push_back(std::move(made_variable));
    if (scopes_.back().contains(text_of(one)))
      problem(one, fmt::format("'{}' is defined twice", shown(text_of(one))));
    scopes_.back()[text_of(one)] = index;
    if (current_ >= 0) tree.locals[static_cast<std::size_t>(current_)].push_back(index);
    return index;
  }

  void dimensions(int index) {
    bool is_open = false;
    std::int64_t elements = 1;
    while (accept("[")) {
      if (variable(index).dimensions.empty() && accept("]")) {
        variable(index).dimensions.push_back(0);
        is_open = true;
        continue;
      }
      const CodeToken place = token();
      const std::int64_t size = constant(numeric(conditional()));
      expect("]");
      if (size < 1 || size > (1 << 20) || elements * size > (1 << 20)) {
        problem(place, fmt::format("an array of {} elements; allowed: 1 to {}, and {} bytes of memory for a thread",
                                   size, 1 << 20, kMaxMapMemory));
        variable(index).dimensions.push_back(1);
        continue;
      }
      elements *= size;
      variable(index).dimensions.push_back(static_cast<int>(size));
    }
    if (is_open && text() != "=") problem(token(), "an array without a size needs values: = {...}");
    if (is_open && text() != "=") variable(index).dimensions[0] = 1;
  }

  /// { values } of an array or structure: pairs of element and expression.
  void list(int index, std::size_t level, std::int64_t begin, std::vector<std::pair<std::int64_t, int>>& values) {
    const Nesting nesting(*this);
    expect("{");
    std::int64_t inner = 1;
    const auto& sizes = variable(index).dimensions;
    for (std::size_t i = level + 1; i < sizes.size(); ++i) inner *= sizes[i];
    const std::int64_t most = sizes.empty() ? info(variable(index).type).members
                              : sizes[level] == 0 ? (1 << 20)
                                                  : sizes[level] * inner;
    std::int64_t i = 0;
    while (!accept("}")) {
      if (i >= most) fail(token(), fmt::format("too many values for '{}'; allowed: {}", variable(index).name, most));
      if (text() == "{" && level + 1 < sizes.size()) {
        i = (i + inner - 1) / inner * inner;
        list(index, level + 1, begin + i, values);
        i += inner;
      } else {
        values.emplace_back(begin + i, assignment());
        ++i;
      }
      if (!accept(",")) {
        expect("}");
        break;
      }
    }
    if (level == 0 && !sizes.empty() && sizes[0] == 0)
      variable(index).dimensions[0] = std::max(1, static_cast<int>((i + inner - 1) / inner));
  }

  int place_of(const CodeToken& one, int index, std::int64_t element) {
    Node made_node = made(NodeKind::kPlace, one, variable(index).type);
    made_node.value = index;
    std::vector<std::int64_t> indices;
    if (variable(index).is_array()) {
      for (auto size = variable(index).dimensions.rbegin(); size != variable(index).dimensions.rend(); ++size) {
        indices.insert(indices.begin(), element % *size);
        element /= *size;
      }
      for (auto i = indices.rbegin(); i != indices.rend(); ++i) {
        const int made_number = number(one, *i);
        node(made_number).next = made_node.a;
        made_node.a = made_number;
      }
    } else if (!is_number(made_node.type)) {
      made_node.member = static_cast<std::int8_t>(element);
      made_node.type = info(made_node.type).of_member;
    }
    return add(made_node);
  }

  /// The rest of a declaration behind the type: variables. Returns the statements, -1 for constants.
  int variables(Type type, bool is_constant, bool is_static) {
    int first = -1;
    int last = -1;
    const bool is_global = current_ < 0;
    do {
      const CodeToken one = new_name();
      if (type == Type::kVoid) fail(one, "a variable cannot be void; allowed: int, unsigned, long, short, char, bool, Cell");
      if (text() == "(") fail(token(), "a function can be defined only outside of functions");
      // A name can be used behind its own value only.
      std::vector<std::pair<std::int64_t, int>> values;
      const int index = declare(one, type, is_constant || is_static || is_global);
      if (type == Type::kFractal && (text() == "[" || text() != "="))
        problem(one, "a Fractal is a parameter, or a copy of one");
      dimensions(index);
      const bool is_list = text() == "=" && text(1) == "{";
      if (accept("=")) {
        const std::string own(text_of(one));
        if (is_list) {
          list(index, 0, 0, values);
        } else {
          const int value = assignment();
          if (type == Type::kFractal) {
            if (node(value).type != Type::kFractal) convert(value, Type::kFractal);
            continue;
          }
          if (variable(index).is_array()) fail(one, "an array needs values in braces: = {1, 2, 3}");
          values.emplace_back(0, value);
        }
      } else if (is_constant || is_static || is_global) {
        if (is_global || is_static) {
          // Zero, as in C.
        } else {
          problem(one, fmt::format("'{}' is const and needs a value", variable(index).name));
        }
      }
      const Type of_value =
          is_list && !variable(index).is_array() ? info(type).of_member : type;
      for (auto& [element, value] : values) value = convert(value, of_value);
      const bool all_constant = std::ranges::all_of(values, [&](const auto& one_value) {
        return this->is_constant(one_value.second);
      });
      const bool must_be_constant = is_global || is_static;
      if ((must_be_constant || is_constant) && is_number(type)) {
        if (all_constant) {
          Variable& table = variable(index);
          table.data.assign(static_cast<std::size_t>(table.elements()), 0);
          for (const auto& [element, value] : values) table.data[static_cast<std::size_t>(element)] = node(value).value;
          table.is_table = table.is_constant = true;
          continue;
        }
        if (must_be_constant) {
          for (const auto& [element, value] : values)
            if (!this->is_constant(value))
              problem(value, "a global or static variable is a constant; its value must be a constant");
          continue;
        }
      }
      if (must_be_constant) {
        problem(one, "a global or static variable is a constant number or array of numbers");
        continue;
      }
      Node made_node = made(NodeKind::kDeclare, one);
      made_node.value = index;
      made_node.is_post = values.size() == 1 && !is_list;
      int last_value = -1;
      for (const auto& [element, value] : values) {
        const int assign = assigned(one, is_list ? place_of(one, index, element) : whole(one, index), value);
        (last_value < 0 ? made_node.a : node(last_value).next) = assign;
        last_value = assign;
      }
      const int made_statement = add(made_node);
      (last < 0 ? first : node(last).next) = made_statement;
      last = made_statement;
    } while (accept(","));
    expect(";");
    return first;
  }
  int whole(const CodeToken& one, int index) {
    Node made_node = made(NodeKind::kPlace, one, variable(index).type);
    made_node.value = index;
    return add(made_node);
  }

  void global() {
    if (accept(";")) return;
    bool is_constant = false;
    bool is_static = false;
    if (!begins_type()) fail_here("a function expected, for example int twice(int x) {...},");
    const Type type = type_name(&is_constant, &is_static);
    if (text(1) != "(" || token().kind == TokenKind::kOperator) {
      variables(type, is_constant, is_static);
      return;
    }
    define(type, new_name());
  }

  void define(Type type, const CodeToken& one) {
    const std::string word(text_of(one));
    if (one.kind == TokenKind::kBuiltin) fail(one, fmt::format("'{}' is part of the language", word));
    if (type == Type::kFractal) fail(one, "a function cannot return a Fractal");
    if (scopes_.front().contains(text_of(one))) fail(one, fmt::format("'{}' is defined twice", word));
    const auto before = functions_.find(text_of(one));
    const int index = before != functions_.end() ? before->second : static_cast<int>(tree.functions.size());
    if (before == functions_.end()) {
      tree.functions.push_back({word, type, {}, -1, one.line, one.column, false});
      tree.locals.emplace_back();
      functions_.emplace(text_of(one), index);
    }
    current_ = index;
    scopes_.emplace_back();
    expect("(");
    std::vector<int> parameters;
    if (text() == "void" && text(1) == ")") ++at_;
    if (!accept(")")) {
      do {
        bool is_constant = false;
        if (text() == "...") fail_here("");
        const Type parameter = type_name(&is_constant);
        if (parameter == Type::kVoid) fail_here("a parameter cannot be void");
        CodeToken parameter_name = token();
        if (text() != "," && text() != ")") {
          parameter_name = new_name();
          if (text() == "[") fail(token(), "a parameter cannot be an array; allowed: numbers and Cell");
        }
        const bool is_named = parameter_name.kind != TokenKind::kOperator;
        if (!is_named) {
          tree.variables.emplace_back().type = parameter;
          parameters.push_back(static_cast<int>(tree.variables.size()) - 1);
          tree.locals[static_cast<std::size_t>(index)].push_back(parameters.back());
          continue;
        }
        parameters.push_back(declare(parameter_name, parameter, is_constant));
      } while (accept(","));
      expect(")");
    }
    const auto differs = [&] {
      const auto& old = function(index).parameters;
      return type != function(index).type ||
             !std::ranges::equal(old, parameters, [&](int a, int b) { return variable(a).type == variable(b).type; });
    };
    if (before != functions_.end() && differs())
      fail(one, fmt::format("'{}' was declared with other types in line {}", word, function(index).line));
    if (accept(";")) {
      if (before == functions_.end()) function(index).parameters = parameters;
      std::erase_if(tree.locals[static_cast<std::size_t>(index)],
                    [&](int local) { return std::ranges::find(parameters, local) != parameters.end(); });
      scopes_.pop_back();
      current_ = -1;
      return;
    }
    if (function(index).body >= 0) fail(one, fmt::format("'{}' is defined twice", word));
    function(index).parameters = parameters;
    function(index).line = one.line;
    function(index).column = one.column;
    if (text() != "{") fail_here("'{' expected");
    function(index).body = block(false);
    scopes_.pop_back();
    current_ = -1;
  }

  // Statements.

  int block(bool has_scope = true) {
    const CodeToken one = token();
    expect("{");
    if (has_scope) scopes_.emplace_back();
    Node made_node = made(NodeKind::kBlock, one);
    made_node.a = statements([&] { return text() == "}"; });
    ++at_;
    if (has_scope) scopes_.pop_back();
    return add(made_node);
  }
  template <typename Ends>
  int statements(Ends ends) {
    int first = -1;
    int last = -1;
    while (!ends()) {
      if (is_end()) fail_here("'}' expected");
      int made_statement = statement();
      if (made_statement < 0) continue;
      (last < 0 ? first : node(last).next) = made_statement;
      while (node(made_statement).next >= 0) made_statement = node(made_statement).next;
      last = made_statement;
    }
    return first;
  }

  int body() {
    scopes_.emplace_back();
    Node made_node = made(NodeKind::kBlock, token());
    made_node.a = statement();
    scopes_.pop_back();
    return add(made_node);
  }

  int parenthesized() {
    expect("(");
    const int a = condition(expression());
    expect(")");
    return a;
  }

  int statement() {
    const Nesting nesting(*this);
    const CodeToken one = token();
    const std::string_view word = text();
    if (accept(";")) return -1;
    if (word == "{") return block();
    if (begins_type()) {
      bool is_constant = false;
      bool is_static = false;
      const Type type = type_name(&is_constant, &is_static);
      const int made_statement = variables(type, is_constant, is_static);
      for (int i = made_statement; i >= 0; i = node(i).next) lines.insert(node(i).line);
      return made_statement;
    }
    lines.insert(one.line);
    if (one.kind == TokenKind::kKeyword) {
      if (word == "if") return if_statement();
      if (word == "for" || word == "while" || word == "do") return loop();
      if (word == "switch") return switch_statement();
      if (word == "case" || word == "default")
        fail(one, fmt::format("'{}' belongs directly into the braces of a switch", word));
      if (word == "break" || word == "continue") {
        ++at_;
        expect(";");
        if (loops_ == 0 && (word == "continue" || switches_ == 0))
          problem(one, fmt::format("'{}' is not in a loop{}", word, word == "break" ? " or switch" : ""));
        return add(made(word == "break" ? NodeKind::kBreak : NodeKind::kContinue, one));
      }
      if (word == "return") {
        ++at_;
        Node made_node = made(NodeKind::kReturn, one);
        const Type type = function(current_).type;
        if (!accept(";")) {
          const int value = expression();
          if (type == Type::kVoid) problem(one, "a void function returns nothing");
          else made_node.a = convert(value, type);
          expect(";");
        } else if (type != Type::kVoid) {
          problem(one, fmt::format("{} is expected behind return", info(type).name));
        }
        return add(made_node);
      }
      if (word == "else") fail(one, "'else' without 'if'");
    }
    if (one.kind == TokenKind::kWord && text(1) == ":" && find_variable(one) < 0)
      fail(token(1), "labels are not allowed; allowed: if, for, while, do, switch, break, continue");
    Node made_node = made(NodeKind::kExpression, one);
    made_node.a = expression();
    expect(";");
    return add(made_node);
  }

  int if_statement() {
    Node made_node = made(NodeKind::kIf, token());
    ++at_;
    made_node.a = parenthesized();
    made_node.b = body();
    if (accept("else")) made_node.c = body();
    return add(made_node);
  }

  int loop() {
    Node made_node = made(NodeKind::kLoop, token());
    const std::string_view word = text();
    ++at_;
    scopes_.emplace_back();
    int before = -1;
    ++loops_;
    if (word == "while") {
      made_node.a = parenthesized();
      made_node.b = body();
    } else if (word == "do") {
      made_node.is_post = true;
      made_node.b = body();
      if (text() != "while") fail_here("'while' expected");
      lines.insert(token().line);
      ++at_;
      made_node.a = parenthesized();
      expect(";");
    } else {
      expect("(");
      if (begins_type()) {
        bool is_constant = false;
        bool is_static = false;
        const Type type = type_name(&is_constant, &is_static);
        before = variables(type, is_constant, is_static);
      } else if (!accept(";")) {
        Node first = made(NodeKind::kExpression, token());
        first.a = expression();
        before = add(first);
        expect(";");
      }
      if (text() != ";") made_node.a = condition(expression());
      expect(";");
      if (text() != ")") {
        Node after = made(NodeKind::kExpression, token());
        after.a = expression();
        made_node.c = add(after);
      }
      expect(")");
      made_node.b = body();
    }
    --loops_;
    scopes_.pop_back();
    const int made_loop = add(made_node);
    if (before < 0) return made_loop;
    Node around = at(made_loop, NodeKind::kBlock, Type::kVoid);
    around.a = before;
    int last = before;
    while (node(last).next >= 0) last = node(last).next;
    node(last).next = made_loop;
    return add(around);
  }

  int switch_statement() {
    Node made_node = made(NodeKind::kSwitch, token());
    ++at_;
    made_node.a = parenthesized();
    made_node.a = convert(made_node.a, promoted(node(made_node.a).type));
    const Type type = node(made_node.a).type;
    expect("{");
    scopes_.emplace_back();
    ++switches_;
    std::set<std::int64_t> seen;
    bool has_default = false;
    int first = -1;
    int last = -1;
    while (!accept("}")) {
      const CodeToken one = token();
      int made_statement = -1;
      if (text() == "case" || text() == "default") {
        Node label = made(NodeKind::kCase, one);
        label.is_post = text() == "default";
        ++at_;
        if (!label.is_post) label.value = converted(type, constant(numeric(conditional())));
        expect(":");
        if (label.is_post ? has_default : !seen.insert(label.value).second)
          problem(one, "this label is in the switch twice");
        has_default = has_default || label.is_post;
        ++made_node.value;
        made_statement = add(label);
      } else {
        if (is_end()) fail_here("'}' expected");
        if (first < 0) fail_here("'case' or 'default' expected");
        if (begins_type()) fail(one, "a variable within a switch needs braces: case 1: { int x = 2; ... }");
        made_statement = statement();
        if (made_statement < 0) continue;
      }
      (last < 0 ? first : node(last).next) = made_statement;
      while (node(made_statement).next >= 0) made_statement = node(made_statement).next;
      last = made_statement;
    }
    made_node.b = first;
    --switches_;
    scopes_.pop_back();
    return add(made_node);
  }

  void check_functions() {
    const auto find = [&](const char* name, Type type, const char* header) {
      const auto found = functions_.find(std::string_view(name));
      if (found == functions_.end() || function(found->second).body < 0) {
        problem(0, 0, 0, fmt::format("the map has no function: {}", header));
        return -1;
      }
      const Function& one = function(found->second);
      if (one.type != type || one.parameters.size() != 1 || variable(one.parameters[0]).type != Type::kFractal)
        problem(one.line, one.column, static_cast<int>(one.name.size()),
                fmt::format("'{}' is not {}", name, header));
      return found->second;
    };
    tree.launch = find("launch", Type::kLaunch, "__host__ Launch launch(Fractal f)");
    tree.cell_of_thread = find("cell_of_thread", Type::kCell, "__device__ Cell cell_of_thread(Fractal f)");
    for (const auto& [index, one] : called_) {
      if (function(index).body < 0)
        problem(one, fmt::format("the function '{}' is declared and has no body", function(index).name));
    }
    for (std::size_t i = 0; i < tree.functions.size(); ++i) {
      std::set<int> reached;
      std::vector<int> open(calls_[static_cast<int>(i)].begin(), calls_[static_cast<int>(i)].end());
      while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        if (!reached.insert(next).second) continue;
        open.insert(open.end(), calls_[next].begin(), calls_[next].end());
      }
      tree.functions[i].is_recursive = reached.contains(static_cast<int>(i));
    }
  }

  std::string_view code_;
  MapProgram& program_;
  std::vector<CodeToken> tokens_;  ///< without comments, and kEnd
  std::size_t at_ = 0;
  int nesting_ = 0;
  int loops_ = 0;
  int switches_ = 0;
  int current_ = -1;  ///< the function that is read
  std::vector<std::unordered_map<std::string_view, int>> scopes_;
  std::unordered_map<std::string_view, int> functions_;
  std::map<int, std::set<int>> calls_;
  std::map<int, CodeToken> called_;
};

CodeCounts count(std::string_view code, const std::vector<CodeToken>& tokens) {
  CodeCounts counts;
  for (const CodeToken& token : tokens) {
    if (token.kind != TokenKind::kOperator) continue;
    const std::string_view text = code.substr(token.begin, token.length);
    const std::string_view without = text.size() > 1 && text.back() == '=' ? text.substr(0, text.size() - 1) : text;
    counts.divisions += without == "/" || without == "%" ? 1 : 0;
    counts.operators += find_operator(text) != nullptr || find_operator(without) != nullptr || text == "++" ||
                                text == "--" || text == "~" || text == "!" || text == "?"
                            ? 1
                            : 0;
  }
  return counts;
}

}  // namespace

const TypeInfo& info(Type type) {
  static constexpr std::array<TypeInfo, 13> kInfo = {
      {{"void", "void", 0, false, 0, Type::kVoid},
       {"bool", "int", 1, false, 0, Type::kBool},
       {"char", "signed char", 8, true, 0, Type::kChar},
       {"unsigned char", "unsigned char", 8, false, 0, Type::kUChar},
       {"short", "short", 16, true, 0, Type::kShort},
       {"unsigned short", "unsigned short", 16, false, 0, Type::kUShort},
       {"int", "int", 32, true, 0, Type::kInt},
       {"unsigned", "unsigned", 32, false, 0, Type::kUInt},
       {"long", "long long", 64, true, 0, Type::kLong},
       {"unsigned long", "unsigned long long", 64, false, 0, Type::kULong},
       {"Cell", "Cell", 0, false, 2, Type::kInt},
       {"Launch", "Launch", 0, false, 4, Type::kLong},
       {"Fractal", "Fractal", 0, false, 0, Type::kVoid}}};
  return kInfo[static_cast<std::size_t>(type)];
}

int Variable::elements() const {
  int product = 1;
  for (const int size : dimensions) product *= size;
  return product;
}

std::int64_t converted(Type type, std::int64_t value) {
  switch (type) {
    case Type::kBool:
      return value != 0 ? 1 : 0;
    case Type::kChar:
      return static_cast<std::int8_t>(value);
    case Type::kUChar:
      return static_cast<std::uint8_t>(value);
    case Type::kShort:
      return static_cast<std::int16_t>(value);
    case Type::kUShort:
      return static_cast<std::uint16_t>(value);
    case Type::kInt:
      return static_cast<std::int32_t>(value);
    case Type::kUInt:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

std::optional<std::int64_t> applied(Operator op, Type type, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const bool is_signed = info(type).is_signed;
  const auto wrapped = [&](std::uint64_t value) { return converted(type, static_cast<std::int64_t>(value)); };
  const bool is_less = is_signed ? a < b : ua < ub;
  switch (op) {
    case Operator::kAdd:
      return wrapped(ua + ub);
    case Operator::kSub:
      return wrapped(ua - ub);
    case Operator::kMul:
      return wrapped(ua * ub);
    case Operator::kDiv:
    case Operator::kRem: {
      if (b == 0) return std::nullopt;
      const std::int64_t least = converted(type, std::int64_t{1} << (info(type).bits - 1));
      if (is_signed && b == -1 && a == least) return std::nullopt;
      if (is_signed) return op == Operator::kDiv ? a / b : a % b;
      return wrapped(op == Operator::kDiv ? ua / ub : ua % ub);
    }
    case Operator::kShl:
      return wrapped(ua << (ub & static_cast<std::uint64_t>(info(type).bits - 1)));
    case Operator::kShr: {
      const auto places = ub & static_cast<std::uint64_t>(info(type).bits - 1);
      return is_signed ? a >> places : wrapped(ua >> places);
    }
    case Operator::kAnd:
      return a & b;
    case Operator::kXor:
      return wrapped(ua ^ ub);
    case Operator::kOr:
      return a | b;
    case Operator::kLess:
      return is_less;
    case Operator::kGreater:
      return a != b && !is_less;
    case Operator::kLessEqual:
      return a == b || is_less;
    case Operator::kGreaterEqual:
      return !is_less;
    case Operator::kEqual:
      return a == b;
    case Operator::kNotEqual:
      return a != b;
    default:
      return std::nullopt;
  }
}

std::string to_string(const CodeProblem& problem) {
  if (problem.line == 0) return problem.message;
  if (problem.column == 0) return fmt::format("line {}: {}", problem.line, problem.message);
  return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
}

MapProgram parse_map_code(std::string_view code) {
  MapProgram program;
  if (code.size() > kMaxMapCode) {
    program.problems.push_back({0, 0, 0, fmt::format("the code has {} bytes; allowed: up to {}", code.size(), kMaxMapCode)});
    return program;
  }
  program.tokens = tokens_of(code);
  Parser parser(code, program);
  parser.read();
  if (!program.problems.empty()) return program;
  program.counts = count(code, program.tokens);
  program.lines.assign(parser.lines.begin(), parser.lines.end());
  program.tree = std::make_shared<const MapTree>(std::move(parser.tree));
  program.code = std::make_shared<const MapCode>(compile_map(*program.tree, program.problems));
  if (!program.problems.empty()) program.tree.reset(), program.code.reset();
  return program;
}

}  // namespace loom
