#include <algorithm>
#include <cstddef>

#include "app/documentation/page.h"
#include "documentation_pictures.h"
#include "render/png.h"

namespace loom::app::documentation {
namespace {

constexpr std::size_t kSizeAt = 16;  ///< of the header's width and height, four bytes each

std::uint32_t number_at(std::span<const unsigned char> bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | bytes[at + i];
  return number;
}

}  // namespace

std::span<const unsigned char> picture_file(std::string_view path) {
#define LOOM_PICTURE(file, bytes) \
  if (path == file) return embedded::bytes();
#include "documentation_picture_list.inc"
#undef LOOM_PICTURE
  return {};
}

std::optional<glm::ivec2> picture_size(std::span<const unsigned char> png) {
  if (png.size() < kSizeAt + 8) return std::nullopt;
  return glm::ivec2(number_at(png, kSizeAt), number_at(png, kSizeAt + 4));
}

std::vector<std::uint32_t> read_picture(std::span<const unsigned char> png, glm::ivec2 size) {
  const render::RgbImage image = render::read_png(png);
  const auto part = [](int i, int from, int to) { return static_cast<int>(std::int64_t{i} * from / to); };
  std::vector<std::uint32_t> colours;
  colours.reserve(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y));
  for (int y = 0; y < size.y; ++y) {
    const int top = part(y, image.size.y, size.y);
    const int bottom = std::max(part(y + 1, image.size.y, size.y), top + 1);
    for (int x = 0; x < size.x; ++x) {
      const int left = part(x, image.size.x, size.x);
      const int right = std::max(part(x + 1, image.size.x, size.x), left + 1);
      std::uint32_t sums[3] = {};
      for (int row = top; row < bottom; ++row) {
        const std::uint8_t* from = image.rgb.data() + 3 * (std::ptrdiff_t{row} * image.size.x + left);
        for (int column = left; column < right; ++column) {
          for (std::uint32_t& sum : sums) sum += *from++;
        }
      }
      const auto count = static_cast<std::uint32_t>((bottom - top) * (right - left));
      std::uint32_t colour = 0xFF000000u;
      for (std::uint32_t i = 0; i < 3; ++i) colour |= (sums[i] / count) << (8 * i);
      colours.push_back(colour);
    }
  }
  return colours;
}

}  // namespace loom::app::documentation
