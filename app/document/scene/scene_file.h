#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/document/scene/scene_bytes.h"

namespace loom::app::scene {

inline constexpr const char* kExtension = ".loom";

/// The scene of a file, or of a PNG that contains one. Throws InputError "FILE: what is wrong", what `check`
/// throws, OperationCancelled, std::bad_alloc.
Scene read_file(const std::filesystem::path& file, Formats formats, const CapacityCheck& check,
                ProgressMonitor* watch = nullptr);

/// Writes atomically: a reader sees the old or the new content, complete. Returns the size in bytes. Throws
/// as OutputFile, OperationCancelled, std::bad_alloc; the old content then stays.
std::uint64_t save_file(const std::filesystem::path& file, const Scene& scene,
                        ProgressMonitor* watch = nullptr);

/// check_fits() for a backend.
CapacityCheck capacity_check_for(const BackendSelection& backend);

}  // namespace loom::app::scene
