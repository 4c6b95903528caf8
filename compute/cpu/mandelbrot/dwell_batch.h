#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "compute/cpu/mandelbrot/dwell_lanes.h"
#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/cpu/mandelbrot/perturbed_lanes.h"
#include "compute/engine/progress_monitor.h"
#include "compute/mandelbrot/dwell.h"

namespace loom::cpu {

/// The image that dwells are written to, row by row without gaps; Dwell is uint16 or uint32.
template <typename Dwell>
struct DwellImage {
  Dwell* dwells = nullptr;
  std::uint32_t width = 0;
  Dwell& at(std::uint32_t x, std::uint32_t y) const {
    return dwells[static_cast<std::size_t>(y) * width + x];
  }
};

/// Options of the computation of pixels. They do not change the dwells.
struct DwellOptions {
  bool periodicity = false;
  bool interior = false;  ///< skip the iteration of points that are known not to escape
};

/// Collects pixels, computes them together and writes their dwells to the image; flush() processes the rest.
/// Once `call` is cancelled, nothing more is written.
template <typename Evaluator, typename Dwell>
class DwellBatch {
  using Real = typename Evaluator::Value;

 public:
  DwellBatch(const Evaluator& grid, std::uint32_t limit, DwellOptions way, const DwellImage<Dwell>& image,
             const ProgressScope& call)
      : grid_(grid), limit_(limit), way_(way), image_(image), call_(call) {}

  void add(std::uint32_t x, std::uint32_t y) {
    if constexpr (Evaluator::kKnowsPoint) {
      const Complex<Real> point = grid_.at(x, y);
      re_[size_] = point.re;
      im_[size_] = point.im;
    } else {
      pixels_[size_] = {x, y};
    }
    places_[size_] = &image_.at(x, y);
    if (++size_ == kCapacity) flush();
  }
  void flush() {
    if (size_ != 0 && !call_.cancelled()) {
      if constexpr (Evaluator::kKnowsPoint) {
        if constexpr (Evaluator::kKnowsInterior) {
          if (way_.interior) remove_known_interior();
          dwells_of(re_.data(), im_.data(), size_, limit_, way_.periodicity, dwells_.data());
        } else {
          dwells_of(grid_, re_.data(), im_.data(), size_, limit_, way_.periodicity, dwells_.data());
        }
      } else {
        dwells_of(grid_, pixels_.data(), size_, limit_, call_, dwells_.data());
        if (call_.cancelled()) size_ = 0;
      }
      for (std::size_t i = 0; i < size_; ++i) *places_[i] = static_cast<Dwell>(dwells_[i]);
    }
    size_ = 0;
  }

 private:
  /// Writes the dwells of points that need no iteration and compacts the others.
  void remove_known_interior() {
    if (known_interior_of(re_.data(), im_.data(), size_, known_.data()) == 0) return;
    std::size_t left = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      if (known_[i] != 0) {
        *places_[i] = static_cast<Dwell>(limit_);
        continue;
      }
      re_[left] = re_[i];
      im_[left] = im_[i];
      places_[left++] = places_[i];
    }
    size_ = left;
  }

  static constexpr std::size_t kCapacity = 256;
  const Evaluator& grid_;
  std::uint32_t limit_;
  DwellOptions way_;
  DwellImage<Dwell> image_;
  const ProgressScope& call_;
  std::size_t size_ = 0;
  std::array<Coord32, kCapacity> pixels_;  ///< of evaluators that compute a pixel as a whole
  std::array<Real, kCapacity> re_;         ///< of others
  std::array<Real, kCapacity> im_;
  std::array<Dwell*, kCapacity> places_;
  std::array<std::uint32_t, kCapacity> dwells_;
  std::array<std::uint8_t, kCapacity> known_;
};

}  // namespace loom::cpu
