#include "compute/custom_map/map_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "compute/core/input_text.h"

namespace loom {
namespace {

constexpr std::array<std::string_view, 18> kKeywords = {
    "if",     "else",     "for",   "while",  "do",   "switch", "case",     "default",    "break",
    "return", "continue", "const", "static", "true", "false",  "__host__", "__device__", "__constant__"};

constexpr std::array<std::string_view, 9> kTypes = {"int",  "unsigned", "long", "short", "char",
                                                    "bool", "void",     "Cell", "Launch"};

constexpr std::array<std::string_view, 16> kBuiltins = {
    "Fractal",  "blockIdx", "blockDim",   "gridDim", "threadIdx", "cell",  "none", "is_cell",
    "offset_x", "offset_y", "replica_at", "grid1d",  "grid2d",    "power", "min",  "max"};

/// Words of C and C++ that the subset leaves out, with the reason.
struct Refused {
  std::string_view word;
  std::string_view reason;
};
constexpr std::array kRefused = {
    Refused{"asm", "assembly is not allowed"},
    Refused{"goto", "goto is not allowed; allowed: if, for, while, do, switch, break, continue"},
    Refused{"struct", "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell"},
    Refused{"union", "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell"},
    Refused{"enum", "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell"},
    Refused{"typedef", "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell"},
    Refused{"class", "own types are not allowed; allowed: int, unsigned, long, short, char, bool, Cell"},
    Refused{"template", "templates are not allowed; write a function"},
    Refused{"extern", "extern is not allowed; a map uses only its own functions and those of the language"},
    Refused{"register", "register is not allowed"},
    Refused{"volatile", "volatile is not allowed"},
    Refused{"auto", "auto is not allowed; name the type, for example int"},
    Refused{"float", "floating point is not allowed; allowed: integer arithmetic"},
    Refused{"double", "floating point is not allowed; allowed: integer arithmetic"},
    Refused{"sizeof", "sizeof is not allowed"},
    Refused{"inline", "inline is not needed here; leave it out"},
    Refused{"typeof", "typeof is not allowed; name the type"},
    Refused{"new", "memory cannot be allocated; allowed: arrays of a fixed size"},
    Refused{"delete", "memory cannot be allocated; allowed: arrays of a fixed size"},
    Refused{"using", "using is not allowed"},
    Refused{"namespace", "namespaces are not allowed"},
    Refused{"this", "this is not allowed"},
};

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

TokenKind kind_of_word(std::string_view word) {
  if (contains(kKeywords, word)) return TokenKind::kKeyword;
  if (contains(kTypes, word)) return TokenKind::kType;
  if (contains(kBuiltins, word)) return TokenKind::kBuiltin;
  return TokenKind::kWord;
}

constexpr std::array<std::string_view, 23> kLongOperators = {
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
    "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

/// Whether a value can end with this token, so that a following * or & is a binary operator.
bool ends_value(const CodeToken& token, std::string_view text) {
  switch (token.kind) {
    case TokenKind::kNumber:
    case TokenKind::kText:
    case TokenKind::kWord:
      return true;
    case TokenKind::kBuiltin:
      return text != "Fractal";
    case TokenKind::kKeyword:
      return text == "true" || text == "false";
    case TokenKind::kOperator:
      return text == ")" || text == "]" || text == "++" || text == "--";
    default:
      return false;
  }
}

/// Whether the parenthesis that ends at `close` holds only the name of a type: a cast, or parameters.
bool holds_type(std::string_view code, const std::vector<CodeToken>& tokens, std::size_t close) {
  std::size_t i = close;
  bool any = false;
  while (i-- > 0) {
    const std::string_view text = code.substr(tokens[i].begin, tokens[i].length);
    if (text == "(") return any;
    if (tokens[i].kind != TokenKind::kType && text != "Fractal" && text != "const") return false;
    any = true;
  }
  return false;
}

CodeProblem at(const CodeToken& token, std::string message) {
  return {token.line, token.column, static_cast<int>(token.length), std::move(message)};
}

constexpr std::string_view kPointer =
    "pointers are not allowed; allowed: numbers, Cell, and arrays of a fixed size";

std::vector<CodeToken> without_comments(std::string_view code) {
  std::vector<CodeToken> tokens = tokens_of(code);
  std::erase_if(tokens, [](const CodeToken& token) { return token.kind == TokenKind::kComment; });
  return tokens;
}

}  // namespace

std::string to_string(const CodeProblem& problem) {
  if (problem.line == 0) return problem.message;
  if (problem.column == 0) return fmt::format("line {}: {}", problem.line, problem.message);
  return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.message);
}

std::vector<CodeToken> tokens_of(std::string_view code) {
  std::vector<CodeToken> tokens;
  std::size_t i = 0;
  std::size_t line_begin = 0;
  int line = 1;
  std::size_t line_end = std::min(code.find('\n'), code.size());
  bool first_on_line = true;
  while (i < code.size()) {
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
    if (line_end < i) line_end = std::min(code.find('\n', i), code.size());
    const std::string_view line_rest = rest.substr(0, line_end - i);
    if (rest.starts_with("//")) {
      token.kind = TokenKind::kComment;
      token.length = line_rest.size();
    } else if (rest.starts_with("/*")) {
      token.kind = TokenKind::kComment;
      const std::size_t end = rest.find("*/", 2);
      token.length = end == std::string_view::npos ? rest.size() : end + 2;
    } else if (c == '#' && first_on_line) {
      token.kind = TokenKind::kDirective;
      token.length = line_rest.size();
    } else if (is_letter(c)) {
      while (token.length < rest.size() && (is_letter(rest[token.length]) || is_digit(rest[token.length])))
        ++token.length;
      token.kind = kind_of_word(rest.substr(0, token.length));
    } else if (is_digit(c)) {
      token.kind = TokenKind::kNumber;
      while (token.length < rest.size() &&
             (is_letter(rest[token.length]) || is_digit(rest[token.length]) || rest[token.length] == '.'))
        ++token.length;
    } else if (c == '"' || c == '\'') {
      token.kind = TokenKind::kText;
      while (token.length < line_rest.size() && line_rest[token.length] != c)
        token.length += line_rest[token.length] == '\\' ? 2 : 1;
      token.length = std::min(token.length + 1, line_rest.size());
    } else {
      for (const std::string_view sign : kLongOperators) {
        if (!rest.starts_with(sign)) continue;
        token.length = sign.size();
        break;
      }
      constexpr std::string_view kSigns = "+-*/%&|^~!<>=?:;,.(){}[]#";
      if (kSigns.find(c) == std::string_view::npos) token.kind = TokenKind::kInvalid;
    }
    for (std::size_t j = 0; j < token.length; ++j) {
      if (code[i + j] != '\n') continue;
      ++line;
      line_begin = i + j + 1;
    }
    first_on_line = false;
    i += token.length;
    tokens.push_back(token);
  }
  return tokens;
}

std::optional<CodeProblem> check_map_code(std::string_view code) {
  if (code.size() > kMaxMapCode)
    return CodeProblem{0, 0, 0,
                       fmt::format("the code has {} bytes; allowed: up to {}", code.size(), kMaxMapCode)};
  const std::vector<CodeToken> tokens = without_comments(code);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const CodeToken& token = tokens[i];
    const std::string_view text = code.substr(token.begin, token.length);
    const auto text_at = [&](std::size_t j) {
      return j < tokens.size() ? code.substr(tokens[j].begin, tokens[j].length) : std::string_view();
    };
    switch (token.kind) {
      case TokenKind::kDirective:
        return at(token, text.find("include") != std::string_view::npos
                             ? "#include is not allowed; everything that a map may use is there already"
                             : "lines that begin with # are not allowed");
      case TokenKind::kText:
        if (text.front() == '"') return at(token, "strings are not allowed; allowed: integer arithmetic");
        break;
      case TokenKind::kInvalid:
        return at(token, fmt::format("the byte 0x{:02x} is not allowed outside of comments",
                                     static_cast<unsigned char>(text.front())));
      case TokenKind::kNumber: {
        const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
        const bool is_real = text.find('.') != std::string_view::npos ||
                             (!is_hex && text.find_first_of("eEpPfF") != std::string_view::npos);
        if (is_real) return at(token, "floating point is not allowed; allowed: integer arithmetic");
        break;
      }
      case TokenKind::kWord: {
        for (const Refused& refused : kRefused) {
          if (refused.word == text) return at(token, std::string(refused.reason));
        }
        if (text.front() == '_')
          return at(token, fmt::format("'{}': names that begin with _ are reserved; allowed: __host__, "
                                       "__device__, __constant__",
                                       shown(text)));
        if (text.starts_with("loom_"))
          return at(token, fmt::format("'{}': names that begin with loom_ are reserved", shown(text)));
        break;
      }
      case TokenKind::kOperator: {
        if (text == "->" || text == "#" || text == "##" || text == "...")
          return at(token, fmt::format("'{}' is not allowed", text));
        const bool is_value = i > 0 && ends_value(tokens[i - 1], text_at(i - 1)) &&
                              !(text_at(i - 1) == ")" && holds_type(code, tokens, i - 1));
        if ((text == "*" || text == "&") && !is_value) return at(token, std::string(kPointer));
        if (text == "&&" && !is_value) return at(token, std::string(kPointer));
        break;
      }
      default:
        break;
    }
  }
  const auto defines = [&](std::string_view function) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (code.substr(tokens[i].begin, tokens[i].length) == function && code[tokens[i + 1].begin] == '(')
        return true;
    }
    return false;
  };
  if (!defines("launch"))
    return CodeProblem{0, 0, 0, "the map has no function: __host__ Launch launch(Fractal f)"};
  if (!defines("cell_of_thread"))
    return CodeProblem{0, 0, 0, "the map has no function: __device__ Cell cell_of_thread(Fractal f)"};
  return std::nullopt;
}

