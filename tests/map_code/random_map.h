#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace loom::test {

/// Writes random maps with loops, branches, calls and arrays. They end: loops and recursion count down.
class RandomMap {
 public:
  explicit RandomMap(std::uint32_t seed) : random_(seed) {}

  std::string text() {
    std::string text =
        "__constant__ int table[8] = {3, -1, 4, 1, -5, 9, 2, 6};\n"
        "__constant__ long wide_table[4] = {1LL << 40, -7, 5, 1};\n";
    const int functions = pick(3);
    for (int i = 0; i < functions; ++i) {
      begin({"a", "b"});
      text += "long g" + std::to_string(i) + "(int a, unsigned b) {\n" + body(2 + pick(3), 2) + "  return " +
              expression(3) + ";\n}\n";
      ++functions_;
    }
    if (pick(3) == 0) {
      begin({"n", "m"});
      text += "int r(int n, int m) {\n  if (n <= 0) return m;\n" + body(1 + pick(2), 1) +
              "  return r(n - 1 - (m & 1), " + expression(2) + ") + n;\n}\n";
      recurses_ = true;
    }
    text += "__host__ Launch launch(Fractal f) { return grid2d(2, 2, " + std::to_string(4 + pick(13)) +
            ", 4); }\n";
    begin({"i", "t"});
    text +=
        "__device__ Cell cell_of_thread(Fractal f) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  unsigned t = threadIdx.y * 7 + blockIdx.y;\n";
    text += body(3 + pick(6), 3);
    text += "  return cell(" + expression(3) + ", " + expression(3) + ");\n}\n";
    return text;
  }

 private:
  /// A function with these parameters.
  void begin(std::vector<std::string> parameters) {
    scope_ = std::move(parameters);
    arrays_.clear();
    cells_.clear();
  }
  int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  template <std::size_t n>
  std::string one_of(const char* const (&words)[n]) {
    return words[pick(static_cast<int>(n))];
  }
  std::string name() { return scope_[static_cast<std::size_t>(pick(static_cast<int>(scope_.size())))]; }

  /// A variable or an element that can be changed.
  std::string place() {
    if (!arrays_.empty() && pick(3) == 0) {
      const auto& [array, size] = arrays_[static_cast<std::size_t>(pick(static_cast<int>(arrays_.size())))];
      if (size < 0) return array + "[" + index(2) + "][" + index(-size) + "]";
      return array + "[" + index(size) + "]";
    }
    if (!cells_.empty() && pick(5) == 0)
      return cells_[static_cast<std::size_t>(pick(static_cast<int>(cells_.size())))] +
             (pick(2) == 0 ? ".x" : ".y");
    return name();
  }
  /// In the array, but for one of many.
  std::string index(int size) {
    if (pick(60) == 0) return name() + " & 7";
    if (pick(3) == 0) return std::to_string(pick(size));
    return "(unsigned)(" + expression(1) + ") % " + std::to_string(size);
  }

  std::string expression(int depth) {
    if (depth == 0 || pick(8) == 0) {
      switch (pick(9)) {
        case 0:
          return std::to_string(pick(100));
        case 1:
          return one_of({"0x7fffffff", "2147483648u", "0xffffffff", "1LL << 35", "(-2147483647 - 1)", "'a'",
                         "-1", "077"});
        case 2:
          return one_of({"blockIdx.x", "threadIdx.y", "blockDim.x", "gridDim.y", "table[3]", "threadIdx.x"});
        default:
          return place();
      }
    }
    const auto sub = [&] { return expression(depth - 1); };
    switch (pick(17)) {
      case 0:
        return "(" + sub() + one_of({" / ", " % "}) + "((" + sub() + ") | 1))";
      case 1:
        return "(" + sub() + one_of({" << ", " >> "}) + sub() + ")";
      case 2:
        return "(" + sub() + one_of({" < ", " > ", " <= ", " >= ", " == ", " != "}) + sub() + ")";
      case 3:
        return "(" + sub() + one_of({" && ", " || "}) + sub() + ")";
      case 4:
        return "(" + sub() + " ? " + sub() + " : " + sub() + ")";
      case 5:
        return one_of({"(char)", "(short)", "(unsigned char)", "(unsigned short)", "(bool)", "(long)",
                       "(unsigned)", "(unsigned long)", "(int)"}) +
               "(" + sub() + ")";
      case 6:
        return one_of({"-", "~", "!", "+"}) + ("(" + sub() + ")");
      case 7:
        if (functions_ > 0) return "g" + std::to_string(pick(functions_)) + "(" + sub() + ", " + sub() + ")";
        return sub();
      case 8:
        if (recurses_) return "r(" + std::to_string(pick(5)) + ", " + sub() + ")";
        return one_of({"min(", "max(", "replica_at(", "is_cell("}) + sub() + ", " + sub() + ")";
      case 9:
        return one_of({"offset_x(", "offset_y("}) + sub() + ")";
      case 10:
        return "power(" + sub() + ", " + std::to_string(pick(9)) + ")";
      case 11:
        return "(" + place() +
               one_of({" = ", " += ", " -= ", " *= ", " &= ", " |= ", " ^= ", " <<= ", " >>= "}) + sub() +
               ")";
      case 12:
        return pick(2) == 0 ? "(" + one_of({"++", "--"}) + place() + ")"
                            : "(" + place() + one_of({"++", "--"}) + ")";
      case 13:
        return pick(2) == 0 ? "table[" + index(8) + "]" : "wide_table[" + index(4) + "]";
      case 14:
        return "(" + sub() + ", " + sub() + ")";
      default:
        return "(" + sub() + one_of({" + ", " - ", " * ", " & ", " | ", " ^ "}) + sub() + ")";
    }
  }

