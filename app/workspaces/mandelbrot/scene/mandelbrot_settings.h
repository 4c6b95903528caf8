#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/shell/shell_settings.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/core/field.h"
#include "compute/core/input_text.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/volume.h"
#include "compute/solid/volume_rays.h"
#include "render/palette.h"
#include "render/renderers.h"

namespace loom::app {

/// How colours follow from dwells.
enum class Colouring {
  kBands,      ///< one colour per dwell, on a logarithmic scale
  kSmooth,     ///< continuous, by the logarithm of the smooth dwell
  kHistogram,  ///< histogram colouring: by the rank of the dwell among all pixels
  kAdaptive,   ///< continuous: one turn of the palette's cycle, by rank and logarithm of the smooth dwell
};
inline constexpr std::array kColourings = {Colouring::kAdaptive, Colouring::kSmooth, Colouring::kBands,
                                           Colouring::kHistogram};
std::string_view name_of(Colouring colouring);
/// Whether it colours smooth dwells.
inline bool is_continuous(Colouring colouring) {
  return colouring == Colouring::kSmooth || colouring == Colouring::kAdaptive;
}

enum class InteriorColour { kPalette, kBlack, kWhite };
inline constexpr auto kInteriorColours = kAllOf<InteriorColour::kWhite>;
std::string_view name_of(InteriorColour colour);

/// The parameters that map dwells to palette colours.
struct DwellColouring {
  Colouring colouring = Colouring::kBands;
  InteriorColour interior = InteriorColour::kPalette;
  /// Dwells per turn of the palette's cycle. 0: the palette's ramp spans the dwells of the picture once.
  /// kHistogram always uses the whole ramp once, kAdaptive the cycle.
  std::uint32_t cycle = 0;
  bool has_cycle() const { return colouring == Colouring::kBands || colouring == Colouring::kSmooth; }
  bool cycles() const { return cycle > 0 && has_cycle(); }
  friend bool operator==(const DwellColouring&, const DwellColouring&) = default;
};

/// Number of pixels with each dwell, from 0 to the limit, or by the entries of a scale.
using DwellHistogram = std::vector<std::uint64_t>;
/// The histogram of the last image of an engine.
DwellHistogram count_dwells(const MandelbrotEngine& engine);

/// A histogram by the entries of a scale.
struct ScaledHistogram {
  render::DwellScale scale;
  DwellHistogram counts;
  friend bool operator==(const ScaledHistogram&, const ScaledHistogram&) = default;
};
/// The histogram of the last image of an engine, with one entry per dwell up to kMaxNarrowLimit. Above it, at
/// most 65536 entries cover the dwells of the image.
ScaledHistogram count_dwells_by_scale(const MandelbrotEngine& engine);

/// The colours of the dwells of a picture.
struct DwellColours {
  render::DwellScale scale;
  std::vector<glm::u8vec3> colours;
  render::DwellTable table() const { return {colours, scale}; }
};
/// Like the function below, for a limit of any size.
void dwell_colours(const render::Palette& palette, const DwellColouring& how,
                   const ScaledHistogram& histogram, DwellColours& colours);

/// Fills `colours` with the colour of every dwell (or entry) from 0 to the limit; the limit has the colour of
/// the interior. The scale begins at the smallest dwell of the picture and ends at the dwell that 1 in 500
/// exterior pixels exceeds. An empty histogram counts as one pixel per dwell. A cycle always begins at dwell
/// 0.
void dwell_colours(const render::Palette& palette, const DwellColouring& how, const DwellHistogram& histogram,
                   std::uint32_t limit, std::vector<glm::u8vec3>& colours);

/// The accent of a method in panes and bars: those of the three maps, in the same order.
constexpr glm::vec4 colour_of(MandelbrotMethod method) {
  return colour_of(kMapKinds[static_cast<std::size_t>(method)]);
}

/// The overlay of the subdivision.
enum class RegionOverlay {
  kOff,
  kLevels,      ///< region borders, coloured by level
  kQuantities,  ///< regions, coloured by kind: filled, leaf, split
  kDivergence,  ///< warps or regions, coloured by divergence
  kDevices,     ///< rows, coloured by device
};
inline constexpr auto kRegionOverlays = kAllOf<RegionOverlay::kDevices>;
/// Whether the overlay needs the list of regions.
inline bool needs_regions(RegionOverlay overlay) {
  return overlay != RegionOverlay::kOff && overlay != RegionOverlay::kDevices;
}
std::string_view name_of(RegionOverlay overlay);

// Default colours.
inline constexpr const char* kFirstPalette = "blue-gold";
inline constexpr std::uint32_t kFirstCycle = 24;
inline constexpr std::uint32_t kMaxCycle = 65535;

/// The camera that shows a whole cube.
SolidCamera default_volume_camera();

/// A set in space, and how it is shown. Its method is that of the sets in the plane.
struct VolumeSettings {
  bool shown = false;  ///< in place of a set in the plane
  VolumeConfig config{.c = {-0.213, -0.041, -0.563, -0.56}, .size = 256};
  std::uint32_t surface = 5;  ///< the dwell of the surface
  VolumeColouring colouring = VolumeColouring::kDwell;
  CutAxis cut_axis = CutAxis::kNone;
  double cut = 0.5;     ///< the layers from this share of the axis on are visible, 0 to 1
  bool boxes = false;   ///< show the edges of filled regions
  bool misses = false;  ///< mark the samples that were filled wrongly
  SolidCamera camera = default_volume_camera();  ///< where the camera begins
  friend bool operator==(const VolumeSettings&, const VolumeSettings&) = default;
};
std::span<const Field<VolumeSettings>> volume_fields();
/// "Mandelbulb (3-D)", and what it is.
const char* label_of(VolumeSet set);
const char* hint_of(VolumeSet set);
/// Shows a set in space, whole.
void show_volume(VolumeSettings& settings, VolumeSet set);
/// The rays of a picture of a cube of `size` samples on each axis, and how they show it: the light comes from
/// the upper left, behind the viewer.
SolidView volume_view(const VolumeSettings& settings, std::uint32_t size, const SolidCamera& camera,
                      glm::ivec2 picture);
VolumeLook volume_look(const VolumeSettings& settings, const SolidCamera& camera);
/// The colours of pixels in a palette, with a background as solid_colours().
render::SolidColours volume_colours(const render::Palette& palette, VolumeColouring colouring,
                                    glm::u8vec3 background);
/// The colour of a pixel in a row of a picture of `rows`, as the shader computes it.
glm::u8vec3 colour_of_volume_pixel(const render::SolidColours& colours, std::uint32_t pixel, int row,
                                   int rows);

/// The user's settings in the Mandelbrot workspace. Backend, device and text size belong to the program.
struct MandelbrotSettings {
  /// g 4, r 2, B 16 leave several visible levels at the size of a window.
  MandelbrotConfig config{.g = 4, .r = 2, .b = 16, .precision = Precision::kAuto};
  /// The dwell limit follows the depth of the view (depth_dwell_limit()); off where the user has chosen one.
  bool dwell_by_depth = true;
  std::string palette = kFirstPalette;  ///< name of a palette
  Colouring colouring = Colouring::kAdaptive;
  InteriorColour interior = InteriorColour::kPalette;
  std::uint32_t cycle = kFirstCycle;  ///< DwellColouring::cycle
  int samples_per_axis = 1;           ///< of the idle picture, per pixel and axis: one of kSampleChoices
  RegionOverlay overlay = RegionOverlay::kOff;
  /// Whether method, g, r and B are tuned by timing for each view. Empty: on for a GPU.
  std::optional<bool> automatic;
  std::uint32_t devices = 1;  ///< number of devices that compute the image
  bool compare = false;       ///< show the three methods side by side
  /// The comparison switched the overlay on, and ends with it.
  bool compare_set_overlay = false;
  bool measure = false;        ///< compute in every frame
  bool orbit = true;           ///< show the orbit of the point under the cursor
  bool julia = true;           ///< show its Julia set in the corner; for a Julia set, the parameter plane
  bool show_model = false;     ///< show the cost model
  bool show_timeline = false;  ///< show the timeline
  bool show_formula = false;   ///< show the editor of the custom formula
  VolumeSettings volume = {};
  /// How the shown set is subdivided.
  CostCut cut() const {
    if (volume.shown) return {volume.config.g, volume.config.r, volume.config.b};
    return {config.g, config.r, config.b};
  }
  /// What computes the set in space.
  VolumeConfig volume_config() const {
    VolumeConfig of = volume.config;
    of.method = config.method;
    if (of.set != VolumeSet::kCustom) of.custom = {};  // changes nothing
    return of;
  }
  /// The custom formula of the plane or of space, whichever is shown, and whether its set is.
  const CustomFormula& shown_formula() const {
    return volume.shown ? volume.config.custom : config.set.custom;
  }
  bool shows_formula() const {
    return volume.shown ? volume.config.set == VolumeSet::kCustom : config.set.formula == Formula::kCustom;
  }
  DwellColouring dwell_colouring() const { return {colouring, interior, cycle}; }
  friend bool operator==(const MandelbrotSettings&, const MandelbrotSettings&) = default;
};

/// Starts or ends the comparison of the methods, which needs an overlay of regions to show what each does.
void set_compare(MandelbrotSettings& settings, bool compare);

/// The undo name of the changed setting: "dwell limit", "several settings"; empty without a change.
std::string_view changed_setting(const MandelbrotSettings& before, const MandelbrotSettings& after);

/// The dwell limit of a view where none was chosen, by its depth (dwell_limit_of_depth()).
std::uint32_t depth_dwell_limit(const ComplexView& view);
/// The configuration that computes a view: with the evaluator instead of kAuto, and the dwell limit of its
/// depth unless one was chosen.
MandelbrotConfig config_for(const MandelbrotSettings& settings, const ComplexView& view, glm::ivec2 picture);

/// The precision that limits views: double instead of kAuto for a set without perturbation.
Precision limiting_precision(const MandelbrotConfig& config);

/// One-time commands of a frame.
struct MandelbrotCommands {
  int next_precision = 0;                ///< steps to the next precision that can show the view
  int history = 0;                       ///< views back (-) or forward (+)
  double turn = 0;                       ///< degrees counterclockwise
  int tour = 0;                          ///< stops of the tour forward (+) or back (-)
  std::optional<std::size_t> tour_stop;  ///< go to this stop
  std::optional<ViewRequest> go_to;
  std::shared_ptr<const ViewHistory> put_back = {};  ///< restores these views (undo)
  bool focus_formula = false;     ///< the keyboard focus goes to the editor of the custom formula
  bool play_tour = false;         ///< from stop to stop, or pause
  bool toggle_julia = false;      ///< between a point of the parameter plane and its Julia set
  bool toggle_autopilot = false;  ///< zoom towards detail, or stop
  bool find_minibrot = false;     ///< center on the nearest minibrot
  bool paste_view = false;        ///< go to the position in the clipboard
  std::optional<CostCut> apply_cut;
  bool toggle_automatic = false;
  bool check = false;               ///< compare with the exhaustive method
  bool compute_again = false;       ///< the picture whose computation was cancelled or failed
  bool measure_exhaustive = false;  ///< benchmark the exhaustive method at this view
  bool record_timeline = false;     ///< record the timeline of the current picture
  bool measure_landscape = false;   ///< start or stop measuring the landscape
  bool clear_times = false;
  bool play_levels = false;                ///< play or stop the levels
  int step_level = 0;                      ///< one level more (+) or fewer (-)
  bool refine = false;                     ///< of a set in space: compute the cube that the picture shows
  std::optional<SolidCamera> camera = {};  ///< look at the set in space from here
  bool all_levels = false;
};

using MandelbrotEdit = SceneEdit<MandelbrotSettings, MandelbrotCommands>;

// The settings of the workspace except its MandelbrotConfig, which has fields of its own
// (compute/mandelbrot/mandelbrot_fields.h).

/// How dwells are coloured, in the window and in an image without one.
std::span<const Field<MandelbrotSettings>> dwell_colour_fields();
/// What the window shows and when it computes.
std::span<const Field<MandelbrotSettings>> mandelbrot_window_fields();

// Distribution of an image over devices. The number belongs to the scene; which devices are used depends on
// the machine.

/// Limits the number of devices to those present; colouring rows by device requires several. Returns a
/// message for the user if there are fewer than requested, otherwise an empty string.
std::string clamp_devices(MandelbrotSettings& settings, std::size_t there, const Device& device);

}  // namespace loom::app
