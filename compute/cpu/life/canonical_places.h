#pragma once

#include <array>
#include <cstdint>

#include "compute/geometry/canonical_order.h"

namespace loom::cpu {

/// The positions of cells in canonical order, for loops over many of them. In both layouts, the position of a
/// cell is a sum with one term per base-k digit of its index. The terms of the lowest digits are therefore
/// computed once, and a look-up replaces lambda (and nu) for all but one of kMostCells cells.
template <typename Int, typename Storage>
class CanonicalPlaces {
 public:
  /// For loops over about `count` cells.
  CanonicalPlaces(const TiledFractal& fractal, const Storage& storage, std::uint64_t count)
      : order_(fractal), storage_(storage) {
    // A row of the orthotope has k^ceil(r/2) indices; indices that differ only in the lowest digits are in
    // the same row.
    // Turned replicas have no such terms.
    for (int mu = 1; mu <= fractal.level && !fractal.is_turned(); mu += 2) {
      const std::uint64_t k = fractal.level_shape(mu).k;
      if (cells_ * k > kMostCells || cells_ * k * 4 > count) break;
      cells_ *= static_cast<std::uint32_t>(k);
    }
    const std::uint64_t first = storage_.index_of(order_.cell(0));
    for (std::uint32_t i = 0; i < cells_; ++i) parts_[i] = storage_.index_of(order_.cell(i)) - first;
  }

  /// Calls `visit(i, position of cell i)` for i in [first, last).
  template <typename Visit>
  void for_each(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
    for (std::uint64_t i = first; i < last;) {
      const auto low = static_cast<std::uint32_t>(i % cells_);
      const std::uint64_t base = storage_.index_of(order_.cell(i - low));
      for (std::uint32_t at = low; at < cells_ && i < last; ++at, ++i) visit(i, base + parts_[at]);
    }
  }

 private:
  static constexpr std::uint32_t kMostCells = 1024;
  CanonicalOrder<Int> order_;
  Storage storage_;
  std::uint32_t cells_ = 1;  ///< k to the number of digits in the look-up table
  std::array<std::uint64_t, kMostCells> parts_;
};

}  // namespace loom::cpu
