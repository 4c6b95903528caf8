#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace loom::app::scene {

/// The version written; all versions up to it can be read.
inline constexpr int kVersion = 2;

/// A scene as ASCII JSON; see docs/reference/file-formats.md. Throws Cancelled, std::bad_alloc.
std::string text_of(const Scene& scene, Watch* watch = nullptr);

/// Throws if memory is not sufficient for the cells of a configuration. Called before cells are unpacked.
using CheckRoom = std::function<void(const FractalConfig&)>;

/// Reads a scene; unknown members are skipped. Throws InputError with fault and position, what `check`
/// throws, Cancelled, std::bad_alloc.
Scene read_text(std::string_view text, const CheckRoom& check, Watch* watch = nullptr);

}  // namespace loom::app::scene
