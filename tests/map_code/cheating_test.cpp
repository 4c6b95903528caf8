// Submissions that want to pass without a map that is right: each is refused at its line, or fails.

#include <gtest/gtest.h>

#include <ctime>

#include "app/exercises/exercise.h"

namespace loom::app {
namespace {

struct Cheat {
  const char* name;
  const char* exercise;
  std::string code;
  std::vector<std::string> problem;  ///< parts of Grade::problem
};

/// launch() of the exercise "lambda-gasket", and a body on line 3 of cell_of_thread().
std::string gasket(const std::string& body, const std::string& before = "// no globals") {
  return before +
         "\n__host__ Launch launch(Fractal f) { return grid1d(f.cells / 27, 27); }\n"
         "__device__ Cell cell_of_thread(Fractal f) { " +
         body + " }\n";
}

/// λ, with `then` before the cell is returned; `launch`: what launch() returns.
std::string lambda(const std::string& launch, const std::string& then = "") {
  return "__host__ Launch launch(Fractal f) { return " + launch +
         "; }\n"
         "__device__ Cell cell_of_thread(Fractal f) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i >= f.cells) return none();\n"
         "  int x = 0, y = 0, side_x = 1, side_y = 1;\n"
         "  for (int level = 0; level < f.level; ++level) {\n"
         "    x += offset_x(i % f.k) * side_x;\n"
         "    y += offset_y(i % f.k) * side_y;\n"
         "    i /= f.k;\n"
         "    side_x *= f.s_x;\n"
         "    side_y *= f.s_y;\n"
         "  }\n" +
         then +
         "  return cell(x, y);\n"
         "}\n";
}

/// Code that finds the cells one after the other, where `next` is kept between threads.
constexpr const char* kNextCell =
    "while (next < f.width * f.height && !is_cell(next % f.width, next / f.width)) ++next;"
    "int p = next++; return cell(p % f.width, p / f.width);";

/// A constant table of the cells of the gasket at this level, in the order of the square.
std::string table_of_answers(int level) {
  std::string table;
  int cells = 0;
  for (int y = 0; y < 1 << level; ++y) {
    for (int x = 0; x <= y; ++x) {
      if ((x & ((1 << level) - 1 - y)) != 0) continue;
      table += (cells == 0 ? "" : ", ") + std::to_string(y << level | x);
      ++cells;
    }
  }
  return "__constant__ int answers[" + std::to_string(cells) + "] = {" + table + "};";
}

std::string calls_within_each_other(const char* functions) {
  return gasket("return cell(g(0), 0);", functions);
}

std::vector<Cheat> cheats() {
  const std::string number = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
  return {
      // What threads would share.
      {"counter in a global", "lambda-gasket", gasket(kNextCell, "int next = 0;"), {"line "}},
      {"counter in a __device__ global",
       "lambda-gasket",
       gasket(kNextCell, "__device__ int next;"),
       {"line "}},
      {"counter in a static",
       "lambda-gasket",
       gasket(std::string("static int next = 0;") + kNextCell),
       {"line 3"}},
      {"counter in shared memory",
       "lambda-gasket",
       gasket(std::string("__shared__ int next;") + kNextCell),
       {"line 3"}},
      {"cells remembered in a global array",
       "lambda-gasket",
       gasket("int p = 0; while (seen[p] || !is_cell(p % f.width, p / f.width)) ++p; seen[p] = 1;"
              "return cell(p % f.width, p / f.width);",
              "int seen[65536];"),
       {"line "}},
      {"writing into a constant",
       "lambda-gasket",
       gasket("last[0] += 1; return cell(last[0], 0);", "__constant__ int last[2] = {0, 0};"),
       {"line 3"}},
      {"what the warp before left in a variable",
       "lambda-gasket",
       gasket(std::string("int next;") + kNextCell),
       {"level 6"}},
      {"what the warp before left in an array",
       "lambda-gasket",
       gasket("int seen[64]; seen[f.level] += 1; int next = seen[f.level] - 1;" + std::string(kNextCell)),
       {"level 6"}},
      {"counting up an index", "lambda-gasket", gasket("blockIdx.x += 1; return cell(blockIdx.x, 0);"), {""}},
      // Answers that are known for the levels that are shown.
      {"table of answers for f.cells",
       "lambda-gasket",
       gasket(number + "if (f.cells != 729) return none(); int p = answers[i]; return cell(p % 64, p / 64);",
              table_of_answers(6)),
       {"level 9", "missed"}},
      {"switch over the levels that are shown",
       "bounding-box",
       "__host__ Launch launch(Fractal f) { return grid2d(4, 4, 16, 16); }\n"
       "__device__ Cell cell_of_thread(Fractal f) {\n"
       "  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;\n"
       "  switch (f.level) { case 6: return x & (63 - y) ? none() : cell(x, y); case 5: return cell(x, y); "
       "}\n"
       "  return none();\n"
       "}\n",
       {"vicsek, level 3", "125 of 125 cells are missed"}},
      {"one fractal instead of any",
       "lambda",
       lambda("grid1d(f.cells / 5, 5)", "  if (f.k != 5) y = x;\n"),
       {"sierpinski-gasket"}},
      // Text that looks like another.
      {"hidden by a backslash before a newline",
       "lambda-gasket",
       gasket("// a comment \\\nint next = 0;\nreturn none();"),
       {""}},
      {"code behind a comment that a backslash continues",
       "lambda-gasket",
       "int a; // \\\n*/ int next = 0;\n" + gasket("return none();"),
       {"line "}},
      {"trigraph",
       "lambda-gasket",
       gasket("// what?"
              "?/\nreturn none();"),
       {""}},
      {"macro", "lambda-gasket", gasket("return none();", "#define none() cell(0, 0)"), {"line 1"}},
      {"a name of the language defined anew",
       "lambda-gasket",
       gasket("return cell(0, 0);", "__device__ int is_cell(int x, int y) { return 1; }"),
       {"line 1"}},
      {"launch() defined twice",
       "lambda-gasket",
       gasket("return none();", "__host__ Launch launch(Fractal f) { return grid1d(1, 1); }"),
       {"line "}},
      // Reaching for what is around the map.
      {"forged message", "lambda-gasket", gasket("write(1, 13, 8); return none();"), {"line 3", "write"}},
      {"forged message of the program", "lambda-gasket", gasket("loom_done(1); return none();"), {"line 3"}},
      {"assembly", "lambda-gasket", gasket("asm(\"syscall\"); return none();"), {"line 3"}},
      {"pointer", "lambda-gasket", gasket("int *p = 0; return cell(*p, 0);"), {"line 3"}},
      {"index before an array",
       "lambda-gasket",
       gasket(number + "int a[4]; return cell(a[-1 - i], 0);"),
       {"line 3"}},
      {"index behind an array",
       "lambda-gasket",
       gasket(number + "int a[4]; a[i + 4] = 1; return cell(a[0], 0);"),
       {"line 3"}},
      {"index that wraps",
       "lambda-gasket",
       gasket("int a[4]; return cell(a[2147483647 + f.k * 7], 0);"),
       {"line 3"}},
      // Whatever ends the grading.
      {"endless loop", "lambda-gasket", gasket("for (;;) {}"), {""}},
      {"endless loop of one lane",
       "lambda-gasket",
       gasket(number + "while (i == 700) {} return cell(0, 0);"),
       {""}},
      {"endless loop in launch()",
       "lambda-gasket",
       "__host__ Launch launch(Fractal f) { while (1) {} return grid1d(1, 1); }\n"
       "__device__ Cell cell_of_thread(Fractal f) { return none(); }\n",
       {"launch"}},
      {"a long loop in every thread",
       "lambda-gasket",
       gasket("int s = 0; for (int n = 0; n < 100000000; ++n) s += n; return cell(s, 0);"),
       {""}},
      {"deep recursion",
       "lambda-gasket",
       calls_within_each_other("__device__ int g(int n) { return g(n + 1) + 1; }"),
       {"line 1"}},
      {"recursion of two functions",
       "lambda-gasket",
       calls_within_each_other("__device__ int h(int n); __device__ int g(int n) { return h(n); }"
                               " __device__ int h(int n) { return g(n + 1); }"),
       {"line 1"}},
      {"huge array",
       "lambda-gasket",
       gasket("int a[500000000]; a[1] = 2; return cell(a[1], 0);"),
       {"line 3"}},
      {"huge constant array",
       "lambda-gasket",
       gasket("return cell(a[1], 0);", "__constant__ int a[500000000];"),
       {"line 1"}},
      {"array of a size that wraps",
       "lambda-gasket",
       gasket("int a[65536][65536]; return cell(a[1][1], 0);"),
       {"line 3"}},
      {"launch of a size that wraps",
       "lambda-gasket",
       "__host__ Launch launch(Fractal f) { return grid2d(1L << 62, 1L << 62, 1024, 1); }\n"
       "__device__ Cell cell_of_thread(Fractal f) { return none(); }\n",
       {""}},
      {"as many threads as are allowed", "lambda-gasket", lambda("grid1d(16384, 1024)"), {"idle"}},
      {"division by zero", "lambda-gasket", gasket(number + "return cell(7 / (i - 700), 0);"), {"line 3"}},
      {"the least number by -1",
       "lambda-gasket",
       gasket("int m = 1 << 31; return cell(m / (f.k - 4), 0);"),
       {"line 3"}},
      {"brackets",
       "lambda-gasket",
       gasket("return cell(" + std::string(20000, '(') + "1" + std::string(20000, ')') + ", 0);"),
       {""}},
      {"a megabyte", "lambda-gasket", gasket("return none();") + std::string(1000000, ' '), {"65536"}},
      // Numbers that look better than the map is.
      {"one thread per block, so that no request has more than a sector",
       "coalesced",
       "__host__ Launch launch(Fractal f) { return grid2d(f.width, f.height, 1, 1); }\n"
       "__device__ Cell cell_of_thread(Fractal f) {\n"
       "  return is_cell(blockIdx.x, blockIdx.y) ? cell(blockIdx.x, blockIdx.y) : none();\n"
       "}\n",
       {"idle"}},
      {"one thread per block, so that no branch diverges",
       "no-divergence",
       lambda("grid1d(f.cells, 1)", "  if (x == 1) y = 0 + y;\n"),
       {"idle"}},
      {"warps without a cell, to lower the average of the divisions",
       "shifts",
       lambda("grid1d(f.cells, 64)"),
       {"idle"}},
      {"division in a function",
       "shifts",
       "__device__ int part(int a, int b) { return a / b; }\n" +
           lambda("grid1d(f.cells >> 6, 64)", "  x = part(x * 2, 2);\n"),
       {"divisions"}},
      {"division in a compound assignment",
       "shifts",
       lambda("grid1d(f.cells >> 6, 64)", "  x *= 2; x /= 2;\n"),
       {"divisions"}},
      {"another thread's cell as well",
       "lambda-gasket",
       lambda("grid1d(f.cells / 27, 27)", "  return cell(0, 0), cell(1, 1);\n"),
       {""}},
      {"a cell outside of the square that wraps around",
       "lambda-gasket",
       lambda("grid1d(f.cells / 27, 27)", "  x += f.width;\n  y -= 1;\n"),
       {"outside"}},
  };
}

TEST(Cheating, NoneOfTheSubmissionsPassesOrTakesLong) {
  const std::vector<Cheat> all = cheats();
  ASSERT_GE(all.size(), 40u);
  for (const Cheat& cheat : all) {
    SCOPED_TRACE(cheat.name);
    const Grader grader(find_exercise(cheat.exercise));
    const std::clock_t begin = std::clock();  // not of other programs
    const Grade grade = grader.grade(cheat.code);
    EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC);
    EXPECT_FALSE(grade.passed);
    EXPECT_NE(grade.problem, "");
    EXPECT_EQ(grade.problem.find('\n'), std::string::npos) << grade.problem;
    for (const std::string& part : cheat.problem)
      EXPECT_NE(grade.problem.find(part), std::string::npos) << "'" << part << "' in: " << grade.problem;
  }
}

// What the cheats are made of is right where it is used honestly.
TEST(Cheating, TheSameCodeWithoutTheTrickPasses) {
  EXPECT_TRUE(Grader(find_exercise("lambda-gasket")).grade(lambda("grid1d(f.cells / 27, 27)")).passed);
  const Grade comment = Grader(find_exercise("lambda-gasket"))
                            .grade("// static int next; goto; *p \"\n" + lambda("grid1d(f.cells / 27, 27)"));
  EXPECT_TRUE(comment.passed) << comment.problem;
}

// Only an exercise that asks for nothing else lets idle warps through: its counts must not get better by
// them.
TEST(Cheating, IdleWarpsDoNotLowerAnAverage) {
  const auto divisions = [](const std::string& code) {
    const Exercise exercise = parse_exercise(
        "title = \"a\"\ntask = \"b\"\nstarter = \"c\"\n[require]\ndivisions = 1\n[[case]]\nfractal = "
        "\"chandelier\"\n"
        "level = 4\n",
        "mine.toml");
    const Grade grade = Grader(exercise).grade(code);
    EXPECT_EQ(grade.requirements.size(), 2u) << grade.problem;
    return grade.requirements.empty() ? "" : grade.requirements.back().found;
  };
  EXPECT_EQ(divisions(lambda("grid1d(f.cells / 64, 64)")), divisions(lambda("grid1d(f.cells, 64)")));
}

}  // namespace
}  // namespace loom::app
