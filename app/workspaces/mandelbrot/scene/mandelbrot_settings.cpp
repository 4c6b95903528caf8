#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

std::string_view name_of(RegionOverlay overlay) {
  static constexpr std::array<std::string_view, 5> kNames = {"off", "levels", "kinds", "waits", "devices"};
  return kNames[static_cast<std::size_t>(overlay)];
}

void set_method(MandelbrotConfig& config, MandelbrotMethod method) {
  const auto default_block = [](MandelbrotMethod of) {
    return of == MandelbrotMethod::kDp ? BlockShape{64, 8} : BlockShape{};
  };
  if (config.block == default_block(config.method)) config.block = default_block(method);
  config.method = method;
}

}  // namespace loom::app
