#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/text/text.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// A rectangle of one colour, in pixels of the picture.
struct PictureMark {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  ImU32 colour = 0;

  friend bool operator==(const PictureMark&, const PictureMark&) = default;
};

/// What of the regions is shown, and how.
struct RegionLook {
  RegionOverlay overlay = RegionOverlay::kLevels;  ///< kLevels or kKinds
  std::optional<int> up_to = {};  ///< levels after this one are left out, and what it splits is covered
  std::optional<int> only = {};   ///< this level alone
  float scale = 1;                ///< pixels of one of ImGui's units: lines are so many times as thick

  friend bool operator==(const RegionLook&, const RegionLook&) = default;
};

/// At most so many regions are drawn, in whole levels: half a level would tell of one half of the picture
/// what it keeps silent of the other. A driver without a GPU keeps some 200 bytes for each triangle of the
/// largest frame, for as long as the window is open: that of all these is 40 MiB at most, 10 for parts of a
/// plane.
inline constexpr std::size_t kMostRegions = 20000;

/// How many of a picture's regions, listed by level, are drawn: all of them, or those of the first levels.
std::size_t drawn_regions(std::span<const MandelbrotRegion> regions);

/// The last level that is drawn where there are too many for all levels that are to be shown, -1 where even
/// the first has too many; nothing where all are drawn.
std::optional<int> last_level_drawn(std::span<const MandelbrotRegion> regions,
                                    std::optional<int> shown_level);

/// Why nothing is painted for a level alone that has regions; empty where it is.
Text why_not_marked(std::span<const MandelbrotRegion> regions, int level);

/// What is painted for regions that come by level, in this order: for each level grounds, then lines along
/// the inner side of its regions' edges, those of level 0 twice as thick. Those of a level do not lie over
/// each other, and what of them is alike and touches is one rectangle: a grid of n x n regions is about n x n
/// of them, not four times as many. Pictures of fewer than 2^15 pixels on an axis. None of a single level
/// that has more than kMostRegions.
void make_region_marks(std::vector<PictureMark>& marks, std::span<const MandelbrotRegion> regions,
                       const RegionLook& look);

/// Marks that are made anew only where the regions or the look have changed.
class RegionMarks {
 public:
  /// `number`: another one for other regions.
  void want(std::span<const MandelbrotRegion> regions, std::uint64_t number, const RegionLook& look);
  std::span<const PictureMark> marks() const { return marks_; }
  /// Nothing is shown: nothing is kept.
  void forget();

 private:
  std::vector<PictureMark> marks_;
  std::optional<std::uint64_t> number_;
  RegionLook look_;
};

/// The colour of a level's borders, and of what became of a region.
ImU32 colour_of_level(int level);
ImU32 colour_of(RegionKind kind);
/// "filled", "leaf", "split".
const char* name_of(RegionKind kind);

}  // namespace loom::app
