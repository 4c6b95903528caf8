#pragma once

#include <gtest/gtest.h>

#include <glm/vec2.hpp>
#include <memory>
#include <string>

#include "render/context/graphics_context.h"
#include "render/gl/debug.h"

namespace loom::render {

/// A test with an off-screen context. The test fails on any OpenGL message that it does not take itself.
class GlTest : public testing::Test {
 protected:
  static constexpr glm::ivec2 kSize{97, 61};  // odd, so that row alignment matters

  void SetUp() override { context_ = make_offscreen(kSize); }
  void TearDown() override {
    if (context_ == nullptr) return;
    for (const std::string& message : take_gl_messages()) ADD_FAILURE() << message;
  }

  std::unique_ptr<GraphicsContext> context_;
};

}  // namespace loom::render
