#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/cpu/bits/cpu_plane_engine.h"
#include "compute/cpu/cpu_partition.h"
#include "compute/cpu/engines.h"

namespace loom::cpu {
namespace {

constexpr std::uint64_t kInterleave = BitPlanes::kInterleave;

/// Several generations per exchange make exchanges between processes rarer. On a large partition a generation
/// takes long compared with an exchange, and cancellation should not wait for several generations.
constexpr std::uint32_t kMaxAtOnce = 8;
constexpr std::uint64_t kMaxCellsAtOnce = std::uint64_t{1} << 26;
/// The listed threads are computed redundantly; several generations per exchange are used only if the list is
/// at most this fraction of the own threads.
constexpr std::uint64_t kMinShare = 8;

std::size_t rows_of(const PlaneBoundary& boundary) {
  return (boundary.listed.size() + kInterleave - 1) / kInterleave;
}

std::uint64_t bytes_with_copies(const FractalConfig& config, const std::vector<GroupRange>& parts,
                                std::uint32_t number, const PlaneBoundary& boundary) {
  const BitPlanes whole = make_bit_planes(config.fractal.shape(), config.level);
  return words_with_copies(part_of(whole, parts[number]), boundary) * (whole.wide() ? 8 : 4);
}

}  // namespace

/// A partition of life in bit planes, on this process's threads.
class CpuPlanePartition final : public CpuPlaneEngine, public CpuPartition {
 public:
  /// `config` as for CpuPlaneEngine; `parts` are the partitions of its groups. Throws std::bad_alloc.
  CpuPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number)
      : CpuPlanePartition(
            config, parts, number,
            make_plane_boundary(make_bit_planes(config.fractal.shape(), config.level), parts, number)) {}

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::span<const HaloSegment> received_from() const override { return boundary_.received_from; }
  std::span<const HaloSegment> sent_to() const override { return boundary_.sent_to; }

