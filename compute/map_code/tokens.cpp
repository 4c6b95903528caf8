#include "compute/map_code/tokens.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace loom {
namespace {

constexpr std::string_view kOwnTypes =
    "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell";
constexpr std::string_view kAllocates = "memory cannot be allocated; allowed: arrays of a fixed size";

/// All words of the language, and those of C and C++ that it leaves out, with the reason.
struct Words {
  std::string_view texts;
  TokenKind kind = TokenKind::kWord;
  std::string_view refusal = {};
  enum class Of : std::uint8_t { kBoth, kMaps, kFormulas } of = Of::kBoth;
};
constexpr std::string_view kOfMaps =
    "this is part of the language of maps; a formula has numbers, Complex, Vector and its own functions";
constexpr Words kWords[] = {
    {"if else for while do switch case default break return continue const static true false __host__ "
     "__device__ __constant__",
     TokenKind::kKeyword},
    {"int unsigned signed long short char bool void", TokenKind::kType},
    {"Cell Launch Fractal", TokenKind::kType, {}, Words::Of::kMaps},
    {"float double Complex Vector", TokenKind::kType, {}, Words::Of::kFormulas},
    {"blockIdx blockDim gridDim threadIdx", TokenKind::kBuiltin, {}, Words::Of::kMaps},
    {"Cell Launch Fractal blockIdx blockDim gridDim threadIdx", TokenKind::kWord, kOfMaps,
     Words::Of::kFormulas},
    {.texts = "asm", .refusal = "assembly is not allowed"},
    {.texts = "goto", .refusal = "goto is not allowed; allowed: if, for, while, do, switch, break, continue"},
    {.texts = "struct union enum typedef class", .refusal = kOwnTypes},
    {.texts = "template", .refusal = "templates are not allowed; write a function"},
    {.texts = "extern",
     .refusal = "extern is not allowed; a map uses only its own functions and those of the language"},
    {.texts = "register", .refusal = "register is not allowed"},
    {.texts = "volatile", .refusal = "volatile is not allowed"},
    {.texts = "auto", .refusal = "auto is not allowed; name the type, for example int"},
    {.texts = "float double", .refusal = kReal, .of = Words::Of::kMaps},
    {.texts = "sizeof", .refusal = "sizeof is not allowed"},
    {.texts = "inline", .refusal = "inline is not needed here; leave it out"},
    {.texts = "typeof", .refusal = "typeof is not allowed; name the type"},
    {.texts = "new delete", .refusal = kAllocates},
    {.texts = "using", .refusal = "using is not allowed"},
    {.texts = "namespace", .refusal = "namespaces are not allowed"},
    {.texts = "this", .refusal = "this is not allowed"},
};

const Words* find_word(std::string_view text, CodeLanguage language) {
  const auto words_of = [](bool is_map) {
    std::unordered_map<std::string_view, Words> all;
    for (const Words& one : kWords) {
      if (one.of == (is_map ? Words::Of::kFormulas : Words::Of::kMaps)) continue;
      for (std::string_view rest = one.texts; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        all.emplace(rest.substr(0, end), one);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    for (const Builtin& one : kBuiltins)
      all.emplace(one.name, is_map ? Words{one.name, TokenKind::kBuiltin}
                                   : Words{.texts = one.name, .refusal = kOfMaps});
    for (const char* const one : kFormulaBuiltins)
      if (!is_map) all.insert_or_assign(one, Words{one, TokenKind::kBuiltin});
    return all;
  };
  static const std::unordered_map<std::string_view, Words> of_maps = words_of(true);
  static const std::unordered_map<std::string_view, Words> of_formulas = words_of(false);
  const auto& words = language == CodeLanguage::kMap ? of_maps : of_formulas;
  const auto found = words.find(text);
  return found == words.end() ? nullptr : &found->second;
}

constexpr OperatorInfo kOperators[] = {{"||", kBindsOr},
                                       {"&&", kBindsAnd},
                                       {"|", 3, Op::kOr32},
                                       {"^", 4, Op::kXor32},
                                       {"&", 5, Op::kAnd32},
                                       {"==", 6, Op::kEqual32, false, false, Op::kEqualF32},
                                       {"!=", 6, Op::kNotEqual32, false, false, Op::kNotEqualF32},
                                       {"<", 7, Op::kLessS32, true, false, Op::kLessF32},
                                       {">", 7, Op::kLessS32, true, true, Op::kLessF32},
                                       {"<=", 7, Op::kLessEqualS32, true, false, Op::kLessEqualF32},
                                       {">=", 7, Op::kLessEqualS32, true, true, Op::kLessEqualF32},
                                       {"<<", 8, Op::kShl32},
                                       {">>", 8, Op::kShrS32, true},
                                       {"+", 9, Op::kAdd32, false, false, Op::kAddF32},
                                       {"-", 9, Op::kSub32, false, false, Op::kSubF32},
                                       {"*", 10, Op::kMul32, false, false, Op::kMulF32},
                                       {"/", 10, Op::kDivS32, true, false, Op::kDivF32},
                                       {"%", 10, Op::kRemS32, true}};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The token at the begin of a text that does not begin with a space.
CodeToken token_at(std::string_view rest, bool first_on_line, CodeLanguage language) {
  constexpr std::string_view kLong[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
  const char c = rest.front();
  const std::size_t line_end = std::min(rest.find('\n'), rest.size());
  CodeToken token{TokenKind::kOperator, 0, 1};
  if (rest.starts_with("//")) return {TokenKind::kComment, 0, line_end};
  if (rest.starts_with("/*")) {
    const std::size_t end = rest.find("*/", 2);
    return {TokenKind::kComment, 0, end == std::string_view::npos ? rest.size() : end + 2};
  }
  if (c == '#' && first_on_line) return {TokenKind::kDirective, 0, line_end};
  const bool is_real = language != CodeLanguage::kMap;
  const bool is_number = is_digit(c) || (is_real && c == '.' && rest.size() > 1 && is_digit(rest[1]));
  if (is_letter(c) || is_number) {
    const bool has_exponent = is_real && is_number && !rest.starts_with("0x") && !rest.starts_with("0X");
    const auto belongs = [&](char next) {
      const char before = rest[token.length - 1];
      return is_letter(next) || is_digit(next) || (next == '.' && is_number) ||
             (has_exponent && (next == '+' || next == '-') && (before == 'e' || before == 'E'));
    };
    while (token.length < rest.size() && belongs(rest[token.length])) ++token.length;
    const Words* const word = find_word(rest.substr(0, token.length), language);
    token.kind = is_number ? TokenKind::kNumber : word != nullptr ? word->kind : TokenKind::kWord;
  } else if (c == '"' || c == '\'') {
    while (token.length < line_end && rest[token.length] != c)
      token.length += rest[token.length] == '\\' ? 2 : 1;
    return {TokenKind::kText, 0, std::min(token.length + 1, line_end)};
  } else {
    const auto* const sign =
        std::ranges::find_if(kLong, [&](std::string_view text) { return rest.starts_with(text); });
    if (sign != std::end(kLong)) token.length = sign->size();
    if (std::string_view("+-*/%&|^~!<>=?:;,.(){}[]#").find(c) == std::string_view::npos)
      token.kind = TokenKind::kInvalid;
  }
  return token;
}

}  // namespace

const OperatorInfo* find_operator(std::string_view text) {
  const auto* const found = std::ranges::find(kOperators, text, &OperatorInfo::text);
  return found == std::end(kOperators) ? nullptr : found;
}

std::vector<CodeToken> tokens_of(std::string_view code, CodeLanguage language) {
  std::vector<CodeToken> tokens;
  tokens.reserve(code.size() / 3);
  std::size_t line_begin = 0;
  int line = 1;
  bool first_on_line = true;
  for (std::size_t i = 0; i < code.size();) {
    std::size_t length = 1;
    if (std::string_view(" \t\r\n").find(code[i]) == std::string_view::npos) {
      CodeToken token = token_at(code.substr(i), first_on_line, language);
      token.begin = i;
      token.line = line;
      token.column = static_cast<int>(i - line_begin) + 1;
      first_on_line = false;
      length = token.length;
      tokens.push_back(token);
    }
    for (const std::size_t end = i + length; i < end; ++i) {
      if (code[i] != '\n') continue;
      ++line;
      line_begin = i + 1;
      first_on_line = length == 1;
    }
  }
  return tokens;
}

std::string_view refusal_of(std::string_view word, CodeLanguage language) {
  const Words* const known = find_word(word, language);
  return known == nullptr ? std::string_view() : known->refusal;
}

std::vector<std::string_view> member_names(Type type) {
  std::vector<std::string_view> names;
  for (const char* const one : info(type).members)
    if (one != nullptr) names.emplace_back(one);
  for (std::size_t i = kFractalUniforms; type == Type::kFractal && i < kUniforms.size(); ++i)
    names.emplace_back(kUniforms[i][1]);
  return names;
}

CodeCounts count_operators(std::string_view code, const std::vector<CodeToken>& tokens) {
  constexpr std::string_view kOthers[] = {"++", "--", "~", "!", "?"};
  CodeCounts counts;
  for (const CodeToken& token : tokens) {
    if (token.kind != TokenKind::kOperator) continue;
    const std::string_view text = code.substr(token.begin, token.length);
    const std::string_view without =
        text.size() > 1 && text.back() == '=' ? text.substr(0, text.size() - 1) : text;
    counts.divisions += without == "/" || without == "%" ? 1 : 0;
    counts.operators += find_operator(text) != nullptr || find_operator(without) != nullptr ||
                                std::ranges::find(kOthers, text) != std::end(kOthers)
                            ? 1
                            : 0;
  }
  return counts;
}

}  // namespace loom
