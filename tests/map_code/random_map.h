#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace loom::test {

/// A part of a map, and the same as C++ that evaluates from left to right.
struct Twin {
  Twin(const char* both = "") : map(both), cpp(both) {}
  Twin(const std::string& both) : map(both), cpp(both) {}
  Twin(std::string of_map, std::string of_cpp) : map(std::move(of_map)), cpp(std::move(of_cpp)) {}
  Twin& operator+=(const Twin& other) {
    map += other.map;
    cpp += other.cpp;
    return *this;
  }
  friend Twin operator+(Twin a, const Twin& b) { return a += b; }
  std::string map, cpp;
};

/// Writes random maps with loops, branches, calls and arrays. They end: loops and recursion count down. The
/// C++ shares nothing with the parser of maps; kTwinPrelude in random_test.cpp has what it uses.
class RandomMap {
 public:
  explicit RandomMap(std::uint32_t seed) : random_(seed) {}

  std::string text() { return twin().map; }
  Twin twin() {
    Twin text{
        "__constant__ int table[8] = {3, -1, 4, 1, -5, 9, 2, 6};\n"
        "__constant__ long wide_table[4] = {1LL << 40, -7, 5, 1};\n",
        "static Array<int, 8> table{{3, -1, 4, 1, -5, 9, 2, 6}};\n"
        "static Array<long, 4> wide_table{{1LL << 40, -7, 5, 1}};\n"};
    const int functions = pick(3);
    for (int i = 0; i < functions; ++i) {
      begin({"a", "b"});
      text += "long g" + std::to_string(i) + "(int a, unsigned b) {" + kEnter;
      text += body(2 + pick(3), 2);
      text += "  return " + expression(3) + ";\n}\n";
      ++functions_;
    }
    if (pick(3) == 0) {
      begin({"n", "m"});
      text += "int r(int n, int m) {" + kEnter + "  if (n <= 0) return m;\n";
      text += body(1 + pick(2), 1);
      const Twin sum = binary(call("r", "n - 1 - (m & 1)", expression(2)), "+", "n");
      text += "  return " + sum + ";\n}\n";
      recurses_ = true;
    }
    text += Twin("__host__ Launch launch(Fractal f) { return grid2d(2, 2, " + std::to_string(4 + pick(13)) +
                     ", 4); }\n",
                 "\n");
    begin({"i", "t"});
    text += Twin("__device__ Cell cell_of_thread(Fractal f) {", "static Cell cell_of_thread() {") + kEnter;
    text +=
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  unsigned t = threadIdx.y * 7 + blockIdx.y;\n";
    text += body(3 + pick(6), 3);
    const Twin x = expression(3);
    text += "  return " + call("cell", x, expression(3)) + ";\n}\n";
    return text;
  }

 private:
  inline static const Twin kEnter{"\n", " Depth depth(__LINE__);\n"};

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

  static Twin binary(const Twin& a, const std::string& sign, const Twin& b) {
    return {"(" + a.map + " " + sign + " " + b.map + ")",
            "LOOM_PAIR(" + sign + ", (" + a.cpp + "), (" + b.cpp + "))"};
  }
  static Twin call(const std::string& function, const Twin& a, const Twin& b) {
    return {function + "(" + a.map + ", " + b.map + ")",
            "Pair{(" + a.cpp + "), (" + b.cpp + ")}.call(" + function + ")"};
  }
  static Twin assign(const Twin& place, const std::string& sign, const Twin& value) {
    return {place.map + " " + sign + " " + value.map,
            "LOOM_SET(" + sign + ", (" + place.cpp + "), (" + value.cpp + "))"};
  }
  static Twin element(const std::string& array, const Twin& index) {
    return {array + "[" + index.map + "]", array + "[At{(" + index.cpp + "), __LINE__}]"};
  }

