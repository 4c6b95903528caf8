#include <algorithm>
#include <bit>
#include <cstring>

#include "compute/cpu/engines.h"
#include "compute/cpu/thread_pool.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {

Census census_of_bits(std::span<const std::uint8_t> bits) {
  make_pool();
  constexpr std::int64_t kRun = 1 << 14;  // words
  const std::uint64_t bytes = bits.size();
  const auto words = static_cast<std::int64_t>((bytes + 7) / 8);
  std::uint64_t population = 0;
  std::uint64_t hash = 0;
#pragma omp parallel for schedule(static, kRun) reduction(+ : population, hash) if (words > kRun)
  for (std::int64_t i = 0; i < words; ++i) {
    const std::uint64_t at = 8 * static_cast<std::uint64_t>(i);
    std::uint64_t word = 0;
    std::memcpy(&word, bits.data() + at, std::min<std::uint64_t>(8, bytes - at));
    population += static_cast<std::uint64_t>(std::popcount(word));
    for (; word != 0; word &= word - 1)
      hash += hash_term(8 * at + static_cast<std::uint64_t>(std::countr_zero(word)));
  }
  return {population, hash};
}

}  // namespace loom::cpu
