#pragma once

#include <memory>

#include "app/document/scene/window/scene_files.h"
#include "app/shell/document_handler.h"

namespace loom::app {

/// The dialog that writes what the scene computes as a program in one file. `source` must outlive it.
std::unique_ptr<DocumentHandler> make_save_program(scene::SceneSource& source);

}  // namespace loom::app
