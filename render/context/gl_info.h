#pragma once

#include "render/context/graphics_context.h"

namespace loom::render {

/// Vendor, renderer and version of the current context.
GlInfo current_gl_info();

}  // namespace loom::render
