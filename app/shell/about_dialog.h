#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "compute/device/device.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// The versions of the program and its libraries, and the devices that it found.
class AboutDialog {
 public:
  AboutDialog(const std::string& version, const CudaStatus& cuda, const render::GlInfo& opengl);
  void open() { begin_ = true; }
  /// Draws the dialog while it is open.
  void show();

 private:
  std::vector<std::pair<std::string, std::string>> rows_;  ///< name, value
  std::map<std::string, Area, std::less<>> areas_;
  bool begin_ = false;
};

}  // namespace loom::app
