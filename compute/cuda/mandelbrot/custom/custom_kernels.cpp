#include "compute/cuda/mandelbrot/custom/custom_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/cuda/mandelbrot/custom/custom_code.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/cuda/shared_library.h"
#include "compute/mandelbrot/volume.h"
#include "compute/map_code/machine.h"

namespace loom::cuda {
namespace {

// What stands around a translated formula. A lane whose step has a fault goes on to the end, for the other
// lanes of its thread block, with orbits that end at once.
constexpr std::string_view kFormulaPrelude = R"(
#define LOOM_SHARED static __device__ __forceinline__
#define LOOM_FUNCTION static __device__
#define LOOM_TABLE static __constant__ const
#define LOOM_STATE LoomStep*
// What a step has left: instructions, then refills.
struct LoomStep { int left, refills; };
// The line and the Fault of a step that failed. ~0: none.
extern "C" { __device__ unsigned long long loom_fault = ~0ull; }
LOOM_SHARED bool loom_is_over() { return *(volatile unsigned long long*)&loom_fault != ~0ull; }
static __device__ __noinline__ void loom_stop(LoomStep* t, int fault, int line) {
  atomicMin(&loom_fault, (unsigned long long)line << 4 | (unsigned)fault);
  t->left = -1;
}
static __device__ __noinline__ bool loom_refill(LoomStep* t, int line) {
  t->left = 4096;
  if (!loom_is_over() && ++t->refills > LOOM_REFILLS) loom_stop(t, 6, line);
  if (loom_is_over()) t->left = -1;
  return t->left < 0;
}
#define LOOM_STOP(fault, line) { loom_stop(t, fault, line); return; }
#define LOOM_SPEND(cost, line) if ((t->left -= cost) < 0 && loom_refill(t, line)) return;
)";

/// The orbits with numbers of a type, whose bits are integers in the translated code.
constexpr std::string_view kOrbits = R"(
static __device__ bool loom_step({0}& x, {0}& y, {0} re, {0} im) {{
  LoomStep step = {{4096, 0}};
  {1} next_x, next_y;
  {2}::f{3}(&step, next_x, next_y, {4}(x), {4}(y), {4}(re), {4}(im));
  x = {5}(next_x);
  y = {5}(next_y);
  return step.left >= 0;
}}
extern "C" __device__ unsigned loom_orbit_{2}({0} x, {0} y, {0} re, {0} im, unsigned count, unsigned limit) {{
  if (loom_is_over()) return 0;
  const {0} radius = {6};
  for (; count < limit && x * x + y * y < radius * radius; ++count)
    if (!loom_step(x, y, re, im)) return 0;
  return count;
}}
extern "C" __device__ void loom_point_{2}({0}* x, {0}* y, {0} re, {0} im, unsigned steps) {{
  if (loom_is_over()) return;
  for (unsigned i = 0; i < steps && loom_step(*x, *y, re, im); ++i) {{}}
}}
)";

/// A step in space. After a fault the orbit ends.
constexpr std::string_view kStepInSpace = R"(
extern "C" __device__ bool loom_is_inside(double x, double y, double z) {{
  const double radius = {1};
  return x * x + y * y + z * z < radius * radius;
}}
extern "C" __device__ void loom_next_in_space(double* x, double* y, double* z, double re, double im, double w) {{
  LoomStep step = {{4096, 0}};
  long long next_x, next_y, next_z;
  f64::f{0}(&step, next_x, next_y, next_z, __double_as_longlong(*x), __double_as_longlong(*y),
            __double_as_longlong(*z), __double_as_longlong(re), __double_as_longlong(im), __double_as_longlong(w));
  const bool ends = step.left < 0 || loom_is_over();
  *x = ends ? 1e300 : __longlong_as_double(next_x);
  *y = __longlong_as_double(next_y);
  *z = __longlong_as_double(next_z);
}}
)";

[[noreturn]] void refuse(std::string_view why) {
  throw MachineError(fmt::format("a custom formula on a GPU: {}; allowed: --backend cpu", why));
}

/// nvJitLink (https://docs.nvidia.com/cuda/nvjitlink); its header need not be installed.
struct JitLink {
  enum Input { kCubin = 1, kObject = 5, kLibrary = 6 };
  int (*create)(void**, unsigned options, const char**) = nullptr;
  int (*destroy)(void**) = nullptr;
  int (*add)(void*, int input, const void*, std::size_t, const char* name) = nullptr;
  int (*complete)(void*) = nullptr;
  int (*code_size)(void*, std::size_t*) = nullptr;
  int (*code)(void*, void*) = nullptr;
  int (*log_size)(void*, std::size_t*) = nullptr;
  int (*log)(void*, char*) = nullptr;
  std::string file = fmt::format("libnvJitLink.so.{}", CUDART_VERSION / 1000);
  bool whole = false;

  JitLink() {
    SharedLibrary library({file.c_str(), ("/usr/local/cuda/lib64/" + file).c_str()});
    library.find(create, "nvJitLinkCreate");
    library.find(destroy, "nvJitLinkDestroy");
    library.find(add, "nvJitLinkAddData");
    library.find(complete, "nvJitLinkComplete");
    library.find(code_size, "nvJitLinkGetLinkedCubinSize");
    library.find(code, "nvJitLinkGetLinkedCubin");
    library.find(log_size, "nvJitLinkGetErrorLogSize");
    library.find(log, "nvJitLinkGetErrorLog");
    whole = library.whole();
  }
};

