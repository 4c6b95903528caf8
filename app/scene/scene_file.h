#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/scene/scene_text.h"

namespace loom::app::scene {

inline constexpr const char* kEnding = ".loom";
/// Of the text chunk in which a PNG carries a scene's text.
inline constexpr const char* kPngKeyword = "fractal-loom-scene";

/// The scene of a file, or of a PNG that carries one. Throws InputError "FILE: what is wrong", what `check`
/// throws, Cancelled, std::bad_alloc.
Scene read_file(const std::filesystem::path& file, const CheckRoom& check, Watch* watch = nullptr);

/// Writes it in one go: whoever reads the file sees the old content or the new one, whole. Returns its bytes.
/// Throws what the one writer of files throws, Cancelled, std::bad_alloc; the old content then stays.
std::uint64_t save_file(const std::filesystem::path& file, const Scene& scene, Watch* watch = nullptr);

/// A PNG that carries the scene.
std::string with_scene(std::string_view png, const Scene& scene);

/// What check_fits() says of a backend.
CheckRoom room_on(const BackendSelection& backend);

}  // namespace loom::app::scene