  std::string body(int statements, int depth) {
    std::string text;
    for (int i = 0; i < statements; ++i) text += statement(depth);
    return text;
  }
  std::string block(int statements, int depth) {
    const auto names = scope_;
    const auto arrays = arrays_;
    const auto cells = cells_;
    std::string text = "{\n" + body(statements, depth) + "}\n";
    scope_ = names;
    arrays_ = arrays;
    cells_ = cells;
    return text;
  }

  std::string statement(int depth) {
    const std::string fresh = "v" + std::to_string(names_++);
    switch (depth == 0 ? pick(6) : pick(12)) {
      case 0: {
        std::string text =
            one_of({"int ", "unsigned ", "long ", "unsigned long ", "short ", "char ", "bool "}) + fresh;
        if (pick(5) != 0) text += " = " + expression(3);
        scope_.push_back(fresh);
        return text + ";\n";
      }
      case 1: {
        const int size = 2 + pick(5);
        std::string text = one_of({"int ", "long ", "short "}) + fresh;
        if (pick(4) == 0) {
          arrays_.emplace_back(fresh, -size);
          return text + "[2][" + std::to_string(size) + "] = {{" + expression(1) + "}, {1, " + expression(1) +
                 "}};\n";
        }
        arrays_.emplace_back(fresh, size);
        return text + "[" + std::to_string(size) + "]" +
               (pick(2) == 0 ? " = {" + expression(2) + "};\n" : ";\n");
      }
      case 2: {
        std::string text = "Cell " + fresh + " = " + (pick(2) == 0 ? "cell(" : "i_cell ? cell(1, 2) : cell(");
        if (text.find("i_cell") != std::string::npos)
          text = "Cell " + fresh + " = " + expression(1) + " ? none() : cell(";
        text += expression(2) + ", " + expression(2) + ");\n";
        cells_.push_back(fresh);
        return text;
      }
      case 3:
      case 4:
      case 5:
        return place() + one_of({" = ", " += ", " ^= ", " -= "}) + expression(3) + ";\n";
      case 6:
      case 7: {
        std::string text = "if (" + expression(3) + ") " + block(1 + pick(3), depth - 1);
        if (pick(2) == 0) text += "else " + block(1 + pick(3), depth - 1);
        return text;
      }
      case 8:
      case 9: {
        // Nobody else changes the counter.
        std::string text =
            "for (int " + fresh + " = (" + expression(2) + ") & 7; " + fresh + " > 0; --" + fresh + ") ";
        ++loops_;
        text += block(1 + pick(3), depth - 1);
        --loops_;
        return text;
      }
      case 10: {
        std::string text = "{ int " + fresh + " = (" + expression(2) + ") & 3;\n";
        ++loops_;
        text += pick(2) == 0 ? "while (" + fresh + "-- > 0) " + block(1 + pick(2), depth - 1)
                             : "do " + block(1 + pick(2), depth - 1) + " while (" + fresh + "-- > 0);\n";
        --loops_;
        return text + "}\n";
      }
      default: {
        if (loops_ > 0 && pick(2) == 0)
          return "if (" + expression(2) + ") " + one_of({"break;\n", "continue;\n"});
        std::string text = "switch ((" + expression(2) + ") & 3) {\n";
        const int labels = 1 + pick(4);
        for (int i = 0; i < labels; ++i) {
          text += i == labels - 1 && pick(2) == 0 ? "default:\n" : "case " + std::to_string(i) + ":\n";
          text += block(1 + pick(2), depth - 1);
          if (pick(2) == 0) text += "break;\n";
        }
        return text + "}\n";
      }
    }
  }

  std::mt19937 random_;
  std::vector<std::string> scope_;
  std::vector<std::pair<std::string, int>> arrays_;  ///< and elements; negative: 2 rows of them
  std::vector<std::string> cells_;
  int functions_ = 0;
  bool recurses_ = false;
  int names_ = 0;
  int loops_ = 0;
};

}  // namespace loom::test
