#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/scene/scene.h"

namespace loom::app::scene {

/// The version that is written; every version up to it is read.
inline constexpr int kVersion = 2;

/// A scene as a file has it: JSON, docs/reference/file-formats.md says how, in ASCII. Throws Cancelled,
/// std::bad_alloc.
std::string text_of(const Scene& scene, Watch* watch = nullptr);

/// Whether there is room for the cells of a configuration; throws where not. Asked before any are unpacked.
using CheckRoom = std::function<void(const FractalConfig&)>;

/// Reads it. Members that it does not know are skipped. Throws InputError that says what is wrong and where,
/// what `check` throws, Cancelled, std::bad_alloc.
Scene read_text(std::string_view text, const CheckRoom& check, Watch* watch = nullptr);

}  // namespace loom::app::scene