  /// A variable or an element that can be changed.
  Twin place() {
    if (!arrays_.empty() && pick(3) == 0) {
      const auto [array, size] = arrays_[static_cast<std::size_t>(pick(static_cast<int>(arrays_.size())))];
      if (size > 0) return element(array, index(size));
      const Twin row = element(array, index(2));
      const Twin column = element("", index(-size));
      return row + column;
    }
    if (!cells_.empty() && pick(5) == 0) {
      const std::string cell = cells_[static_cast<std::size_t>(pick(static_cast<int>(cells_.size())))];
      return cell + (pick(2) == 0 ? ".x" : ".y");
    }
    return name();
  }
  /// In the array, but for one of many.
  Twin index(int size) {
    if (pick(60) == 0) return name() + " & 7";
    if (pick(3) == 0) return std::to_string(pick(size));
    return "(unsigned)(" + expression(1) + ") % " + std::to_string(size);
  }

  Twin expression(int depth) {
    if (depth == 0 || pick(8) == 0) {
      switch (pick(9)) {
        case 0:
          return std::to_string(pick(100));
        case 1:
          return one_of({"0x7fffffff", "2147483648u", "0xffffffff", "(1LL << 35)", "(-2147483647 - 1)", "'a'",
                         "-1", "077"});
        case 2:
          return one_of({"blockIdx.x", "threadIdx.y", "blockDim.x", "gridDim.y", "table[3]", "threadIdx.x"});
        default:
          return place();
      }
    }
    const auto sub = [&] { return expression(depth - 1); };
    const auto pair = [&](const std::string& sign) {
      const Twin a = sub();
      return binary(a, sign, sub());
    };
    switch (pick(17)) {
      case 0: {
        const std::string sign = one_of({"/", "%"});
        const Twin a = sub();
        return binary(a, sign, "((" + sub() + ") | 1)");
      }
      case 1:
        return pair(one_of({"<<", ">>"}));
      case 2:
        return pair(one_of({"<", ">", "<=", ">=", "==", "!="}));
      case 3: {
        const Twin a = "(" + sub() + one_of({" && ", " || "});
        return a + sub() + ")";
      }
      case 4: {
        const Twin condition = sub();
        const Twin a = sub();
        return Twin("(") + condition + " ? " + a + " : " + sub() + ")";
      }
      case 5:
        return one_of({"(char)", "(short)", "(unsigned char)", "(unsigned short)", "(bool)", "(long)",
                       "(unsigned)", "(unsigned long)", "(int)"}) +
               ("(" + sub() + ")");
      case 6:
        return one_of({"-", "~", "!", "+"}) + ("(" + sub() + ")");
      case 7: {
        if (functions_ == 0) return sub();
        const std::string function = "g" + std::to_string(pick(functions_));
        const Twin a = sub();
        return call(function, a, sub());
      }
      case 8: {
        if (recurses_) {
          const std::string n = std::to_string(pick(5));
          return call("r", n, sub());
        }
        const std::string function = one_of({"min", "max", "replica_at", "is_cell"});
        const Twin a = sub();
        return call(function, a, sub());
      }
      case 9:
        return one_of({"offset_x(", "offset_y("}) + (sub() + ")");
      case 10: {
        const Twin base = sub();
        return call("power", base, std::to_string(pick(9)));
      }
      case 11: {
        const Twin to = place();
        const std::string sign = one_of({"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="});
        return "(" + assign(to, sign, sub()) + ")";
      }
      case 12: {
        const std::string sign = one_of({"++", "--"});
        const std::string by = sign == "++" ? "1" : "-1";
        const bool is_post = pick(2) == 0;
        const Twin to = place();
        return {"(" + (is_post ? to.map + sign : sign + to.map) + ")",
                (is_post ? "post(" : "pre(") + to.cpp + ", " + by + ")"};
      }
      case 13:
        return pick(2) == 0 ? element("table", index(8)) : element("wide_table", index(4));
      case 14: {
        const Twin a = sub();
        return "(" + a + ", " + sub() + ")";
      }
      default:
        return pair(one_of({"+", "-", "*", "&", "|", "^"}));
    }
  }

  Twin body(int statements, int depth) {
    Twin text;
    for (int i = 0; i < statements; ++i) text += statement(depth);
    return text;
  }
  Twin block(int statements, int depth) {
    const auto names = scope_;
    const auto arrays = arrays_;
    const auto cells = cells_;
    Twin text = "{\n" + body(statements, depth) + "}\n";
    scope_ = names;
    arrays_ = arrays;
    cells_ = cells;
    return text;
  }

