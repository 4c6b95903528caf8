#pragma once

#include <optional>

#include "app/cli/options/scene_options.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/device/device.h"

namespace loom::app {

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

}  // namespace loom::app
