#include <gtest/gtest.h>
#include <omp.h>

#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom {
namespace {

TEST(ThreadCounts, DoNotChangeTheStateOrThePicture) {
  const int usual = omp_get_max_threads();
  for (MapKind map : kMapKinds) {
    std::vector<std::uint16_t> first_image;
    for (int threads : {1, 2, 3, 7}) {
      omp_set_num_threads(threads);
      const auto engine = make_fractal_engine({find_fractal("sierpinski-gasket"), 8, 8, {.map = map}}, {});
      engine->reset({1, 0.5});
      engine->step(100, LifeRule{});
      EXPECT_EQ(engine->census().hash, 0x2e269e30ff0b89ddu) << name_of(map) << ", " << threads << " threads";
      Viewport view;
      for (std::int64_t i = 0; i <= 50; ++i) {
        view.x_edges.push_back(i * 256 / 50);
        view.y_edges.push_back(i * 256 / 50);
      }
      ImageView image;
      engine->resolve(view, MemorySpace::kHost, image);
      const auto* pixels = static_cast<const std::uint16_t*>(image.pixels);
      const std::vector<std::uint16_t> copy(pixels, pixels + 50 * 50);
      if (first_image.empty()) first_image = copy;
      EXPECT_EQ(copy, first_image) << name_of(map) << ", " << threads << " threads";
    }
  }
  omp_set_num_threads(usual);
}

}  // namespace
}  // namespace loom
