#pragma once

#include <string>
#include <string_view>

#include "app/document/scene/scene.h"

namespace loom::app::scene {

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 4;

/// A scene as ASCII JSON, which a zero byte and the packed cells follow; see docs/reference/file-formats.md.
/// Throws OperationCancelled, std::bad_alloc.
std::string bytes_of(const Scene& scene, ProgressMonitor* watch = nullptr);

/// The JSON of such bytes.
inline std::string_view json_part(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

/// Reads a scene with a state of each format; unknown members are skipped. Throws InputError with fault and
/// position, what `check` throws, OperationCancelled, std::bad_alloc.
Scene read_bytes(std::string_view bytes, Formats formats, const CapacityCheck& check,
                 ProgressMonitor* watch = nullptr);

}  // namespace loom::app::scene