  HaloBuffers messages() override {
    return {.sent = sent_.data(),
            .received = received_.data(),
            .element_bytes = std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4)};
  }

  void pack_boundary() override {
    with_word([&]<typename Word>(Word) {
      const auto* const cells = reinterpret_cast<const Word*>(now_.data());
      auto* sent = reinterpret_cast<Word*>(sent_.data());
      for (const std::uint32_t place : boundary_.sent) {
        const Word* const from = cells + planes_.first_word(boundary_.boundary[place]);
        for (std::uint32_t p = 0; p < planes_.planes; ++p) *sent++ = from[p * kInterleave];
      }
    });
  }

  void unpack_halo() override { hear(now_.data()); }

  std::uint32_t max_generations_per_exchange() const override {
    const std::uint64_t cells = std::uint64_t{planes_.groups} * planes_.planes * planes_.bits;
    if (cells > kMaxCellsAtOnce || boundary_.listed.size() * kMinShare > planes_.threads()) return 1;
    return std::min(kMaxAtOnce, generations_alone(planes_));
  }

  // The last generation only needs the boundary, and earlier generations also the threads next to it.
  void begin_generations(LifeRule rule, std::uint32_t times) override {
    const std::uint8_t* from = now_.data();
    for (std::uint32_t i = 0; i < times; ++i) {
      const std::size_t threads = i + 1 == times ? boundary_.boundary.size() : boundary_.listed.size();
      step_.step_boundary(from, i > 0, boundary_, threads, listed_next_.data(), listed_counts_.data(), rule);
      listed_now_.swap(listed_next_);
      from = listed_now_.data();
    }
    with_word([&]<typename Word>(Word) {
      const auto* const words = reinterpret_cast<const Word*>(listed_now_.data());
      auto* sent = reinterpret_cast<Word*>(sent_.data());
      for (const std::uint32_t place : boundary_.sent) {
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          *sent++ = words[planes_.first_word(place) + p * kInterleave];
      }
    });
  }

  // Without the halo, only cells next to other partitions are wrong, and those are the boundary, which is
  // computed separately.
  void step_interior(LifeRule rule, std::uint32_t times, bool last) override {
    const bool count = image_requested_ && last;
    for (std::uint32_t i = 0; i < times; ++i) {
      if (i > 0) now_.swap(next_);
      step_.step(now_.data(), next_.data(), count && i + 1 == times ? living_.data() : nullptr, rule, {});
    }
    count_state_ = count ? CountState::kGroups : CountState::kNothing;
  }

  void end_generations(std::uint32_t times) override {
    const std::uint32_t slots = planes_.groups_in_word;
    with_word([&]<typename Word>(Word) {
      const auto* const words = reinterpret_cast<const Word*>(listed_now_.data());
      for (std::uint32_t i = 0; i < boundary_.boundary.size(); ++i) {
        Word* const to = reinterpret_cast<Word*>(next_.data()) + planes_.first_word(boundary_.boundary[i]);
        for (std::uint32_t p = 0; p < planes_.planes; ++p)
          to[p * kInterleave] = words[planes_.first_word(i) + p * kInterleave];
        if (count_state_ == CountState::kNothing) continue;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
          const std::uint32_t group = boundary_.boundary[i] * slots + slot;
          if (group < planes_.groups) living_[group] = listed_counts_[i * slots + slot];
        }
      }
    });
    hear(next_.data());
    now_.swap(next_);
    generation_ += times;
  }

  void roll_back_generation() override {
    now_.swap(next_);
    --generation_;
    count_state_ = CountState::kNothing;
  }

  void roll_back_reset(std::uint64_t generation) override {
    now_.swap(next_);
    generation_ = generation;
    count_state_ = CountState::kNothing;
  }

  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override {
    CpuPlaneEngine::count_pixels(viewport);
    std::copy_n(pixel_cells_.begin(), cells.size(), cells.begin());
    std::copy_n(pixel_living_.begin(), living.size(), living.begin());
  }

 private:
  CpuPlanePartition(const FractalConfig& config, const std::vector<GroupRange>& parts, std::uint32_t number,
                    PlaneBoundary boundary)
      : CpuPlaneEngine(config, parts[number], bytes_with_copies(config, parts, number, boundary)),
        CpuPartition(number),
        boundary_(std::move(boundary)),
        listed_now_(rows_of(boundary_) * kInterleave * planes_.planes * sizeof(std::uint64_t)),
        listed_next_(rows_of(boundary_) * kInterleave * planes_.planes * sizeof(std::uint64_t)) {
    listed_counts_.resize(rows_of(boundary_) * kInterleave * planes_.groups_in_word);
    sent_.resize(boundary_.sent.size() * planes_.planes);
    received_.resize(boundary_.copies.size() * planes_.planes);
  }

  /// Calls `use` with a value of the word type: std::uint32_t{} or std::uint64_t{}.
  template <typename Use>
  void with_word(const Use& use) const {
    if (planes_.wide()) {
      use(std::uint64_t{});
    } else {
      use(std::uint32_t{});
    }
  }

  /// Unpacks the receive buffer into the halo of a generation.
  void hear(std::uint8_t* cells) {
    with_word([&]<typename Word>(Word) {
      const auto* received = reinterpret_cast<const Word*>(received_.data());
      for (std::uint32_t i = 0; i < boundary_.copies.size(); ++i) {
        Word* const to = reinterpret_cast<Word*>(cells) + planes_.first_word(boundary_.first_copy + i);
        for (std::uint32_t p = 0; p < planes_.planes; ++p) to[p * kInterleave] = *received++;
      }
    });
  }

  PlaneBoundary boundary_;
  /// Rows of the words of the boundary list, as vectors: of this generation and of the next one.
  PageBuffer listed_now_;
  PageBuffer listed_next_;
  std::vector<std::uint16_t> listed_counts_;
  std::vector<std::uint64_t> sent_;
  std::vector<std::uint64_t> received_;
};

std::unique_ptr<FractalPartition> make_plane_partition(const FractalConfig& config,
                                                       const std::vector<GroupRange>& parts,
                                                       std::uint32_t number) {
  return std::make_unique<CpuPlanePartition>(config, parts, number);
}

}  // namespace loom::cpu
