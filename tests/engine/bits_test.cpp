#include <algorithm>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/fractal_engine.h"

namespace loom {
namespace {

/// Compares read_bits() and write_bits() with the same cells read as bytes.
class Bits : public tests::EngineTest {
 protected:
  /// One configuration per memory layout of the cells.
  static std::vector<FractalConfig> storages(const NbbFractal& fractal, int level) {
    const std::uint32_t tile_size = level > 0 ? fractal.shape().s_x : 1;
    return {{fractal, level, 1, {.map = MapKind::kBoundingBox}},
            {fractal, level, 1, {.map = MapKind::kBoundingBox, .storage = CellStorage::kBits}},
            {fractal, level, tile_size, {.map = MapKind::kCompact}},
            {fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}}};
  }
  static std::vector<std::uint8_t> bytes(const FractalEngine& engine) {
    std::vector<std::uint8_t> cells(engine.cell_count());
    engine.read_cells(0, cells);
    return cells;
  }
  static std::vector<std::uint8_t> plainly_packed(const std::vector<std::uint8_t>& cells) {
    std::vector<std::uint8_t> bits(cells.size() / 8 + (cells.size() % 8 == 0 ? 0 : 1));
    for (std::size_t i = 0; i < cells.size(); ++i)
      bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | cells[i] << (i % 8));
    return bits;
  }
  /// Copies the cells of `from` as bits into `to`, which holds different cells.
  void check(FractalEngine& from, FractalEngine& to) {
    from.reset({8, 0.4});
    const std::vector<std::uint8_t> cells = bytes(from);
    // read_bits() must overwrite all bits of the buffer.
    std::vector<std::uint8_t> bits(bytes_of_bits(cells.size()), 0xff);
    from.read_bits(bits);
    ASSERT_EQ(bits, plainly_packed(cells));
    to.reset({9, 0.5});
    to.write_bits(bits);
    EXPECT_TRUE(bytes(to) == cells);
    EXPECT_EQ(to.census().hash, from.census().hash);
    if (from.cell_count() > 300'000) return;
    // One more generation shows that no bit outside the cells was set.
    to.step(1, {});
    from.step(1, {});
    EXPECT_EQ(to.census().hash, from.census().hash);
  }
};

TEST_F(Bits, AreTheCellsInEveryStorageAtAnyLevel) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; fractal.cells(level) <= 20'000; ++level) {
      for (const FractalConfig& config : storages(fractal, level)) {
        SCOPED_TRACE(tests::describe(config));
        const auto one = make(config);
        const auto other = make(config);
        check(*one, *other);
      }
    }
  }
}

// More than a million cells, so that copies take several chunks and many bands of groups.
TEST_F(Bits, OfLargeLevelsGoFromStorageToStorage) {
  for (const NbbFractal& fractal : catalog()) {
    int level = 0;
    while (fractal.cells(level) <= 1 << 20) ++level;
    SCOPED_TRACE(fractal.name());
    const auto bytes = make({fractal, level, 1, {.map = MapKind::kCompact}});
    const auto bits = make({fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}});
    check(*bytes, *bits);
    check(*bits, *bytes);
  }
}

TEST_F(Bits, OfFractalsOfOnesOwnAreTheCellsToo) {
  const NbbFractal own[] = {
      {"wide", 5, 1, {{0, 0}, {1, 0}, {4, 0}}},
      {"high", 1, 3, {{0, 0}, {0, 2}}},
      {"anisotropic", 4, 3, {{0, 0}, {3, 0}, {1, 1}, {2, 1}, {0, 2}, {3, 2}}},
      {"nine", 8, 8, {{7, 0}, {1, 1}, {5, 1}, {2, 3}, {6, 4}, {0, 5}, {3, 5}, {4, 6}, {7, 7}}},
      {"sixteen", 4, 4,
       [] {
         std::vector<Coord32> all;
         for (std::uint32_t i = 0; i < 16; ++i) all.push_back({i % 4, i / 4});
         return all;
       }()},
      {"sixty-four", 8, 8,
       [] {
         std::vector<Coord32> all;
         for (std::uint32_t i = 0; i < 64; ++i) all.push_back({i % 8, i / 8});
         return all;
       }()},
  };
  for (const NbbFractal& fractal : own) {
    for (int level = 0; fractal.cells(level) <= 300'000; ++level) {
      const FractalConfig config{
          fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
      SCOPED_TRACE(tests::describe(config));
      const auto one = make(config);
      const auto other = make(config);
      check(*one, *other);
    }
  }
}

TEST_F(Bits, OfPartsAreThoseOfTheWhole) {
  for (const NbbFractal& fractal : catalog()) {
    int level = 0;
    while (fractal.cells(level + 1) <= 300'000) ++level;
    const FractalConfig config{fractal, level, 1, {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
    SCOPED_TRACE(tests::describe(config));
    const auto one = make(config);
    const auto split = make_distributed_engine(config, std::vector<Device>(3, backend_.device));
    check(*one, *split);
    check(*split, *one);
  }
}

TEST_F(Bits, MustBeAsManyAsTheCellsAre) {
  for (const FractalConfig& config : storages(catalog().front(), 5)) {
    SCOPED_TRACE(tests::describe(config));
    const auto engine = make(config);
    std::vector<std::uint8_t> bits(bytes_of_bits(engine->cell_count()) + 1);
    EXPECT_THROW(engine->read_bits(bits), InputError);
    EXPECT_THROW(engine->write_bits(bits), InputError);
    bits.resize(bits.size() - 2);
    EXPECT_THROW(engine->read_bits(bits), InputError);
    EXPECT_THROW(engine->write_bits(bits), InputError);
  }
}

TEST_F(Bits, CanBeCancelled) {
  for (const FractalConfig& config : storages(catalog().front(), 8)) {
    SCOPED_TRACE(tests::describe(config));
    const auto engine = make(config);
    engine->reset({1, 0.5});
    const Census before = engine->census();
    std::vector<std::uint8_t> bits(bytes_of_bits(engine->cell_count()));
    ProgressMonitor watch;
    engine->set_monitor(&watch);
    engine->read_bits(bits);
    EXPECT_DOUBLE_EQ(watch.share(), 1);
    engine->write_bits(bits);
    EXPECT_DOUBLE_EQ(watch.share(), 1);
    watch.cancel();
    EXPECT_THROW(engine->read_bits(bits), OperationCancelled);
    EXPECT_THROW(engine->write_bits(bits), OperationCancelled);
    engine->set_monitor(nullptr);
    EXPECT_EQ(engine->census().hash, before.hash);
  }
}

}  // namespace
}  // namespace loom
