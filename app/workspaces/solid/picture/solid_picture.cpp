#include "app/workspaces/solid/picture/solid_picture.h"

#include <glm/common.hpp>

namespace loom::app {

glm::ivec2 SolidPicture::image_size(glm::ivec2 size, int divisor) {
  return glm::max((size + divisor - 1) / divisor, 1);
}

void SolidPicture::request(const SolidPictureKey& key, int divisor) {
  requested_ = key;
  requested_divisor_ = divisor;
}

void SolidPicture::accept(const SolidImage& image, SolidCellsId cells) {
  texture_.resize({image.width, image.height}, render::TexelFormat::kUint32);
  texture_.upload(image.pixels, static_cast<std::size_t>(image.width) * sizeof(std::uint32_t));
  shown_ = requested_;
  shown_->cells = cells;
  divisor_ = requested_divisor_;
}

bool SolidPicture::shows(const SolidPictureKey& key, bool full) const {
  return shown_ && (!full || divisor_ == 1) && *shown_ == key;
}

void SolidPicture::draw(render::SolidRenderer& renderer, glm::ivec2 framebuffer,
                        const render::Rect<int>& target) const {
  if (shown_) renderer.draw(texture_, framebuffer, target);
}

}  // namespace loom::app
