// A library for LD_PRELOAD that makes one call fail. LOOM_FAIL names the function, or "new" for C++
// allocations; LOOM_FAIL_AT is the number of the call, from 1; LOOM_FAIL_REASON is the errno. If
// LOOM_FAIL_CALLS names a file, the number of allocations is written to it at exit.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

long number(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

/// Counts a call of `function` and returns whether it must fail. Sets errno if so.
bool fails(const char* function, std::atomic<long>& calls) {
  static const char* const wanted = std::getenv("LOOM_FAIL");
  static const long at = number("LOOM_FAIL_AT");
  if (wanted == nullptr || std::strcmp(wanted, function) != 0 || ++calls != at) return false;
  errno = static_cast<int>(number("LOOM_FAIL_REASON"));
  return true;
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Allocations may fail only after main() has started, because nothing catches exceptions before. The first
// thing that main() does is to call signal().
std::atomic<bool> main_began{false};

std::atomic<long> allocations{0};

/// Writes the number of allocations when the program exits.
struct Told {
  ~Told() {
    const char* const file = std::getenv("LOOM_FAIL_CALLS");
    if (file == nullptr) return;
    if (std::FILE* const told = std::fopen(file, "w")) {
      std::fprintf(told, "%ld", allocations.load());
      std::fclose(told);
    }
  }
} told;

void* allocate(std::size_t size) {
  void* const memory = main_began && fails("new", allocations) ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

extern "C" {

sighandler_t signal(int number, sighandler_t handler) {
  static const auto real = next<sighandler_t (*)(int, sighandler_t)>("signal");
  main_began = true;
  return real(number, handler);
}
ssize_t write(int file, const void* bytes, std::size_t count) {
  static std::atomic<long> calls{0};
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  // Separate tests cover the standard streams.
  return file > STDERR_FILENO && fails("write", calls) ? -1 : real(file, bytes, count);
}
int fsync(int file) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(int)>("fsync");
  return fails("fsync", calls) ? -1 : real(file);
}
int pipe2(int* ends, int flags) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(int*, int)>("pipe2");
  return fails("pipe2", calls) ? -1 : real(ends, flags);
}
int rename(const char* from, const char* to) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return fails("rename", calls) ? -1 : real(from, to);
}
int linkat(int from, const char* name, int to, const char* as, int flags) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(int, const char*, int, const char*, int)>("linkat");
  return fails("linkat", calls) ? -1 : real(from, name, to, as, flags);
}
int fchmod(int file, mode_t mode) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(int, mode_t)>("fchmod");
  return fails("fchmod", calls) ? -1 : real(file, mode);
}
int open(const char* name, int flags, ...) {
  static std::atomic<long> calls{0};
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  // Only O_TMPFILE opens fail, because not every file system supports unnamed files.
  return (flags & O_TMPFILE) == O_TMPFILE && fails("open", calls) ? -1 : real(name, flags, mode);
}

}  // extern "C"

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
