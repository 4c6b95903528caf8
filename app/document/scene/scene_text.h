#pragma once

#include <string>
#include <string_view>

#include "app/document/scene/scene.h"

namespace loom::app::scene {

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 3;

/// A scene as ASCII JSON; see docs/reference/file-formats.md. Throws OperationCancelled, std::bad_alloc.
std::string text_of(const Scene& scene, ProgressMonitor* watch = nullptr);

/// Reads a scene with a state of each format; unknown members are skipped. Throws InputError with fault and
/// position, what `check` throws, OperationCancelled, std::bad_alloc.
Scene read_text(std::string_view text, Formats formats, const CapacityCheck& check,
                ProgressMonitor* watch = nullptr);

}  // namespace loom::app::scene
