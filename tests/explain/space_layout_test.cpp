#include "app/explain/space_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "configurations.h"

namespace loom::app::explain::tests {
namespace {

using Unit = std::pair<std::uint64_t, std::uint64_t>;

std::size_t threads_of(const SpaceLayout& layout, std::size_t& strays) {
  std::set<Unit> seen;
  for (std::uint64_t y = 0; y < layout.height(); ++y) {
    for (std::uint64_t x = 0; x < layout.width(); ++x) {
      const auto ref = layout.thread_at({x, y});
      if (!ref) continue;
      const ThreadLocation place = layout.threads().location_of(*ref);
      if (layout.unit_of(place) != Coord64{x, y}) ++strays;
      seen.insert({layout.threads().number_of(*ref), 0});
    }
  }
  return seen.size();
}

// The thread of every unit maps back to that unit. Thread space and cell space hold every thread of the
// launch once, memory every thread that writes.
TEST(SpaceLayout, HasEveryThreadOnceAtEveryMethod) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = small_level(fractal);
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      for_each_method(fractal, level, tile_size, [&](const FractalConfig& config) {
        if (!is_exact(config.method.arithmetic)) return;
        const ThreadSpace space(config);
        const std::uint64_t cells = space.tiled().cells;
        std::size_t strays = 0;
        ASSERT_EQ(threads_of(SpaceLayout(space, Space::kThreads), strays), *space.threads())
            << name_of_case(config);
        ASSERT_EQ(threads_of(SpaceLayout(space, Space::kMemory), strays), cells) << name_of_case(config);
        const std::size_t in_cells = threads_of(SpaceLayout(space, Space::kCells), strays);
        ASSERT_EQ(in_cells, *space.threads()) << name_of_case(config);
        ASSERT_EQ(strays, 0u) << name_of_case(config);
      });
    }
  }
}

TEST(SpaceLayout, LinesOfMemoryAreGroupsOf128Bytes) {
  FractalConfig config{.fractal = catalog().front(), .level = 8, .tile_size = 4};
  config.method.map = MapKind::kCompact;
  keep_method_valid(config);
  const ThreadSpace space(config);
  const SpaceLayout layout(space, Space::kMemory);
  for (std::uint64_t byte = 0; byte < *space.bytes(); ++byte) {
    const Coord64 unit = layout.unit_of_byte(byte);
    ASSERT_EQ(layout.byte_at(unit), byte);
    const auto line = layout.group_of(unit);
    ASSERT_TRUE(line);
    ASSERT_EQ(layout.byte_at(line->corner), byte / kLineBytes * kLineBytes);
    ASSERT_LT(unit.x - line->corner.x, line->size.x);
    ASSERT_LT(unit.y - line->corner.y, line->size.y);
    ASSERT_EQ(line->size.x * line->size.y, kLineBytes);
  }
  EXPECT_FALSE(layout.byte_at(layout.unit_of_byte(*space.bytes())));
}

// The aspect ratio stays between 1:3 and 3:1, from one cache line to many.
TEST(SpaceLayout, MemoryIsAboutSquare) {
  for (int level = 6; level <= 20; ++level) {
    FractalConfig config{.fractal = catalog().front(), .level = level, .tile_size = 16};
    const ThreadSpace space(config);
    const SpaceLayout layout(space, Space::kMemory);
    const double ratio = static_cast<double>(layout.width()) / static_cast<double>(layout.height());
    EXPECT_GT(ratio, 1 / 3.0) << level;
    EXPECT_LT(ratio, 3.0) << level;
  }
}

RC_GTEST_PROP(SpaceLayout, FindsEveryThreadAtAnyLevel, ()) {
  const FractalConfig config = random_configuration();
  const ThreadSpace space(config);
  const ThreadLocation place = space.location_of(random_thread(space));
  for (const Space which : kSpaces) {
    if (which == Space::kMemory && !space.bytes()) continue;
    const SpaceLayout layout(space, which);
    const auto unit = layout.unit_of(place);
    if (which == Space::kMemory) RC_ASSERT(unit.has_value() == place.address.has_value());
    if (!unit) continue;
    RC_ASSERT(layout.exists(*unit) || !is_exact(config.method.arithmetic));
    if (is_exact(config.method.arithmetic)) RC_ASSERT(layout.thread_at(*unit) == place.ref);
  }
}

}  // namespace
}  // namespace loom::app::explain::tests
