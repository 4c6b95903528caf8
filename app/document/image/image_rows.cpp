#include "app/document/image/image_rows.h"

#include <algorithm>

namespace loom::app::image {
namespace {

constexpr std::int64_t kBandPixels = std::int64_t{1} << 22;
constexpr int kFewest = 64;  // subdivision needs a minimum height to be effective

}  // namespace

int rows_of_band(glm::ivec2 size) {
  const std::int64_t rows = std::max<std::int64_t>(kFewest, kBandPixels / std::max(1, size.x));
  return static_cast<int>(std::min<std::int64_t>(rows, size.y));
}

}  // namespace loom::app::image
