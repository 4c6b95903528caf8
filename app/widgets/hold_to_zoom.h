#pragma once

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace loom::app {

/// Zooms while a mouse button is held with Ctrl: the left one in, the right one out.
class HoldToZoom {
 public:
  /// Whether Ctrl and a mouse button were pressed in this frame; `button` receives the button. Call over a
  /// picture.
  static bool begins(int& button) {
    if (!ImGui::GetIO().KeyCtrl) return false;
    for (const int one : {ImGuiMouseButton_Left, ImGuiMouseButton_Right}) {
      if (!ImGui::IsMouseClicked(one)) continue;
      button = one;
      return true;
    }
    return false;
  }
  /// Magnification of one frame: a factor of 3 per second at any frame rate.
  static double factor(int button) {
    constexpr double kRate = 3;
    constexpr double kLongestFrame = 0.1;  // no jump after a pause
    const double seconds = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), kLongestFrame);
    return std::pow(kRate, button == ImGuiMouseButton_Left ? seconds : -seconds);
  }
};

}  // namespace loom::app
