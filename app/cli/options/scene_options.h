#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options/options.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/device/device.h"
#include "compute/map/map_method.h"

namespace loom::app {

/// Groups of options of a subcommand; combine with `|`.
enum class SceneOptionGroup : unsigned {
  kFractal = 1u << 0,   ///< --fractal --fractal-file
  kLevel = 1u << 1,     ///< --level
  kMethod = 1u << 2,    ///< --block, and an option for every field of the method
  kLife = 1u << 3,      ///< --rule --seed --density
  kBackend = 1u << 4,   ///< --backend --device
  kPalette = 1u << 5,   ///< --palette; the caller checks the name
  kJson = 1u << 6,      ///< --json
  kWorkload = 1u << 7,  ///< --workload --reduction
  kOpen = 1u << 8,      ///< --open
  kDevices = 1u << 9,   ///< --devices
  kThreads = 1u << 10,  ///< --colour-by --thread
  kPanes = 1u << 11,    ///< --panes --exercise
};
constexpr SceneOptionGroup operator|(SceneOptionGroup a, SceneOptionGroup b) {
  return static_cast<SceneOptionGroup>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool contains(SceneOptionGroup groups, SceneOptionGroup group) {
  return (static_cast<unsigned>(groups) & static_cast<unsigned>(group)) != 0;
}

inline constexpr SceneOptionGroup kHeadlessOptions = SceneOptionGroup::kFractal | SceneOptionGroup::kLevel |
                                                     SceneOptionGroup::kMethod | SceneOptionGroup::kWorkload |
                                                     SceneOptionGroup::kLife | SceneOptionGroup::kBackend |
                                                     SceneOptionGroup::kJson;
inline constexpr SceneOptionGroup kFigureOptions =
    kHeadlessOptions | SceneOptionGroup::kOpen | SceneOptionGroup::kThreads;
inline constexpr SceneOptionGroup kVideoOptions =
    kHeadlessOptions | SceneOptionGroup::kOpen | SceneOptionGroup::kDevices | SceneOptionGroup::kPalette;
inline constexpr SceneOptionGroup kProgramOptions =
    kVideoOptions | SceneOptionGroup::kThreads | SceneOptionGroup::kPanes;

/// The settings of a scene, and its devices.
struct Settings : LifeSettings {
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;
  std::uint32_t picture_devices = 0;  ///< number of devices for the image of the Mandelbrot set; 0: not given
  std::vector<int> named_devices = {};  ///< devices that cells may be distributed over; empty: all
};

/// The options of a scene, as typed; settings() checks them, so that errors list the values allowed for this
/// fractal and level. Options that were not typed are empty.
struct SceneOptions {
  const CLI::App* command = nullptr;  ///< the subcommand that they were added to, after its parse
  std::optional<std::string> open;    ///< a scene file, read by open_scene()
  std::optional<std::string> fractal;
  std::optional<std::string> fractal_file;
  std::optional<std::string> level;
  TypedFields method;  ///< of method_fields()
  TypedFields life;    ///< workload, reduction, rule, seed and density of life_fields()
  std::optional<std::string> tile_size;
  std::optional<std::string> backend;
  std::optional<std::string> device;
  std::optional<std::string> devices;
  bool devices_of_picture = false;  ///< --devices applies to the Mandelbrot image, not to the cells
  std::optional<std::string> palette;
  std::optional<std::string> colour_by;
  std::optional<std::string> panes;
  std::optional<std::string> exercise;
  std::optional<std::string> thread;
  bool json = false;

  /// The default scene with the typed values applied; the configuration is valid (memory is not checked).
  /// Without --block, the tile size is the largest allowed one up to the default; a field of the method that
  /// is missing or "auto" is the fastest. Throws InputError with the allowed values; MachineError if the
  /// backend is not available.
  Settings settings() const;
  /// The settings of an opened scene with the typed values applied. Throws also if an option would change its
  /// cells.
  Settings settings_over(const LifeSettings& opened) const;

  /// The named or default fractal, with the rule of its file. Throws InputError.
  FractalFile selected_fractal() const;

 private:
  Settings settings(const LifeSettings* opened) const;
};

/// The three-dimensional fractal that --fractal or --fractal-file names; nothing if they name none or a
/// two-dimensional one. Throws InputError for a name that is unknown in both dimensions.
std::optional<SolidFile> selected_solid(const SceneOptions& options);

/// The options without those that describe a three-dimensional fractal and its cells.
SceneOptions without_solid(const SceneOptions& options);

/// The settings for this fractal with the typed values applied; the configuration is valid. Without --block,
/// the tile size is the largest allowed one up to 16. Throws InputError with the allowed values.
SolidSettings solid_settings(const SceneOptions& options, const SolidFile& solid);

/// The backend of the options. Throws InputError, MachineError.
BackendSelection solid_backend(const SceneOptions& options);

/// Adds the options of `groups` to a subcommand. `options` must outlive the parse.
void add_scene_options(CLI::App& command, SceneOptions& options, SceneOptionGroup groups);

}  // namespace loom::app
