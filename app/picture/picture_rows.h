#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/watch.h"
#include "render/extent.h"

namespace loom::app::picture {

/// A picture that is made a band of rows at a time, so that none is too large.
class PictureRows {
 public:
  virtual ~PictureRows() = default;
  virtual render::Extent size() const = 0;
  /// Makes `rgb` the `count` rows from `first` on, 3 bytes a pixel. Throws Cancelled where `watch` wishes so,
  /// CapacityError, MachineError, std::bad_alloc.
  virtual void rows(int first, int count, std::vector<std::uint8_t>& rgb, Watch* watch) = 0;
};

/// The rows of a band, so that it has about so many pixels as a frame of a window.
int rows_of_band(render::Extent size);

}  // namespace loom::app::picture
