#pragma once

#include <array>
#include <cstdint>

#include "compute/geometry/canonical_order.h"

namespace loom::cpu {

/// The places of cells in canonical order, for walks over many of them. The place of a cell is a sum of one
/// part for each base-k digit of its index, in both layouts: so the lowest digits' part of all cells is found
/// once, and a look-up replaces lambda, and nu, for all but one cell of kMostCells.
template <typename Int, typename Storage>
class CanonicalPlaces {
 public:
  /// For walks of about `count` cells.
  CanonicalPlaces(const BlockedFractal& fractal, const Storage& storage, std::uint64_t count)
      : order_(fractal), storage_(storage) {
    // A row of the orthotope has k^ceil(r/2) indices; those that share all but the lowest digits share the
    // row.
    const std::uint64_t k = fractal.shape.k;
    for (int digits = (fractal.level + 1) / 2; digits > 0; --digits) {
      if (cells_ * k > kMostCells || cells_ * k * 4 > count) break;
      cells_ *= static_cast<std::uint32_t>(k);
    }
    const std::uint64_t first = storage_.index_of(order_.cell(0));
    for (std::uint32_t i = 0; i < cells_; ++i) parts_[i] = storage_.index_of(order_.cell(i)) - first;
  }

  /// Calls `visit(i, place of cell i)` for i in [first, last).
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
  std::uint32_t cells_ = 1;  ///< k to the number of digits looked up
  std::array<std::uint64_t, kMostCells> parts_;
};

}  // namespace loom::cpu
