#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

/// Selects the work items of a launch whose spans a timeline keeps, if there are more than it can hold: the
/// first and the last ones, half each, so that both the beginning and the tail are recorded without gaps. The
/// items between them only contribute to sums.
class SpanWindow {
 public:
  SpanWindow() = default;
  SpanWindow(std::uint64_t pieces, std::uint64_t most)
      : pieces_(pieces),
        head_(pieces <= most ? pieces : most - most / 2),
        tail_(pieces <= most ? 0 : most / 2) {}

  LOOM_HOST_DEVICE std::uint64_t size() const { return head_ + tail_; }
  LOOM_HOST_DEVICE std::uint64_t left_out() const { return pieces_ - size(); }
  LOOM_HOST_DEVICE bool holds(std::uint64_t piece) const { return piece < head_ || piece >= pieces_ - tail_; }
  /// The index of a kept item's span, 0..size() - 1.
  LOOM_HOST_DEVICE std::uint64_t slot(std::uint64_t piece) const {
    return piece < head_ ? piece : piece - left_out();
  }

 private:
  std::uint64_t pieces_ = 0;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
};

}  // namespace loom
