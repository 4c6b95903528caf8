#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/document/scene/scene.h"

namespace loom::app::scene {

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 2;

/// A scene as ASCII JSON; see docs/reference/file-formats.md. Throws OperationCancelled, std::bad_alloc.
std::string text_of(const Scene& scene, ProgressMonitor* watch = nullptr);

/// Throws if memory is not sufficient for the cells of a configuration. Called before cells are unpacked.
using CapacityCheck = std::function<void(const FractalConfig&)>;

/// Reads a scene; unknown members are skipped. Throws InputError with fault and position, what `check`
/// throws, OperationCancelled, std::bad_alloc.
Scene read_text(std::string_view text, const CapacityCheck& check, ProgressMonitor* watch = nullptr);

}  // namespace loom::app::scene