  /// An array of this type, 1 or 2 rows of it with these first values.
  static Twin array(const std::string& type, const std::string& name, int rows, int size,
                    const std::vector<std::vector<Twin>>& values) {
    const std::string row = "Array<" + type + ", " + std::to_string(size) + ">";
    std::string map = type + " " + name + (rows == 2 ? "[2]" : "") + "[" + std::to_string(size) + "]";
    std::string cpp = (rows == 2 ? "Array<" + row + ", 2>" : row) + " " + name + "{{";
    if (!values.empty()) map += rows == 2 ? " = {" : " = ";
    for (std::size_t i = 0; i < values.size(); ++i) {
      map += i > 0 ? ", {" : "{";
      cpp += rows == 2 ? (i > 0 ? ", {{" : "{{") : "";
      for (std::size_t j = 0; j < values[i].size(); ++j) {
        map += (j > 0 ? ", " : "") + values[i][j].map;
        cpp += (j > 0 ? ", (" : "(") + type + ")(" + values[i][j].cpp + ")";
      }
      map += "}";
      cpp += rows == 2 ? "}}" : "";
    }
    return {map + (rows == 2 && !values.empty() ? "};\n" : ";\n"), cpp + "}};\n"};
  }

  Twin statement(int depth) {
    const std::string fresh = "v" + std::to_string(names_++);
    switch (depth == 0 ? pick(6) : pick(12)) {
      case 0: {
        Twin text =
            one_of({"int ", "unsigned ", "long ", "unsigned long ", "short ", "char ", "bool "}) + fresh;
        text += pick(5) != 0 ? " = " + expression(3) : Twin("", " = 0");
        scope_.push_back(fresh);
        return text + ";\n";
      }
      case 1: {
        const int size = 2 + pick(5);
        const std::string type = one_of({"int", "long", "short"});
        if (pick(4) == 0) {
          const Twin a = expression(1);
          const Twin text = array(type, fresh, 2, size, {{a}, {"1", expression(1)}});
          arrays_.emplace_back(fresh, -size);
          return text;
        }
        std::vector<std::vector<Twin>> values;
        if (pick(2) == 0) values = {{expression(2)}};
        arrays_.emplace_back(fresh, size);
        return array(type, fresh, 1, size, values);
      }
      case 2: {
        Twin text = "Cell " + fresh + " = ";
        if (pick(2) == 0) text += expression(1) + " ? none() : ";
        const Twin x = expression(2);
        text += call("cell", x, expression(2)) + ";\n";
        cells_.push_back(fresh);
        return text;
      }
      case 3:
      case 4:
      case 5: {
        const Twin to = place();
        const std::string sign = one_of({"=", "+=", "^=", "-="});
        return assign(to, sign, expression(3)) + ";\n";
      }
      case 6:
      case 7: {
        Twin text = "if (" + expression(3) + ") ";
        text += block(1 + pick(3), depth - 1);
        if (pick(2) == 0) text += "else " + block(1 + pick(3), depth - 1);
        return text;
      }
      case 8:
      case 9: {
        // Nobody else changes the counter.
        Twin text =
            "for (int " + fresh + " = (" + expression(2) + ") & 7; " + fresh + " > 0; --" + fresh + ") ";
        ++loops_;
        text += block(1 + pick(3), depth - 1);
        --loops_;
        return text;
      }
      case 10: {
        Twin text = "{ int " + fresh + " = (" + expression(2) + ") & 3;\n";
        ++loops_;
        text += pick(2) == 0 ? "while (" + fresh + "-- > 0) " + block(1 + pick(2), depth - 1)
                             : "do " + block(1 + pick(2), depth - 1) + " while (" + fresh + "-- > 0);\n";
        --loops_;
        return text + "}\n";
      }
      default: {
        if (loops_ > 0 && pick(2) == 0) {
          const Twin text = "if (" + expression(2) + ") ";
          return text + one_of({"break;\n", "continue;\n"});
        }
        Twin text = "switch ((" + expression(2) + ") & 3) {\n";
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
