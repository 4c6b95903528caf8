#include "compute/cpu/bits/cpu_plane_part.h"

#include <algorithm>

namespace loom::cpu {
namespace {

constexpr std::uint64_t kTogether = BitPlanes::kTogether;

/// Several generations per exchange make exchanges between processes rarer. On a large partition a generation
/// takes long compared with an exchange, and cancellation should not wait for several generations.
constexpr std::uint32_t kMostAtOnce = 8;
constexpr std::uint64_t kMostCellsAtOnce = std::uint64_t{1} << 26;
/// The listed threads are computed redundantly; several generations per exchange are used only if the list is
/// at most this fraction of the own threads.
constexpr std::uint64_t kLeastShare = 8;

std::size_t rows_of(const PartRim& rim) {
  return (rim.listed.size() + kTogether - 1) / kTogether;
}

std::uint64_t bytes_with_copies(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                                std::uint32_t number, const PartRim& rim) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return words_with_copies(part_of(whole, parts[number]), rim) * (whole.wide() ? 8 : 4);
}

}  // namespace

CpuPlanePart::CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                           std::uint32_t number)
    : CpuPlanePart(config, parts, number,
                   make_part_rim(make_bit_planes(config.fractal.shape(), config.level), parts, number)) {}

CpuPlanePart::CpuPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts,
                           std::uint32_t number, PartRim rim)
    : CpuPlaneEngine(config, parts[number], bytes_with_copies(config, parts, number, rim)),
      CpuPart(number),
      rim_(std::move(rim)),
      listed_now_(rows_of(rim_) * kTogether * planes_.planes * sizeof(std::uint64_t)),
      listed_next_(rows_of(rim_) * kTogether * planes_.planes * sizeof(std::uint64_t)) {
  listed_counts_.resize(rows_of(rim_) * kTogether * planes_.groups_in_word);
  told_.resize(rim_.told.size() * planes_.planes);
  heard_.resize(rim_.copies.size() * planes_.planes);
}

PartMessages CpuPlanePart::messages() {
  return {.told = told_.data(),
          .heard = heard_.data(),
          .bytes_of_one = std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4)};
}

template <typename Use>
void CpuPlanePart::with_word(const Use& use) const {
  if (planes_.wide()) {
    use(std::uint64_t{});
  } else {
    use(std::uint32_t{});
  }
}

void CpuPlanePart::tell_cells() {
  with_word([&]<typename Word>(Word) {
    const auto* const cells = reinterpret_cast<const Word*>(now_.data());
    auto* told = reinterpret_cast<Word*>(told_.data());
    for (const std::uint32_t place : rim_.told) {
      const Word* const from = cells + planes_.first_word(rim_.rim[place]);
      for (std::uint32_t p = 0; p < planes_.planes; ++p) *told++ = from[p * kTogether];
    }
  });
}

void CpuPlanePart::hear(std::uint8_t* cells) {
  with_word([&]<typename Word>(Word) {
    const auto* heard = reinterpret_cast<const Word*>(heard_.data());
    for (std::uint32_t i = 0; i < rim_.copies.size(); ++i) {
      Word* const to = reinterpret_cast<Word*>(cells) + planes_.first_word(rim_.first_copy + i);
      for (std::uint32_t p = 0; p < planes_.planes; ++p) to[p * kTogether] = *heard++;
    }
  });
}

void CpuPlanePart::hear_cells() {
  hear(now_.data());
}

std::uint32_t CpuPlanePart::most_at_once() const {
  const std::uint64_t cells = std::uint64_t{planes_.groups} * planes_.planes * planes_.bits;
  if (cells > kMostCellsAtOnce || rim_.listed.size() * kLeastShare > planes_.threads()) return 1;
  return std::min(kMostAtOnce, generations_alone(planes_));
}

// The last generation only needs the boundary, and earlier generations also the threads next to it.
void CpuPlanePart::begin_generations(LifeRule rule, std::uint32_t times) {
  const std::uint8_t* from = now_.data();
  for (std::uint32_t i = 0; i < times; ++i) {
    const std::size_t threads = i + 1 == times ? rim_.rim.size() : rim_.listed.size();
    step_.step_rim(from, i > 0, rim_, threads, listed_next_.data(), listed_counts_.data(), rule);
    listed_now_.swap(listed_next_);
    from = listed_now_.data();
  }
  with_word([&]<typename Word>(Word) {
    const auto* const words = reinterpret_cast<const Word*>(listed_now_.data());
    auto* told = reinterpret_cast<Word*>(told_.data());
    for (const std::uint32_t place : rim_.told) {
      for (std::uint32_t p = 0; p < planes_.planes; ++p)
        *told++ = words[planes_.first_word(place) + p * kTogether];
    }
  });
}

// Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
// computed separately.
void CpuPlanePart::step_inside(LifeRule rule, std::uint32_t times, bool last) {
  const bool count = pictured_ && last;
  for (std::uint32_t i = 0; i < times; ++i) {
    if (i > 0) now_.swap(next_);
    step_.step(now_.data(), next_.data(), count && i + 1 == times ? living_.data() : nullptr, rule, {});
  }
  counted_ = count ? Counted::kGroups : Counted::kNothing;
}

void CpuPlanePart::end_generations(std::uint32_t times) {
  const std::uint32_t slots = planes_.groups_in_word;
  with_word([&]<typename Word>(Word) {
    const auto* const words = reinterpret_cast<const Word*>(listed_now_.data());
    for (std::uint32_t i = 0; i < rim_.rim.size(); ++i) {
      Word* const to = reinterpret_cast<Word*>(next_.data()) + planes_.first_word(rim_.rim[i]);
      for (std::uint32_t p = 0; p < planes_.planes; ++p)
        to[p * kTogether] = words[planes_.first_word(i) + p * kTogether];
      if (counted_ == Counted::kNothing) continue;
      for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const std::uint32_t group = rim_.rim[i] * slots + slot;
        if (group < planes_.groups) living_[group] = listed_counts_[i * slots + slot];
      }
    }
  });
  hear(next_.data());
  now_.swap(next_);
  generation_ += times;
}

void CpuPlanePart::take_back_generation() {
  now_.swap(next_);
  --generation_;
  counted_ = Counted::kNothing;
}

void CpuPlanePart::take_back_reset(std::uint64_t generation) {
  now_.swap(next_);
  generation_ = generation;
  counted_ = Counted::kNothing;
}

void CpuPlanePart::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                std::span<std::uint64_t> living) {
  CpuPlaneEngine::count_pixels(viewport);
  std::copy_n(pixel_cells_.begin(), cells.size(), cells.begin());
  std::copy_n(pixel_living_.begin(), living.size(), living.begin());
}

}  // namespace loom::cpu
