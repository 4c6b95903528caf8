#pragma once

#include <string>
#include <string_view>

#include "app/gui/layout.h"
#include "app/life/scene/life_facts.h"
#include "app/shell/edit.h"

namespace loom::app {

/// What computes, in a few words: "CUDA: NVIDIA H200", "CPU: no NVIDIA GPU", "CPU: as asked".
std::string words_of(const BackendSelection& backend, const CudaStatus& cuda);

/// The line at the bottom: what computes and how the picture reaches the screen, in words whose reasons show
/// on hover; frames a second, and a way to the list of keys.
void status_line(const Area& area, Edit& edit, const Report& report);

/// Over the top of the picture: why it is wrong; nothing where `text` is empty.
void wrong_banner(const Area& picture, std::string_view text);

/// A message over the bottom of the picture (an error that left everything as it was, or a notice); false
/// once the user closes it.
bool message_banner(const Area& picture, const std::string& text);

}  // namespace loom::app