class Link {
 public:
  explicit Link(int architecture) {
    if (!linker().whole) refuse(fmt::format("{} of the CUDA Toolkit was not found", linker().file));
    const std::string arch = fmt::format("-arch=sm_{}", architecture);
    const char* options[] = {arch.c_str()};
    check(linker().create(&handle_, 1, options));
  }
  ~Link() { linker().destroy(&handle_); }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  template <typename Bytes>
  void add(JitLink::Input input, const Bytes& bytes, const char* name) {
    check(linker().add(handle_, input, bytes.data(), bytes.size(), name));
  }
  std::vector<char> code() {
    check(linker().complete(handle_));
    std::size_t size = 0;
    check(linker().code_size(handle_, &size));
    std::vector<char> code(size);
    check(linker().code(handle_, code.data()));
    return code;
  }

 private:
  static const JitLink& linker() {
    static const JitLink loaded;
    return loaded;
  }
  void check(int status) {
    if (status == 0) return;
    std::size_t size = 0;
    std::string log;
    if (handle_ != nullptr && linker().log_size(handle_, &size) == 0 && size > 1) {
      log.resize(size);
      linker().log(handle_, log.data());
      log.resize(std::min(log.find('\n'), log.find('\0')));
    }
    refuse(fmt::format("nvJitLink failed with status {}: {}", status, log));
  }
  void* handle_ = nullptr;
};

}  // namespace

std::string formula_text(const CustomFormula& formula) {
  std::string text = fmt::format("#define LOOM_REFILLS {}\n", kMaxWarpInstructions / 4096);
  text += kFormulaPrelude;
  const bool in_space = dimensions_of(formula) == 3;
  for (const bool is_double : {false, true}) {
    if (in_space && !is_double) continue;
    const MapCode& code = formula.code(is_double);
    if (std::ranges::any_of(code.functions, &CodeFunction::is_recursive))
      refuse("its functions call themselves");
    const char* const space = is_double ? "f64" : "f32";
    text += fmt::format("namespace {} {{{}}}\n", space, translated(code));
    if (in_space) return text + fmt::format(fmt::runtime(kStepInSpace), code.next, code.escape_radius);
    text +=
        fmt::format(fmt::runtime(kOrbits), is_double ? "double" : "float", is_double ? "long long" : "int",
                    space, code.next, is_double ? "__double_as_longlong" : "__float_as_int",
                    is_double ? "__longlong_as_double" : "__int_as_float", code.escape_radius);
  }
  return text + fmt::format("extern \"C\" __device__ unsigned loom_degree() {{ return {}; }}\n",
                            formula.code(true).degree);
}

std::vector<char> compile_formula(const CustomFormula& formula, int architecture) {
  const bool in_space = dimensions_of(formula) == 3;
  in_space ? check_in_space(formula) : formula.check();
  try {
    // The registers that kernels of 1024 threads have, as for those of DirectFormula.
    constexpr const char* kOptions[] = {"--relocatable-device-code=true", "--fmad=false",
                                        "--maxrregcount=64"};
    const MachineCode orbits = compile_at_run_time(formula_text(formula), {}, {}, architecture, kOptions);
    Link link(architecture);
    link.add(JitLink::kObject, in_space ? embedded::custom_volume() : embedded::custom_kernels(), "kernels");
    link.add(JitLink::kCubin, orbits.code, "formula");
    link.add(JitLink::kLibrary, embedded::device_runtime(), "cudadevrt");
    return link.code();
  } catch (const CompilerError& error) {
    refuse(error.what());
  }
}

CustomKernels::CustomKernels(const CustomFormula& formula, int device) : formula_(formula) {
  int major = 0;
  int minor = 0;
  LOOM_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  LOOM_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  const ExitGuard held;
  const std::vector<char> code = compile_formula(formula, 10 * major + minor);
  LOOM_CUDA(cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  void* fault = nullptr;
  std::size_t bytes = 0;
  LOOM_CUDA(cudaLibraryGetGlobal(&fault, &bytes, library_, "loom_fault"));
  fault_ = static_cast<unsigned long long*>(fault);
}

CustomKernels::~CustomKernels() {
  if (library_ != nullptr) cudaLibraryUnload(library_);
}

cudaKernel_t CustomKernels::kernel(const std::string& name) const {
  const auto [found, is_new] = kernels_.try_emplace(name);
  if (is_new) LOOM_CUDA(cudaLibraryGetKernel(&found->second, library_, name.c_str()));
  return found->second;
}

void CustomKernels::begin(const Stream& stream) const {
  LOOM_CUDA(cudaMemsetAsync(fault_, 0xff, sizeof(*fault_), stream.get()));
}

void CustomKernels::check(const Stream& stream) const {
  unsigned long long fault = 0;
  LOOM_CUDA(cudaMemcpyAsync(&fault, fault_, sizeof(fault), cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  if (fault == ~0ull) return;
  const std::string text = fault_text(static_cast<Fault>(fault & 15), "in next()", kMaxGpuMapCalls);
  throw InputError(
      fmt::format("formula: {}", to_string(CodeProblem{static_cast<int>(fault >> 4), 0, 0, text})));
}

}  // namespace loom::cuda
