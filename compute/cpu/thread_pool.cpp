#include "compute/cpu/thread_pool.h"

#include <fmt/format.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <latch>
#include <optional>
#include <utility>
#include <vector>

namespace loom::cpu {
namespace {

/// More than a few threads per core only add overhead.
int most_useful() {
  return std::max(256, 4 * omp_get_num_procs());
}

/// A size in OpenMP's notation: a number with B, K (also the default), M or G.
std::optional<std::size_t> stack_size(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  char* unit = nullptr;
  const unsigned long long number = std::strtoull(text, &unit, 10);
  if (unit == text || number == 0) return std::nullopt;
  while (std::isspace(static_cast<unsigned char>(*unit)) != 0) ++unit;
  int shift = 10;
  switch (std::toupper(static_cast<unsigned char>(*unit))) {
    case 'B':
      shift = 0;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
    default:
      break;
  }
  return number > (SIZE_MAX >> shift) ? SIZE_MAX : static_cast<std::size_t>(number) << shift;
}

void* wait_for_end(void* end) {
  static_cast<std::latch*>(end)->wait();
  return nullptr;
}

/// The number of threads, up to `wanted`, that can exist in addition to this one at the same time, as in a
/// pool.
int count_makeable(int wanted) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  auto stack = stack_size("OMP_STACKSIZE");
  if (!stack) stack = stack_size("GOMP_STACKSIZE");
  // OpenMP also rejects an invalid size and then uses the system's default.
  if (stack) pthread_attr_setstacksize(&attributes, std::max<std::size_t>(*stack, PTHREAD_STACK_MIN));
  std::latch end(1);
  std::vector<pthread_t> made;
  made.reserve(static_cast<std::size_t>(wanted));
  for (pthread_t thread; static_cast<int>(made.size()) < wanted; made.push_back(thread)) {
    if (pthread_create(&thread, &attributes, wait_for_end, &end) != 0) break;
  }
  end.count_down();
  for (const pthread_t thread : made) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return static_cast<int>(made.size());
}

/// The number of threads as OpenMP reads it: the first entry of the list applies to parallel regions that are
/// not nested.
int asked_for() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  const long asked = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  const int limit = omp_get_thread_limit();
  if (asked < 1) return std::min(omp_get_num_procs(), limit);
  return static_cast<int>(std::min<long>(asked, limit));
}

}  // namespace

void make_pool() {
  // Each OpenMP pool belongs to one thread, and so does this flag.
  thread_local bool made = false;
  if (std::exchange(made, true)) return;
  const int wanted = std::min(omp_get_max_threads(), most_useful());
  omp_set_num_threads(wanted > 1 ? 1 + count_makeable(wanted - 1) : 1);
#pragma omp parallel
  {}
}

std::string threads_text() {
  const int threads = omp_get_max_threads();
  std::string text = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  const int asked = asked_for();
  if (threads < std::min(asked, most_useful()))
    return text + fmt::format(" of {}, more cannot be made", asked);
  if (threads < asked) text += fmt::format(" of {}, more are of no use", asked);
  return text;
}

}  // namespace loom::cpu
