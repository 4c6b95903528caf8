#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/shell/present.h"
#include "app/workspaces/solid/scene/solid_runner.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "render/camera.h"
#include "render/renderers.h"

namespace loom::app {

/// What a picture shows.
struct SolidPictureKey {
  SolidConfig config;
  SolidCamera camera;
  glm::ivec2 size{0};
  SolidLook look;
  SolidCellsId cells;
  friend bool operator==(const SolidPictureKey&, const SolidPictureKey&) = default;
};

/// A picture of an engine in a texture, in full resolution or in a coarser one. The GL context must be
/// current for every call and for the destructor.
class SolidPicture {
 public:
  /// `context` must outlive the picture and stay current.
  SolidPicture(const render::GraphicsContext& context, const BackendSelection& backend)
      : presenter_(context, backend) {}

  /// The size of the image with this divisor of the resolution.
  static glm::ivec2 image_size(glm::ivec2 size, int divisor);

  /// Notes what is requested, and sets where its image should be.
  void request(const SolidPictureKey& key, int divisor, SolidRequest& request);
  /// Takes the image of the last request, of these cells. Until then the previous one is shown, also on
  /// another device.
  void accept(const SolidRequest& request, const SolidImage& image, SolidCellsId cells);
  /// Whether it shows this; `full`: in full resolution.
  bool shows(const SolidPictureKey& key, bool full) const;
  /// Whether the requested image only has a finer resolution than the one that is shown.
  bool is_only_finer() const { return requested_divisor_ == 1 && divisor_ > 1; }
  /// Of the resolution that is shown.
  int divisor() const { return divisor_; }
  void draw(render::SolidRenderer& renderer, const render::Rect<int>& target) const;
  /// GPU time in milliseconds of an earlier transfer, returned once; nothing for uploads.
  std::optional<double> take_copy_milliseconds() { return presenter_.take_copy_milliseconds(); }
  const std::string& path() const { return presenter_.path(); }

 private:
  Presenter presenter_;
  std::optional<SolidPictureKey> shown_;
  SolidPictureKey requested_;
  int divisor_ = 1;
  int requested_divisor_ = 1;
};

}  // namespace loom::app
