#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
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
  explicit CompilerError(const std::string& message, std::string log = {})
      : std::runtime_error(message), log_(std::move(log)) {}
  /// The compiler's whole output; empty if it did not compile.
  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

/// Whether the compiler is installed.
bool has_run_time_compiler();

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
/// compute capability; `options`: more options of NVRTC. Throws CompilerError.
MachineCode compile_at_run_time(const std::string& text, std::span<const SourceFile> files,
                                std::span<const std::string> kernels, int architecture,
                                std::span<const char* const> options = {});

}  // namespace loom::cuda
