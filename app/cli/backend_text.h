#pragma once

#include <string>
#include <string_view>

namespace loom::app {

/// The device in an engine's backend name: "NVIDIA H200" of "cuda: NVIDIA H200".
inline std::string device_text(std::string_view backend_name) {
  const auto colon = backend_name.find(": ");
  return std::string(colon == std::string_view::npos ? backend_name : backend_name.substr(colon + 2));
}

}  // namespace loom::app
