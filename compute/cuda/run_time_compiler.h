#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace loom::cuda {

/// A file that the source text may include.
struct SourceFile {
  std::string_view path;  ///< the path in the #include directive
  std::string_view text;
};

/// The result of a compilation, for devices of one architecture.
struct MachineCode {
  std::vector<char> code;
  std::vector<std::string> kernels;  ///< mangled names, in the order of the request
};

/// The compiler is not available or reported an error. The message is one line.
class CompilerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While an object exists, exit() waits for it before the compiler's own state is destroyed. For a thread
/// that compiles and uses the result.
class ExitGuard {
 public:
  ExitGuard();
  ~ExitGuard();
  ExitGuard(const ExitGuard&) = delete;
  ExitGuard& operator=(const ExitGuard&) = delete;
};

/// Compiles CUDA C++ at run time, on the CPU, by NVRTC of the CUDA Toolkit if it is installed. Takes seconds.
/// `text` may include `files`, and <bit>, <cstdint>, <type_traits> and <utility> as far as this project's
/// kernels use them. `kernels` are template instances in C++ notation; `architecture` is ten times the
/// compute capability. Throws CompilerError.
MachineCode compile_at_run_time(const std::string& text, std::span<const SourceFile> files,
                                std::span<const std::string> kernels, int architecture);

}  // namespace loom::cuda
