#include "app/cli/lost_screen.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace loom::app {
namespace {

std::function<void()> keep_before_end;

extern "C" int end_without_screen(void*) {
  try {
    if (auto keep = std::exchange(keep_before_end, nullptr)) keep();
  } catch (const std::exception&) {  // it ends all the same
  }
  std::fputs("fractal-loom: the display is gone\n", stderr);
  std::fflush(stderr);
  std::_Exit(3);  // windows and contexts cannot be ended without their server
}

// GLFW loads Xlib by itself, so that it need not be there; where it did, its handler is ours.
void set_handler(int (*handler)(void*)) {
  void* const xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (xlib == nullptr) return;
  using Set = int (*(*)(int (*)(void*)))(void*);
  if (const auto set = reinterpret_cast<Set>(dlsym(xlib, "XSetIOErrorHandler"))) set(handler);
  dlclose(xlib);
}

}  // namespace

LostScreen::LostScreen(std::function<void()> keep) {
  keep_before_end = std::move(keep);
  set_handler(end_without_screen);
}

LostScreen::~LostScreen() {
  set_handler(nullptr);
  keep_before_end = nullptr;
}

}  // namespace loom::app
