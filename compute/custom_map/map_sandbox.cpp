#include "compute/custom_map/map_sandbox.h"

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

#include "compute/custom_map/map_messages.h"

namespace loom {
namespace {

constexpr rlim_t kExtraMemory = rlim_t{384} << 20;

/// For the signal handler.
const std::uint32_t* block_index = nullptr;
const std::uint32_t* thread_index = nullptr;
volatile std::sig_atomic_t is_in_thread = 0;

void on_signal(int number, siginfo_t* info, void* context) {
  MapSignal message{.number = number,
                    .in_stack = 0,
                    .has_overflow = 0,
                    .block = {},
                    .thread = {},
                    .is_in_thread = is_in_thread};
#if defined(__x86_64__)
  // libtcc divides by rcx. The processor raises the same signal for both.
  if (number == SIGFPE) {
    const auto divisor = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RCX];
    message.has_overflow = static_cast<std::int32_t>(divisor) == -1 ? 1 : 0;
  }
#endif
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

bool filter_system_calls(RefusedCall refused) {
  // TRAP raises SIGSYS, so that the user is told.
  scmp_filter_ctx const filter =
      seccomp_init(refused == RefusedCall::kEnds ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(EPERM));
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

}  // namespace

bool enter_sandbox(int milliseconds, RefusedCall refused) {
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
  return filter_system_calls(refused);
}

void set_thread_indices(const std::uint32_t* block, const std::uint32_t* thread) {
  block_index = block;
  thread_index = thread;
}

void set_in_thread(bool in_thread) {
  is_in_thread = in_thread ? 1 : 0;
}

}  // namespace loom
