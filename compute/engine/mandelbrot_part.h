#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/dwell_deal.h"

namespace loom {

class MandelbrotPart;
/// A part, and the rows that it has of an image.
struct PartRows {
  MandelbrotPart* part = nullptr;
  std::vector<RowRange> rows = {};
};

/// An engine that may be one of several parts of a picture (compute/split).
class MandelbrotPart : public MandelbrotEngine {
 public:
  /// The next computations follow this deal where it is for them; null: rows are dealt out in turn. It must
  /// outlive them, and is given again where it changes.
  virtual void set_deal(const DwellDeal* deal) = 0;
  /// Whether the next computations note what each first region costs, where the method is ASK; that takes a
  /// little time.
  virtual void note_costs(bool note) = 0;
  /// Of each first region of the last computation, row by row; 0 where it is another part's. Empty where
  /// nothing was noted.
  virtual std::span<const std::uint32_t> region_costs() const = 0;

  /// The whole picture in `space`: this part's image, or smooth_image(), with these rows of the others' put
  /// into it. Nothing where these cannot be reached from here but through the host.
  virtual std::optional<ImageView> whole_image(std::span<const PartRows> others, bool smooth,
                                               MemorySpace space) = 0;
};

}  // namespace loom
