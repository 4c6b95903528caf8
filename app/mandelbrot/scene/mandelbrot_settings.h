#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/mandelbrot/scene/complex_view.h"
#include "app/mandelbrot/scene/dwell_colours.h"
#include "app/mandelbrot/scene/view_history.h"
#include "app/shell/shell_settings.h"
#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// What is drawn over the picture of the subdivision.
enum class RegionOverlay {
  kOff,
  kLevels,   ///< borders coloured by level
  kKinds,    ///< regions coloured by what became of them: filled, leaf, split
  kWaits,    ///< warps, or regions, coloured by how much of their lanes' time is waiting
  kDevices,  ///< rows coloured by the device that computed them
};
inline constexpr std::array kRegionOverlays = {RegionOverlay::kOff, RegionOverlay::kLevels,
                                               RegionOverlay::kKinds, RegionOverlay::kWaits,
                                               RegionOverlay::kDevices};
/// Whether it is drawn from the list of regions.
inline bool needs_regions(RegionOverlay overlay) {
  return overlay != RegionOverlay::kOff && overlay != RegionOverlay::kDevices;
}
std::string_view name_of(RegionOverlay overlay);

// What the first picture looks like.
inline constexpr const char* kFirstPalette = "blue-gold";
inline constexpr std::uint32_t kFirstCycle = 24;
inline constexpr std::uint32_t kLongestCycle = 65535;

/// What the user has chosen in the Mandelbrot workspace: plain data. Backend, device and text size are the
/// whole program's.
struct MandelbrotSettings {
  /// g 4, r 2, B 16: at a window's size some levels are left to see.
  MandelbrotConfig config{.g = 4, .r = 2, .b = 16};
  std::string palette = kFirstPalette;  ///< among those of the program
  Colouring colouring = Colouring::kSmooth;
  InteriorColour interior = InteriorColour::kPalette;
  std::uint32_t cycle = kFirstCycle;  ///< DwellColouring::cycle
  int samplings = 1;  ///< points a pixel on each axis, once a picture rests: one of kSamplings
  RegionOverlay overlay = RegionOverlay::kOff;
  /// Whether g, r, B and the method are found by timing, for each view; nothing: on a GPU they are.
  std::optional<bool> automatic;
  std::uint32_t devices = 1;   ///< that a picture is shared out to, of those that there are
  bool measure = false;        ///< compute in every frame
  bool orbit = true;           ///< of the point under the cursor
  bool julia = true;           ///< its Julia set, in the corner
  bool show_model = false;     ///< the cost model's panel
  bool show_timeline = false;  ///< one computation, recorded, beside the picture
  DwellColouring dwell_colouring() const { return {colouring, interior, cycle}; }
  friend bool operator==(const MandelbrotSettings&, const MandelbrotSettings&) = default;
};

/// Another method. A block shape that is the old one's default becomes the new one's: 64 x 8 for DP, as its
/// authors have it, else 16 x 16.
void set_method(MandelbrotConfig& config, MandelbrotMethod method);

/// What the user asked for once.
struct MandelbrotCommands {
  int next_precision = 0;                ///< the other arithmetic, where the view has room in it (odd)
  int history = 0;                       ///< views back (-) or forward (+)
  int tour = 0;                          ///< stops of the tour onwards (+) or back (-)
  std::optional<std::size_t> tour_stop;  ///< this one
  std::optional<ComplexView> go_to;
  std::shared_ptr<const ViewHistory> put_back = {};  ///< these views instead of those since
  std::optional<CostCut> apply_cut;
  bool flip_automatic = false;
  bool check = false;               ///< compare with the exhaustive method
  bool measure_exhaustive = false;  ///< time it at the same view
  bool record_timeline = false;     ///< of the picture that stands
  bool measure_landscape = false;   ///< start over, or stop where it runs
  bool forget_times = false;
  bool play_levels = false;  ///< start or stop the levels one by one
  int step_level = 0;        ///< one level more (+) or fewer (-)
  bool all_levels = false;
};

/// What the input and the panels of one frame want: a copy of the settings to edit, and commands.
struct MandelbrotEdit {
  MandelbrotSettings settings;
  MandelbrotCommands commands;
  ShellEdit& shell;
};

}  // namespace loom::app
