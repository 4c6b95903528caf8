// The process that compiles and runs a custom map. Nothing here trusts the code that it runs: privileges are
// dropped before the compiler reads the first byte.

#include <fcntl.h>
#include <libtcc.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "compute/custom_map/map_process.h"
#include "compute/custom_map/map_protocol.h"

namespace loom {
namespace {

constexpr rlim_t kExtraMemory = rlim_t{384} << 20;
constexpr std::size_t kPointsAtATime = 1 << 14;
constexpr int kRuns = 5;

/// Writes all bytes to standard output; gives up where nobody reads them.
void write_all(const void* data, std::size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = write(STDOUT_FILENO, at, bytes);
    if (written <= 0) {
      if (written < 0 && errno == EINTR) continue;
      _exit(0);
    }
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void send(MapMessage kind, const void* data, std::size_t bytes) {
  const MapMessageHead head{kind, static_cast<std::uint32_t>(bytes)};
  write_all(&head, sizeof(head));
  write_all(data, bytes);
}

void send_problem(int line, const std::string& text) {
  std::string message(sizeof(std::int32_t), '\0');
  const std::int32_t number = line;
  std::memcpy(message.data(), &number, sizeof(number));
  message += text;
  send(MapMessage::kProblem, message.data(), message.size());
}

bool read_all(void* data, std::size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = read(STDIN_FILENO, at, bytes);
    if (got <= 0) {
      if (got < 0 && errno == EINTR) continue;
      return false;
    }
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

double now_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// The indices of the compiled code, for the signal handler.
const std::uint32_t* block_index = nullptr;
const std::uint32_t* thread_index = nullptr;
volatile std::sig_atomic_t is_in_thread = 0;

void on_signal(int number, siginfo_t* info, void* context) {
  MapSignal message{.number = number, .in_stack = 0, .block = {}, .thread = {}, .is_in_thread = is_in_thread};
  if (number == SIGSEGV || number == SIGBUS) {
    const auto* const machine = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
    const auto stack = static_cast<std::uintptr_t>(machine->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    const auto stack = static_cast<std::uintptr_t>(machine->uc_mcontext.sp);
#else
    const std::uintptr_t stack = 0;
    (void)machine;
#endif
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    constexpr std::uintptr_t kNear = 1 << 16;
    message.in_stack = address + kNear > stack && address < stack + kNear ? 1 : 0;
  }
  if (block_index != nullptr && thread_index != nullptr) {
    std::copy_n(block_index, 2, message.block);
    std::copy_n(thread_index, 2, message.thread);
  }
  send(MapMessage::kSignal, &message, sizeof(message));
  _exit(0);
}

/// A stack of its own for the handler, since the map's may be full.
void handle_signals() {
  static std::array<std::byte, 1 << 16> stack;
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGALRM, SIGXCPU, SIGABRT, SIGTRAP})
    sigaction(number, &action, nullptr);
}

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit bound{most, most};
  setrlimit(what, &bound);
}

/// Virtual memory of this process in bytes.
rlim_t memory_in_use() {
  long pages = 0;
  if (FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

bool filter_system_calls() {
  // TRAP raises SIGSYS, so that the user is told.
  scmp_filter_ctx const filter = seccomp_init(SCMP_ACT_TRAP);
  if (filter == nullptr) return false;
  bool added = true;
  for (const int call : {SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn), SCMP_SYS(brk),
                         SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect), SCMP_SYS(madvise),
                         SCMP_SYS(clock_gettime), SCMP_SYS(rt_sigprocmask), SCMP_SYS(futex)})
    added = added && seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
  // Writes to the pipe alone; memory without a file.
  added = added && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
                                    SCMP_A0(SCMP_CMP_EQ, STDOUT_FILENO)) == 0;
  added = added && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                                    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS)) == 0;
  const bool loaded = added && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return loaded;
}

/// Drops every privilege that compiling and running do not need. Returns whether system calls are filtered.
bool enter_sandbox(int milliseconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  handle_signals();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_AS, memory_in_use() + kExtraMemory);
  limit(RLIMIT_CPU, static_cast<rlim_t>(milliseconds / 1000 + 1));
  itimerval timer{};
  timer.it_value.tv_sec = milliseconds / 1000;
  timer.it_value.tv_usec = (milliseconds % 1000) * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
  limit(RLIMIT_NPROC, 0);
  limit(RLIMIT_NOFILE, 0);
  return filter_system_calls();
}

/// What the driver in C calls.
struct Sink {
  std::vector<MapPoint> points;
  void send_points() {
    if (points.empty()) return;
    send(MapMessage::kPoints, points.data(), points.size() * sizeof(MapPoint));
    points.clear();
  }
};
Sink* sink = nullptr;
void take_points(int count, const MapPoint* points) {
  sink->points.insert(sink->points.end(), points, points + count);
  if (sink->points.size() >= kPointsAtATime) sink->send_points();
}
void enter_thread() {
  is_in_thread = 1;
}
void leave_thread() {
  is_in_thread = 0;
}

constexpr const char* kDriver = R"(
#line 1 "driver"
void loom_take(int count, const Cell* cells);
void loom_launch(Launch* launched) { *launched = launch(loom_fractal); }
void loom_run(void) {
  Cell cells[1024];
  int count;
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
      count = 0;
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
          cells[count++] = cell_of_thread(loom_fractal);
      loom_take(count, cells);
    }
}
void loom_write(char* points) {
  for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
      for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) {
          Cell c = cell_of_thread(loom_fractal);
          if ((unsigned)c.x < (unsigned)loom_fractal.width && (unsigned)c.y < (unsigned)loom_fractal.height)
            points[(long long)c.y * loom_fractal.width + c.x] = 1;
        }
}
)";

