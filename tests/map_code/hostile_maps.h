#pragma once

#include <string>
#include <vector>

#include "map_code/run_for_test.h"

namespace loom::test {

/// Code that must not run, or must be ended, and the part of the message that says why.
struct Hostile {
  const char* name;
  std::string code;
  MapOutcome outcome;
  const char* message;
};

inline std::string launching(const std::string& launch) {
  return "__host__ Launch launch(Fractal f) { return " + launch +
         "; }\n__device__ Cell cell_of_thread(Fractal f) { return none(); }\n";
}

/// Hundreds of functions that are declared, called and not there.
inline std::string flood_of_errors() {
  std::string declarations;
  std::string calls;
  for (int i = 0; i < 300; ++i) {
    declarations += "int g" + std::to_string(i) + "(int);";
    calls += "g" + std::to_string(i) + "(1);";
  }
  return map_with(calls + "return none();", declarations);
}

inline std::vector<Hostile> hostile_maps() {
  using enum MapOutcome;
  return {
      // What leaves the subset.
      {"empty", "", kRejected, "no function: __host__ Launch launch"},
      {"no_cell_of_thread", "__host__ Launch launch(Fractal f) { return grid1d(1, 1); }", kRejected,
       "no function: __device__ Cell"},
      {"text", "hello world", kRejected, "a function expected"},
      {"zero_bytes", std::string("int \0 x;", 8), kRejected, "0x00"},
      {"binary",
       "\x7f"
       "ELF\x02\x01",
       kRejected, "0x7f"},
      {"utf8", "int größe;", kRejected, "0xc3"},
      {"ten_megabytes", std::string(10'000'000, ' '), kRejected, "10000000 bytes"},
      {"include", map_with("return none();", "#include <stdio.h>"), kRejected, "#include is not allowed"},
      {"define", map_with("return none();", "#define for while"), kRejected, "begin with #"},
      {"pragma", map_with("return none();", "  # pragma once"), kRejected, "begin with #"},
      {"asm", map_with("asm(\"hlt\"); return none();"), kRejected, "assembly"},
      {"underscore_asm", map_with("__asm__(\"hlt\"); return none();"), kRejected, "reserved"},
      {"builtin", map_with("__builtin_trap(); return none();"), kRejected, "reserved"},
      {"attribute", map_with("return none();", "int g() __attribute__((constructor));"), kRejected,
       "reserved"},
      {"own_names", map_with("loom_take(1, 0); return none();"), kRejected, "reserved"},
      {"pointer", map_with("int *p = 0; return cell(*p, 0);"), kRejected, "pointers"},
      {"pointer_to_cell", map_with("Cell *p = 0; return none();"), kRejected, "pointers"},
      {"pointer_parameter", map_with("return none();", "int g(int *p) { return 0; }"), kRejected, "pointers"},
      {"unnamed_pointer", map_with("return none();", "int g(int*);"), kRejected, "pointers"},
      {"address", map_with("int x = 3; return cell(&x == 0, 0);"), kRejected, "pointers"},
      {"address_in_call", map_with("int x; g(&x); return none();"), kRejected, "pointers"},
      {"dereference", map_with("return cell(*(int)5, 0);"), kRejected, "pointers"},
      {"dereference_of_cast", map_with("int p = 5; return cell((int)*p, 0);"), kRejected, "pointers"},
      {"function_pointer", map_with("int (*g)(int); return none();"), kRejected, "pointers"},
      {"label_address", map_with("a: return cell(&&a == 0, 0);"), kRejected, "labels"},
      {"arrow", map_with("return cell(f->level, 0);"), kRejected, "'->'"},
      {"string", map_with("return cell(\"abc\"[0], 0);"), kRejected, "strings"},
      {"goto", map_with("goto a; a: return none();"), kRejected, "goto"},
      {"extern", map_with("return none();", "extern int environ;"), kRejected, "extern"},
      {"struct", map_with("return none();", "struct S { int a; };"), kRejected, "own types"},
      {"typedef", map_with("return none();", "typedef int *P;"), kRejected, "own types"},
      {"union", map_with("return none();", "union U { int a; long b; };"), kRejected, "own types"},
      {"template", map_with("return none();", "template <int n> int g();"), kRejected, "templates"},
      {"float", map_with("float x = 1; return none();"), kRejected, "floating point"},
      {"real_number", map_with("return cell(0.5, 0);"), kRejected, "floating point"},
      {"sizeof", map_with("return cell(sizeof(int), 0);"), kRejected, "sizeof"},
      {"volatile", map_with("volatile int x = 1; return none();"), kRejected, "volatile"},
      {"variadic", map_with("return none();", "int g(int a, ...);"), kRejected, "'...'"},
      // What does not compile.
      {"semicolon", map_with("return none()"), kRejected, "';' expected"},
      {"unknown_name", map_with("return cell(foo, 0);"), kRejected, "'foo'"},
      {"unknown_function", map_with("return cell(foo(1), 0);"), kRejected, "'foo'"},
      {"system", map_with("system(1); return none();"), kRejected, "'system'"},
      {"fork", map_with("fork(); return none();"), kRejected, "'fork'"},
      {"declared_fork", map_with("fork(); return none();", "int fork(void);"), kRejected, "'fork'"},
      {"declared_exit", map_with("exit(0); return none();", "void exit(int);"), kRejected, "'exit'"},
      {"flood_of_errors", flood_of_errors(), kRejected, "'g0' is declared and has no body"},
      {"brace",
       "__host__ Launch launch(Fractal f) { return grid1d(1, 1); }\n__device__ Cell cell_of_thread(Fractal "
       "f) {",
       kRejected, ""},
      {"brackets",
       map_with("return cell(" + std::string(20000, '(') + "1" + std::string(20000, ')') + ", 0);"),
       kRejected, "nested too deeply"},
      {"wrong_type", map_with("return 5;"), kRejected, ""},
      {"comment", map_with("return none(); /* no end"), kRejected, ""},
      {"redefined_launch", launching("grid1d(1, 1)") + launching("grid1d(1, 1)"), kRejected, "'launch'"},
      // Launches.
      {"no_blocks", launching("grid1d(0, 32)"), kRejected, "at least 1"},
      {"negative_blocks", launching("grid1d(-1, 32)"), kRejected, "at least 1"},
      {"no_threads", launching("grid1d(1, 0)"), kRejected, "at least 1"},
      {"large_block", launching("grid2d(1, 1, 64, 64)"), kRejected, "up to 1024 threads per block"},
      {"large_grid", launching("grid1d(1LL << 40, 32)"), kRejected, "up to 67108864 threads"},
      {"overflow", launching("grid2d(1LL << 62, 1LL << 62, 1024, 1)"), kRejected, "up to 67108864 threads"},
      {"copied_launch",
       "__host__ Launch launch(Fractal f) { Launch a = grid1d((1LL << 33) + 1, 32); Launch b = a; return b; "
       "}\n"
       "__device__ Cell cell_of_thread(Fractal f) { return none(); }\n",
       kRejected, "a grid of 8589934593 x 1"},
      // What runs and must be ended.
      {"infinite_loop", map_with("for (;;) {} return none();"), kTimeout, "infinite loop"},
      {"infinite_loop_in_launch",
       "__host__ Launch launch(Fractal f) { while (1) {} return grid1d(1, 1); }\n__device__ Cell "
       "cell_of_thread(Fractal f) { return none(); }",
       kTimeout, "in launch()"},
      {"slow", map_with("int s = 0; for (int i = 0; i < 2000000000; ++i) s += i; return cell(s, 0);"),
       kTimeout, "infinite loop"},
      {"recursion", map_with("return cell(g(0), 0);", "int g(int n) { return g(n + 1) + 1; }"), kCrashed,
       "recursion"},
      {"mutual_recursion",
       map_with("return cell(g(0), 0);",
                "int h(int n);\nint g(int n) { return h(n) + 1; }\nint h(int n) { return g(n) + 1; }"),
       kCrashed, "recursion"},
      {"large_local_array", map_with("int a[4000000]; a[3] = threadIdx.x; return cell(a[3], 0);"), kRejected,
       "an array of 4000000 elements"},
      {"division_by_zero", map_with("int i = threadIdx.x; return cell(7 / (i - 3), 0);"), kCrashed,
       "division by zero in thread (3, 0) of block (0, 0)"},
      {"remainder_by_zero", map_with("int i = threadIdx.x; return cell(7 % (i - 5), 0);"), kCrashed,
       "division by zero in thread (5, 0)"},
      {"overflowing_division", map_with("int i = f.level - 5; return cell((-2147483647 - 1) / i, 0);"),
       kCrashed, "division overflow in thread (0, 0) of block (0, 0)"},
      {"overflowing_remainder", map_with("long i = f.level - 5; return cell(((long)1 << 63) % i, 0);"),
       kCrashed, "division overflow"},
      {"more_blocks", map_with("gridDim.x = 1000000; return none();"), kRejected, "cannot be changed"},
      {"wild_write", map_with("int a[4]; a[f.width * 10000000] = 1; return cell(a[0], 0);"), kCrashed,
       "out of bounds"},
      {"wild_global_write", map_with("a[f.width * 10000000] = 1; return cell(a[0], 0);", "int a[4];"),
       kRejected, "is a constant"},
      {"wild_read", map_with("int a[4]; return cell(a[-200000000], 0);"), kRejected, "outside of 'a'"},
      {"stack_smashing", map_with("int a[2]; for (int i = 0; i < 64; ++i) a[i] = 0x41414141; return none();"),
       kCrashed, ""},
      {"huge_global_array", map_with("return cell(a[threadIdx.x], 0);", "int a[500000000];"), kRejected,
       "an array of 500000000 elements"},
      // Threads share no memory: a counter would number them in the order in which they run.
      {"serial",
       map_with("static int next = 0;\n  while (!is_cell(next % f.width, next / f.width)) ++next;\n  int p = "
                "next++;\n"
                "  return cell(p % f.width, p / f.width);"),
       kRejected, "since threads share no memory"},
      {"global_counter", map_with("next += 1; return cell(next, 0);", "int next = 0;"), kRejected,
       "since threads share no memory"},
      // A backslash ends no line of this language, and trigraphs are none.
      {"smuggled",
       "// a comment \\\n/*\ntypedef union { int *p; double d; } U;\n#define LAUNCH grid1d(1, 1)\n// */\n" +
           launching("LAUNCH"),
       kRejected, "'LAUNCH'"},
      {"continued_line", map_with("int x = 1 \\\n; return none();"), kRejected, "0x5c"},
      {"array_in_recursion",
       map_with("return cell(g(3), 0);", "int g(int n) { int a[1000]; a[0] = n; return g(a[0]) + 1; }"),
       kCrashed, "recursion"},
      {"call_chain",
       map_with("return cell(g(40), 0);", "int g(int n) { return n > 0 ? g(n - 1) + g(n - 1) : 1; }"),
       kTimeout, "infinite loop"},
      {"write_to_fractal", map_with("f.level = 0; return none();"), kRejected, "cannot be changed"},
      {"write_to_table", map_with("a[1] = 2; return none();", "__constant__ int a[2] = {1, 2};"), kRejected,
       "is a constant"},
  };
}

}  // namespace loom::test
