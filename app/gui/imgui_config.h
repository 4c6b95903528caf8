#pragma once

// imgui.h includes this file (IMGUI_USER_CONFIG): Dear ImGui's vectors convert to GLM's and back.

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#define IM_VEC2_CLASS_EXTRA                      \
  ImVec2(const glm::vec2& v) : x(v.x), y(v.y) {} \
  operator glm::vec2() const {                   \
    return {x, y};                               \
  }

#define IM_VEC4_CLASS_EXTRA                                      \
  ImVec4(const glm::vec4& v) : x(v.x), y(v.y), z(v.z), w(v.w) {} \
  operator glm::vec4() const {                                   \
    return {x, y, z, w};                                         \
  }
