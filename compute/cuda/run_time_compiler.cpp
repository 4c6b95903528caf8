#include "compute/cuda/run_time_compiler.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include "compute/cuda/shared_library.h"

namespace loom::cuda {
namespace {

/// The file name contains the toolkit's major version.
std::string library_file() {
  return fmt::format("libnvrtc.so.{}", CUDART_VERSION / 1000);
}

/// The functions that are needed (https://docs.nvidia.com/cuda/nvrtc); their header need not be installed.
struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char* text, const char* name, int headers, const char* const* texts,
                const char* const* names) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*add_name)(Program, const char*) = nullptr;
  int (*compile)(Program, int options, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*lowered_name)(Program, const char*, const char**) = nullptr;
  bool whole = false;

  Nvrtc() {
    const std::string file = library_file();
    SharedLibrary library({file.c_str(), ("/usr/local/cuda/lib64/" + file).c_str()});
    library.find(create, "nvrtcCreateProgram");
    library.find(destroy, "nvrtcDestroyProgram");
    library.find(add_name, "nvrtcAddNameExpression");
    library.find(compile, "nvrtcCompileProgram");
    library.find(log_size, "nvrtcGetProgramLogSize");
    library.find(log, "nvrtcGetProgramLog");
    library.find(code_size, "nvrtcGetCUBINSize");
    library.find(code, "nvrtcGetCUBIN");
    library.find(lowered_name, "nvrtcGetLoweredName");
    whole = library.whole();
  }
};
const Nvrtc& nvrtc() {
  static const Nvrtc loaded;
  return loaded;
}

// NVRTC has no standard library. These are the parts that run-time compiled kernels use, and no more.
constexpr SourceFile kStandIns[] = {
    {"cstdint", R"(#pragma once
namespace std {
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned;
using int64_t = long;
using uint64_t = unsigned long;
}
)"},
    {"bit", R"(#pragma once
namespace std {
constexpr __host__ __device__ int countr_zero(unsigned word) {
  int zeros = 0;
  while (zeros < 32 && !(word >> zeros & 1u)) ++zeros;
  return zeros;
}
constexpr __host__ __device__ int countl_zero(unsigned word) {
  int zeros = 0;
  while (zeros < 32 && !(word >> (31 - zeros) & 1u)) ++zeros;
  return zeros;
}
}
)"},
    {"type_traits", R"(#pragma once
namespace std {
template <typename T, T kValue>
struct integral_constant {
  static constexpr T value = kValue;
  constexpr __host__ __device__ operator T() const { return kValue; }
};
template <bool kFirst, typename A, typename>
struct conditional { using type = A; };
template <typename A, typename B>
struct conditional<false, A, B> { using type = B; };
template <bool kFirst, typename A, typename B>
using conditional_t = typename conditional<kFirst, A, B>::type;
}
)"},
    {"utility", R"(#pragma once
namespace std {
template <typename T, T...>
struct integer_sequence {};
template <typename, typename>
struct joined_sequence;
template <typename T, T... kFirst, T... kThen>
struct joined_sequence<integer_sequence<T, kFirst...>, integer_sequence<T, kThen...>> {
  using type = integer_sequence<T, kFirst..., (T(sizeof...(kFirst)) + kThen)...>;
};
template <typename T, unsigned kSize>
struct sequence_of {
  using type = typename joined_sequence<typename sequence_of<T, kSize / 2>::type,
                                        typename sequence_of<T, kSize - kSize / 2>::type>::type;
};
template <typename T>
struct sequence_of<T, 0> { using type = integer_sequence<T>; };
template <typename T>
struct sequence_of<T, 1> { using type = integer_sequence<T, T(0)>; };
template <typename T, T kSize>
using make_integer_sequence = typename sequence_of<T, unsigned(kSize)>::type;
}
)"},
};