/// The Fractal of the prelude.
struct FractalValue {
  std::int32_t level, width, height, cells, k, s_x, s_y;
};

/// A message of the compiler: "map:3: error: ';' expected".
void on_compiler_message(void*, const char* text) {
  std::string message = text;
  int line = 0;
  if (message.starts_with("map:")) {
    char* end = nullptr;
    line = static_cast<int>(std::strtol(message.c_str() + 4, &end, 10));
    message.erase(0, static_cast<std::size_t>(end - message.c_str()));
  } else if (message.starts_with("driver:")) {
    message.erase(0, message.find(": "));  // a function of the map has other parameters
  }
  for (const char* const word : {": ", "tcc: ", "error: ", "warning: "}) {
    if (message.starts_with(word)) message.erase(0, std::strlen(word));
  }
  send_problem(line, message);
}

template <typename Value>
Value* symbol(TCCState* state, const char* name) {
  return static_cast<Value*>(tcc_get_symbol(state, name));
}

int run(const MapRunRequest& request, const std::string& code) {
  const double begin = now_milliseconds();
  TCCState* const state = tcc_new();
  if (state == nullptr) {
    send_problem(0, "out of memory");
    return 0;
  }
  tcc_set_error_func(state, nullptr, on_compiler_message);
  tcc_set_options(state, "-nostdlib -nostdinc -Wimplicit-function-declaration -Werror");
  tcc_set_output_type(state, TCC_OUTPUT_MEMORY);
  const std::string text = std::string(map_prelude()) + "#line 1 \"map\"\n" + code + "\n" + kDriver;
  tcc_add_symbol(state, "loom_take", reinterpret_cast<const void*>(&take_points));
  // What the compiler itself calls for copies of structures.
  tcc_add_symbol(state, "memmove", reinterpret_cast<const void*>(&memmove));
  tcc_add_symbol(state, "memcpy", reinterpret_cast<const void*>(&memcpy));
  tcc_add_symbol(state, "memset", reinterpret_cast<const void*>(&memset));
  if (tcc_compile_string(state, text.c_str()) != 0) return 0;
  if (tcc_relocate(state, TCC_RELOCATE_AUTO) != 0) return 0;
  *symbol<FractalValue>(state, "loom_fractal") = {request.level,
                                                  request.width,
                                                  request.height,
                                                  request.cells,
                                                  static_cast<std::int32_t>(request.shape.k),
                                                  static_cast<std::int32_t>(request.shape.s_x),
                                                  static_cast<std::int32_t>(request.shape.s_y)};
  std::copy_n(request.shape.offset_x, kMaxReplicas, symbol<std::int32_t>(state, "loom_offset_x"));
  std::copy_n(request.shape.offset_y, kMaxReplicas, symbol<std::int32_t>(state, "loom_offset_y"));
  std::copy_n(request.shape.replica_at, kMaxReplicas, symbol<std::int32_t>(state, "loom_replica"));
  const double compiled = now_milliseconds() - begin;
  send(MapMessage::kCompiled, &compiled, sizeof(compiled));

  MapLaunch launch;
  reinterpret_cast<void (*)(MapLaunch*)>(tcc_get_symbol(state, "loom_launch"))(&launch);
  send(MapMessage::kLaunch, &launch, sizeof(launch));
  if (!launch_problem(launch).empty()) return 0;
  auto* const grid = symbol<std::uint32_t>(state, "gridDim");
  auto* const block = symbol<std::uint32_t>(state, "blockDim");
  grid[0] = static_cast<std::uint32_t>(launch.grid_x);
  grid[1] = static_cast<std::uint32_t>(launch.grid_y);
  block[0] = static_cast<std::uint32_t>(launch.block_x);
  block[1] = static_cast<std::uint32_t>(launch.block_y);
  grid[2] = block[2] = 1;
  block_index = symbol<std::uint32_t>(state, "blockIdx");
  thread_index = symbol<std::uint32_t>(state, "threadIdx");

  Sink own;
  own.points.reserve(kPointsAtATime + kMaxMapBlock);
  sink = &own;
  const double run_begin = now_milliseconds();
  enter_thread();
  reinterpret_cast<void (*)()>(tcc_get_symbol(state, "loom_run"))();
  leave_thread();
  own.send_points();
  const double ran = now_milliseconds() - run_begin;
  send(MapMessage::kRan, &ran, sizeof(ran));

  if (request.measure != 0) {
    std::vector<char> image(static_cast<std::size_t>(request.width) *
                            static_cast<std::size_t>(request.height));
    std::array<double, kRuns> times;
    enter_thread();
    for (double& time : times) {
      const double from = now_milliseconds();
      reinterpret_cast<void (*)(char*)>(tcc_get_symbol(state, "loom_write"))(image.data());
      time = now_milliseconds() - from;
    }
    leave_thread();
    std::sort(times.begin(), times.end());
    send(MapMessage::kMeasured, &times[kRuns / 2], sizeof(double));
  }
  send(MapMessage::kDone, nullptr, 0);
  return 0;
}

}  // namespace

int serve_map_run() {
  MapRunRequest request{};
  if (!read_all(&request, sizeof(request)) || request.code_bytes > kMaxMapCode) return 1;
  std::string code(request.code_bytes, '\0');
  if (!read_all(code.data(), code.size())) return 1;
  const char filtered = enter_sandbox(request.milliseconds) ? 1 : 0;
  send(MapMessage::kSandbox, &filtered, 1);
  try {
    run(request, code);
  } catch (const std::bad_alloc&) {
    send_problem(0, "out of memory");
  }
  _exit(0);  // without handlers of exit(), which may need what is no longer allowed
}

}  // namespace loom
