#include "app/document/image/image.h"

#include <algorithm>
#include <cstring>

#include "app/files/output_file.h"

namespace loom::app::image {
namespace {

constexpr std::int64_t kBandPixels = std::int64_t{1} << 22;
constexpr int kFewest = 64;  // subdivision needs a minimum height to be effective

}  // namespace

int rows_of_band(glm::ivec2 size) {
  const std::int64_t rows = std::max<std::int64_t>(kFewest, kBandPixels / std::max(1, size.x));
  return static_cast<int>(std::min<std::int64_t>(rows, size.y));
}

std::uint64_t write_image(const std::filesystem::path& file, ImageRows& rows, const std::string& scene,
                          ProgressMonitor* watch) {
  const glm::ivec2 size = rows.size();
  OutputFile out(file);
  std::uint64_t bytes = 0;
  // A zero byte ends the JSON.
  const std::size_t data = std::min(std::strlen(scene.c_str()) + 1, scene.size());
  render::PngWriter png(
      size,
      [&](std::string_view part) {
        out.write(part);
        bytes += part.size();
      },
      render::PngText{kSceneKeyword, scene.c_str(), std::string_view(scene).substr(data)});
  const ProgressScope call(watch, static_cast<std::uint64_t>(size.y));
  const int most = rows_of_band(size);
  std::vector<std::uint8_t> rgb;
  for (int first = 0; first < size.y; first += most) {
    const int count = std::min(most, size.y - first);
    call.check();
    rows.rows(first, count, rgb, watch);
    png.rows(rgb);
    call.advance(static_cast<std::uint64_t>(count));
  }
  call.check();
  png.finish();
  out.commit();
  return bytes;
}

}  // namespace loom::app::image