/// A program that is being compiled.
class Program {
 public:
  Program(const std::string& text, std::span<const SourceFile> files) {
    std::vector<std::string> strings;  // null-terminated
    strings.reserve(2 * (files.size() + std::size(kStandIns)));
    std::vector<const char*> texts;
    std::vector<const char*> names;
    const auto add = [&](std::span<const SourceFile> of) {
      for (const SourceFile& file : of) {
        texts.push_back(strings.emplace_back(file.text).c_str());
        names.push_back(strings.emplace_back(file.path).c_str());
      }
    };
    add(kStandIns);
    add(files);
    check(nvrtc().create(&program_, text.c_str(), "kernel.cu", static_cast<int>(texts.size()), texts.data(),
                         names.data()),
          "nvrtcCreateProgram");
  }
  ~Program() { nvrtc().destroy(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void add_name(const std::string& kernel) {
    check(nvrtc().add_name(program_, kernel.c_str()), "nvrtcAddNameExpression");
  }
  void compile(int architecture, std::span<const char* const> more = {}) {
    const std::string arch = fmt::format("--gpu-architecture=sm_{}", architecture);
    std::vector<const char*> options = {arch.c_str(), "--std=c++20", "--device-int128", "-default-device",
                                        "-D__extension__="};
    options.insert(options.end(), more.begin(), more.end());
    if (nvrtc().compile(program_, static_cast<int>(options.size()), options.data()) != 0)
      throw CompilerError(fmt::format("NVRTC failed: {}", first_error()), whole_log());
  }
  std::vector<char> code() {
    std::size_t size = 0;
    check(nvrtc().code_size(program_, &size), "nvrtcGetCUBINSize");
    std::vector<char> code(size);
    check(nvrtc().code(program_, code.data()), "nvrtcGetCUBIN");
    return code;
  }
  std::string lowered_name(const std::string& kernel) {
    const char* name = nullptr;
    check(nvrtc().lowered_name(program_, kernel.c_str(), &name), "nvrtcGetLoweredName");
    return name;
  }

 private:
  static void check(int status, const char* call) {
    if (status != 0) throw CompilerError(fmt::format("{} failed with status {}", call, status));
  }
  std::string whole_log() {
    std::size_t size = 0;
    if (nvrtc().log_size(program_, &size) != 0 || size < 2) return {};
    std::string log(size - 1, '\0');
    return nvrtc().log(program_, log.data()) == 0 ? log : std::string();
  }
  std::string first_error() {
    const std::string log = whole_log();
    if (log.empty()) return "no error message";
    // Warnings may come first, also without any ": error", which the assembler and the linker do not write.
    std::size_t error = std::string::npos;
    for (const char* const mark : {": error", "fatal", "error"}) {
      if (error == std::string::npos) error = log.find(mark);
    }
    const std::size_t begin = error == std::string::npos ? 0 : log.rfind('\n', error) + 1;
    return log.substr(begin, log.find('\n', begin) - begin);
  }

  Nvrtc::Program program_ = nullptr;
};

std::mutex running_mutex;
std::condition_variable none_runs;
int running = 0;

// Exit handlers run in reverse order of registration. The compiler is therefore loaded, and has compiled
// once, before this handler is registered: its own state is then destroyed after the wait.
void have_exit_wait() {
  try {
    if (nvrtc().whole) Program("__global__ void nothing() {}", {}).compile(90);
  } catch (const CompilerError&) {  // the caller of a compilation gets the error
  }
  std::atexit([] {
    std::unique_lock lock(running_mutex);
    none_runs.wait(lock, [] { return running == 0; });
  });
}

}  // namespace

ExitGuard::ExitGuard() {
  static std::once_flag once;
  std::call_once(once, have_exit_wait);
  const std::scoped_lock lock(running_mutex);
  ++running;
}

ExitGuard::~ExitGuard() {
  const std::scoped_lock lock(running_mutex);
  if (--running == 0) none_runs.notify_all();
}

bool has_run_time_compiler() {
  return nvrtc().whole;
}

MachineCode compile_at_run_time(const std::string& text, std::span<const SourceFile> files,
                                std::span<const std::string> kernels, int architecture,
                                std::span<const char* const> options) {
  const ExitGuard held;
  if (!nvrtc().whole)
    throw CompilerError(fmt::format("{} of the CUDA Toolkit was not found", library_file()));
  Program program(text, files);
  for (const std::string& kernel : kernels) program.add_name(kernel);
  program.compile(architecture, options);
  MachineCode result;
  result.code = program.code();
  for (const std::string& kernel : kernels) result.kernels.push_back(program.lowered_name(kernel));
  return result;
}

}  // namespace loom::cuda