CodeCounts count_operators(std::string_view code) {
  constexpr std::array<std::string_view, 33> kCounted = {
      "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "<",   ">",   "<=", ">=", "==", "!=", "&&",
      "||", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "?"};
  CodeCounts counts;
  for (const CodeToken& token : tokens_of(code)) {
    if (token.kind != TokenKind::kOperator) continue;
    const std::string_view text = code.substr(token.begin, token.length);
    counts.operators += contains(kCounted, text) ? 1 : 0;
    counts.divisions += text == "/" || text == "%" || text == "/=" || text == "%=" ? 1 : 0;
  }
  return counts;
}

void locate_name(std::string_view code, CodeProblem& problem) {
  const std::size_t open = problem.message.find('\'');
  const std::size_t close = open == std::string::npos ? open : problem.message.find('\'', open + 1);
  if (close == std::string::npos || close == open + 1) return;
  const std::string name = problem.message.substr(open + 1, close - open - 1);
  // A sign that is expected without a line is missing at the end of the text; the first one is no place of
  // it.
  if (problem.line == 0 && !is_letter(name.front())) {
    const std::vector<CodeToken> tokens = without_comments(code);
    if (tokens.empty()) return;
    problem.line = tokens.back().line;
    problem.column = tokens.back().column;
    problem.length = static_cast<int>(tokens.back().length);
    return;
  }
  for (const CodeToken& token : tokens_of(code)) {
    if (token.kind == TokenKind::kComment || code.substr(token.begin, token.length) != name) continue;
    if (problem.line == 0) problem.line = token.line;  // the first use
    if (token.line != problem.line) continue;
    problem.column = token.column;
    problem.length = static_cast<int>(token.length);
    return;
  }
}

