#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace loom::cuda {

/// A file that a text may include.
struct SourceFile {
  std::string_view path;  ///< as it is included
  std::string_view text;
};

/// What a text was compiled to, for devices of one architecture.
struct MachineCode {
  std::vector<char> code;
  std::vector<std::string> kernels;  ///< their names there, in the order in which they were asked for
};

/// There is no compiler, or it refused: one line.
class CompilerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// While one lives the process does not end: exit() waits for it, before the compiler's own state goes. For a
/// thread that compiles and goes on with what came of it.
class HoldsExit {
 public:
  HoldsExit();
  ~HoldsExit();
  HoldsExit(const HoldsExit&) = delete;
  HoldsExit& operator=(const HoldsExit&) = delete;
};

/// Compiles CUDA C++ while the program runs, on the CPU: by NVRTC of the CUDA Toolkit, where that is
/// installed. Takes seconds. `text` may include `files`, and <bit>, <cstdint>, <type_traits> and <utility> as
/// far as our kernels use them. `kernels` are instances of templates as C++ names them; `architecture` is ten
/// times the compute capability. Throws CompilerError.
MachineCode compile_at_run_time(const std::string& text, std::span<const SourceFile> files,
                                std::span<const std::string> kernels, int architecture);

}  // namespace loom::cuda
