#pragma once

#include <span>

#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/field.h"

namespace loom::app {

/// The settings of the workspace. The thread map has fields of its own (compute/map/method_fields.h).
std::span<const Field<LifeSettings>> life_fields();

/// What a state of the cells is computed with: workload, reduction, rule; and what it starts from: seed,
/// density.
std::span<const Field<Work>> work_fields();
std::span<const Field<RandomStart>> start_fields();

}  // namespace loom::app