std::string_view map_prelude() {
  // For C, the names of CUDA are variables and qualifiers that mean nothing; NVRTC knows them. On a GPU
  // launch() runs there too, and the fractal is a constant of the code (LOOM_FRACTAL and others).
  static constexpr std::string_view kPrelude = R"(
#ifndef __CUDACC__
#define __host__
#define __device__
#define __constant__ static const
#define bool _Bool
#define true 1
#define false 0
typedef struct { unsigned x, y, z; } uint3;
typedef uint3 dim3;
uint3 blockIdx, threadIdx;
dim3 blockDim, gridDim;
#define loom_shared static
#else
#undef __host__
#define __host__ __device__
#define loom_shared static __device__ __forceinline__
#endif

typedef struct { int x, y; } Cell;
typedef struct { long long grid_x, grid_y, block_x, block_y; } Launch;
typedef struct {
  int level, width, height, cells;
  int k, s_x, s_y;
} Fractal;

#ifndef __CUDACC__
Fractal loom_fractal;
int loom_offset_x[64], loom_offset_y[64], loom_replica[64];
#define LOOM_ENTRY(table, entries, least, most, i) table[i]
#else
static constexpr Fractal loom_fractal = {LOOM_FRACTAL};
__constant__ constexpr int loom_offset_x[64] = {LOOM_OFFSETS_X};
__constant__ constexpr int loom_offset_y[64] = {LOOM_OFFSETS_Y};
__constant__ constexpr int loom_replica[64] = {LOOM_REPLICAS};
// Small tables are bits of a constant: lanes that read different entries of constant memory wait for each other.
static __host__ constexpr int loom_width(int range) {
  int width = 1;
  while (range >> width) ++width;
  return width;
}
static __host__ constexpr unsigned long long loom_bits(const int* table, int entries, int least, int width) {
  unsigned long long bits = 0;
  for (int i = 0; i < entries && (i + 1) * width <= 64; ++i)
    bits |= (unsigned long long)(table[i] - least) << (i * width);
  return bits;
}
template <unsigned long long kBits, int kEntries, int kWidth>
loom_shared int loom_entry(const int* table, int least, int i) {
  if constexpr (kEntries * kWidth <= 32) return int((unsigned)kBits >> (i * kWidth) & ((1u << kWidth) - 1)) + least;
  if constexpr (kEntries * kWidth <= 64) return int((unsigned)(kBits >> (i * kWidth)) & ((1u << kWidth) - 1)) + least;
  return table[i];
}
#define LOOM_ENTRY(table, entries, least, most, i) \
  loom_entry<loom_bits(table, entries, least, loom_width(most - (least))), entries, loom_width(most - (least))>( \
      table, least, i)
#endif

loom_shared Cell cell(int x, int y) { Cell c; c.x = x; c.y = y; return c; }
loom_shared Cell none() { return cell(-2147483647 - 1, 0); }
loom_shared Launch grid2d(long long grid_x, long long grid_y, long long block_x, long long block_y) {
  Launch l; l.grid_x = grid_x; l.grid_y = grid_y; l.block_x = block_x; l.block_y = block_y; return l;
}
loom_shared Launch grid1d(long long grid, long long block) { return grid2d(grid, 1, block, 1); }
loom_shared int offset_x(int replica) {
  return replica >= 0 && replica < loom_fractal.k
             ? LOOM_ENTRY(loom_offset_x, loom_fractal.k, 0, loom_fractal.s_x - 1, replica) : 0;
}
loom_shared int offset_y(int replica) {
  return replica >= 0 && replica < loom_fractal.k
             ? LOOM_ENTRY(loom_offset_y, loom_fractal.k, 0, loom_fractal.s_y - 1, replica) : 0;
}
loom_shared int replica_at(int x, int y) {
  if (x < 0 || y < 0 || x >= loom_fractal.s_x || y >= loom_fractal.s_y) return -1;
  return LOOM_ENTRY(loom_replica, loom_fractal.s_x * loom_fractal.s_y, -1, loom_fractal.k - 1,
                    y * loom_fractal.s_x + x);
}
#ifdef LOOM_CELLS
// A byte for each point, which is much faster than the loop.
const char* loom_cells;
loom_shared int is_cell(int x, int y) {
  return (unsigned)x < (unsigned)loom_fractal.width && (unsigned)y < (unsigned)loom_fractal.height
             ? loom_cells[(long long)y * loom_fractal.width + x] : 0;
}
#else
loom_shared int is_cell(int x, int y) {
  int i;
  unsigned s_x = loom_fractal.s_x, s_y = loom_fractal.s_y, rest_x = x, rest_y = y;
  if (x < 0 || y < 0 || x >= loom_fractal.width || y >= loom_fractal.height) return 0;
  for (i = 0; i < loom_fractal.level; ++i) {
    if (replica_at(rest_x % s_x, rest_y % s_y) < 0) return 0;
    rest_x /= s_x;
    rest_y /= s_y;
  }
  return 1;
}
#endif
loom_shared int power(int base, int exponent) {
  int product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}
#ifndef __CUDACC__
loom_shared int min(int a, int b) { return a < b ? a : b; }
loom_shared int max(int a, int b) { return a > b ? a : b; }
#endif
)";
  return kPrelude;
}

}  // namespace loom
