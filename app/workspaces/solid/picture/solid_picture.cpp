#include "app/workspaces/solid/picture/solid_picture.h"

#include <glm/common.hpp>

namespace loom::app {

glm::ivec2 SolidPicture::image_size(glm::ivec2 size, int divisor) {
  return glm::max((size + divisor - 1) / divisor, 1);
}

void SolidPicture::request(const SolidPictureKey& key, int divisor, SolidRequest& request) {
  request.image_space =
      presenter_.is_for(request.backend) ? presenter_.preferred_space() : MemorySpace::kHost;
  requested_ = key;
  requested_divisor_ = divisor;
}

void SolidPicture::accept(const SolidRequest& request, const SolidImage& image, SolidCellsId cells) {
  presenter_.use_backend(request.backend);
  presenter_.transfer({.pixels = image.pixels,
                       .format = PixelFormat::kSolid32,
                       .width = image.width,
                       .height = image.height,
                       .row_bytes = static_cast<std::size_t>(image.width) * sizeof(std::uint32_t),
                       .stream = image.stream});
  shown_ = requested_;
  shown_->cells = cells;
  divisor_ = requested_divisor_;
}

bool SolidPicture::shows(const SolidPictureKey& key, bool full) const {
  return shown_ && (!full || divisor_ == 1) && *shown_ == key;
}

void SolidPicture::draw(render::SolidRenderer& renderer, const render::Rect<int>& target) const {
  if (shown_) presenter_.draw_solid(renderer, target);
}

}  // namespace loom::app
