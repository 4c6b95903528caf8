#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/life/scene/life_settings.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom::app {

/// Which options a subcommand takes; combine with `|`.
enum class SceneGroup : unsigned {
  kFractal = 1u << 0,   ///< --fractal --fractal-file
  kLevel = 1u << 1,     ///< --level
  kMethod = 1u << 2,    ///< --block, and an option for every field of the method
  kLife = 1u << 3,      ///< --rule --seed --density
  kBackend = 1u << 4,   ///< --backend --device
  kPalette = 1u << 5,   ///< --palette; its names are checked by the caller, who sees render
  kJson = 1u << 6,      ///< --json
  kWorkload = 1u << 7,  ///< --workload --reduction
  kOpen = 1u << 8,      ///< --open
  kDevices = 1u << 9,   ///< --devices
  kThreads = 1u << 10,  ///< --colour-by --thread
  kPanes = 1u << 11,    ///< --panes
};
constexpr SceneGroup operator|(SceneGroup a, SceneGroup b) {
  return static_cast<SceneGroup>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool contains(SceneGroup groups, SceneGroup group) {
  return (static_cast<unsigned>(groups) & static_cast<unsigned>(group)) != 0;
}

inline constexpr SceneGroup kHeadlessScene = SceneGroup::kFractal | SceneGroup::kLevel | SceneGroup::kMethod |
                                             SceneGroup::kWorkload | SceneGroup::kLife |
                                             SceneGroup::kBackend | SceneGroup::kJson;
inline constexpr SceneGroup kFigureScene = kHeadlessScene | SceneGroup::kOpen | SceneGroup::kThreads;
inline constexpr SceneGroup kFilmScene =
    kHeadlessScene | SceneGroup::kOpen | SceneGroup::kDevices | SceneGroup::kPalette;
inline constexpr SceneGroup kProgramScene = kFilmScene | SceneGroup::kThreads | SceneGroup::kPanes;

/// A scene, and where it is to be computed.
struct Settings : LifeSettings {
  BackendChoice backend = BackendChoice::kAuto;
  int device = 0;
  std::uint32_t picture_devices = 0;  ///< that a picture of the Mandelbrot set is shared out to; 0: not said
  std::vector<int> named_devices = {};  ///< that cells may be shared out to; none: all there are
};

/// A scene as the user typed it: text that is checked only in `settings()`, so that each mistake is answered
/// with the values allowed for this very fractal and level. What was not typed is empty.
struct SceneOptions {
  std::optional<std::string> open;  ///< a scene file, read by open_scene()
  std::optional<std::string> fractal;
  std::optional<std::string> fractal_file;
  std::optional<std::string> level;
  /// The fields of the method (compute/map/method_fields.h), by option.
  std::map<std::string, std::optional<std::string>, std::less<>> method;
  std::optional<std::string> block;
  std::optional<std::string> workload;
  std::optional<std::string> reduction;
  std::optional<std::string> rule;
  std::optional<std::string> seed;
  std::optional<std::string> density;
  std::optional<std::string> backend;
  std::optional<std::string> device;
  std::optional<std::string> devices;
  bool devices_of_picture = false;  ///< these are the Mandelbrot set's, not the cells'
  std::optional<std::string> palette;
  std::optional<std::string> colour_by;
  std::optional<std::string> panes;
  std::optional<std::string> thread;
  bool json = false;

  /// The default scene with what was typed put over it; the configuration is valid by itself (memory is not
  /// looked at). Without --block it takes the largest allowed block size up to the default scene's; without
  /// a field of the method, or with "auto" for it, what is fastest. Throws
  /// InputError, one line with the allowed values; MachineError where the backend is not there.
  Settings settings() const;
  /// The same with what was typed put over an opened scene; what fixes its cells may not be typed then.
  /// Throws also for that.
  Settings settings_over(const LifeSettings& opened) const;

  /// The fractal that was named, the default one where none was, with the rule of its file. Throws
  /// InputError.
  FractalFile chosen_fractal() const;

 private:
  Settings settings(const LifeSettings* opened) const;
};

/// Adds the options of `groups` to a subcommand. `options` must outlive the parse.
void add_scene_options(CLI::App& command, SceneOptions& options, SceneGroup groups);

}  // namespace loom::app
