#pragma once

#include <string>

#include "app/cli/options/scene_options.h"
#include "app/files/solid_file.h"

namespace loom::app {

/// Runs a workload on a three-dimensional fractal and prints the result, in the form of the subcommand life.
/// Returns the exit status.
int run_solid_life(const SceneOptions& scene, const SolidFile& solid, const std::string& steps,
                   const std::string& at_once);

}  // namespace loom::app
