#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/workspaces/life/code/map_attempt.h"

namespace loom::app {

/// What happened at a point of the square, or to a thread. Each has a colour and a pattern, so that the
/// picture can be read without colours.
enum class CoverageMark : std::uint8_t {
  kEmpty,     ///< a hole without a thread; an idle thread
  kOnce,      ///< filled
  kRepeated,  ///< striped
  kMissed,    ///< a frame, or filled where that would be too thin
  kOnHole,    ///< a cross
  kOutside,   ///< a dot
};
inline constexpr std::size_t kCoverageMarks = 6;
using CoverageColours = std::array<std::uint32_t, kCoverageMarks>;

/// Pixels, red in the lowest byte, rows from the top.
struct CoverageImage {
  glm::ivec2 size = {};    ///< in pixels
  glm::ivec2 points = {};  ///< in points of the square, or threads
  float point_size = 1;    ///< pixels per point; below 1 for points that share a pixel
  std::vector<std::uint32_t> pixels;
  bool empty() const { return pixels.empty(); }
};

/// How the threads of a launch are laid out in a picture: as the grid is, or, for one row of thread blocks of
/// one row of threads, in rows of whole blocks.
class LaunchLayout {
 public:
  LaunchLayout() = default;
  explicit LaunchLayout(const MapLaunch& launch);
  glm::ivec2 size() const { return size_; }
  /// The number of the thread in the order of thread_of(); nothing beside the launch.
  std::optional<std::uint64_t> thread_at(glm::ivec2 place) const;
  glm::ivec2 place_of(std::uint64_t thread) const;

 private:
  MapLaunch launch_;
  glm::ivec2 size_ = {};
  bool is_row_ = false;
};

/// The picture of the square, of at most `most` pixels in each direction; empty if the attempt has no
/// coverage by point. Points that share a pixel show the worst of them.
CoverageImage square_image(const MapAttempt& attempt, const CoverageColours& colours, int most);
/// The picture of the launch; empty for more threads than a picture can show.
CoverageImage launch_image(const MapAttempt& attempt, const LaunchLayout& layout,
                           const CoverageColours& colours, int most);
/// The same pictures coloured by the idle lanes of the warp of a thread: of the one that reaches a point, the
/// first one. Only if the attempt has counts of warps.
CoverageImage square_divergence_image(const MapAttempt& attempt, const CoverageColours& colours, int most);
CoverageImage launch_divergence_image(const MapAttempt& attempt, const LaunchLayout& layout,
                                      const CoverageColours& colours, int most);
/// The number of the warp of a thread, in the order of MapResult::warps.
std::size_t warp_of_thread(const MapLaunch& launch, std::uint64_t thread);
/// One mark, `side` pixels wide, for the legend.
CoverageImage mark_image(CoverageMark mark, int side, const CoverageColours& colours);

}  // namespace loom::app
