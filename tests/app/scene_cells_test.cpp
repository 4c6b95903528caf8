#include <gtest/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "app/document/scene/scene.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app::scene {
namespace {

TEST(PackedBits, AFrameThatUnpacksToMoreIsRefused) {
  const CellBits much{.count = 1 << 20, .bytes = std::vector<std::uint8_t>(1 << 17)};
  const auto frames = pack(much);
  EXPECT_LT(frames.size(), 100u) << "zeros compress well";
  EXPECT_THROW(unpack(frames, 1 << 10), InputError);
  EXPECT_THROW(unpack(frames, std::uint64_t{1} << 40), InputError);
  EXPECT_EQ(unpack(frames, 1 << 20), much);
}

TEST(PackedBits, CellsOfSeveralPartsComeBack) {
  CellBits bits{.count = kPackedCells * 2 + 5, .bytes = {}};
  bits.bytes.resize(bytes_of_bits(bits.count), 0x5a);
  bits.bytes.back() = 0x15;
  const auto frames = pack(bits);
  EXPECT_EQ(unpack(frames, bits.count), bits);
  std::size_t count = 0;
  for (std::string_view rest = frames; !rest.empty(); ++count)
    rest.remove_prefix(ZSTD_findFrameCompressedSize(rest.data(), rest.size()));
  EXPECT_EQ(count, 3u);
}

TEST(CellBits, HoldSeveralStates) {
  FractalConfig config = default_life_settings().config;
  set_level(config, 7);
  const auto engine = make_fractal_engine(config, {{}, "test"});
  engine->reset({3, 0.3});
  engine->step(2, parse_rule("B2/S345/C6"));
  const CellBits bits = loom::app::read_cell_bits(*engine);
  EXPECT_EQ(bits.planes(), 3u);
  std::vector<std::uint8_t> cells(engine->cell_count());
  engine->read_cells(0, cells);
  ASSERT_GT(*std::ranges::max_element(cells), 1);
  for (std::size_t i = 0; i < cells.size(); ++i) ASSERT_EQ(bits.state(i), cells[i]) << i;
  EXPECT_EQ(census_of(bits).hash, engine->census().hash);
  EXPECT_EQ(census_of(bits).population, engine->census().population);
  EXPECT_EQ(unpack(pack(bits), bits.count, 3), bits);
  EXPECT_THROW(unpack(pack(bits), bits.count, 1), InputError);
  EXPECT_THROW(unpack(pack(bits), std::numeric_limits<std::uint64_t>::max(), 8), InputError);
  CellBits damaged = bits;
  damaged.bytes[bytes_of_bits(bits.count) - 1] = 0xff;
  EXPECT_THROW(unpack(pack(damaged), bits.count, 3), InputError) << "bits after the last cell of a plane";
}

TEST(CellBits, AreTheEnginesCellsEveryWay) {
  for (const MapKind map : kMapKinds) {
    FractalConfig config = default_life_settings().config;
    set_level(config, 7);
    set_map(config, map);
    const auto engine = make_fractal_engine(config, {{}, "test"});
    engine->reset({3, 0.3});
    const CellBits bits = loom::app::read_cell_bits(*engine);
    std::vector<std::uint8_t> cells(engine->cell_count());
    engine->read_cells(0, cells);
    for (std::size_t i = 0; i < cells.size(); ++i) ASSERT_EQ(bits.state(i), cells[i]) << i;
    EXPECT_EQ(census_of(bits).hash, engine->census().hash);
    EXPECT_EQ(census_of(bits).population, engine->census().population);
    engine->clear();
    engine->write_bits(bits.bytes);
    EXPECT_EQ(engine->census().hash, census_of(bits).hash);
  }
}

TEST(Base64, IsThatOfTheStandard) {
  // RFC 4648, section 10.
  const std::vector<std::pair<std::string, std::string>> all = {{"", ""},
                                                                {"f", "Zg=="},
                                                                {"fo", "Zm8="},
                                                                {"foo", "Zm9v"},
                                                                {"foob", "Zm9vYg=="},
                                                                {"fooba", "Zm9vYmE="},
                                                                {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : all) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const char* text : {"Zg", "Zg=", "Z===", "Zh==", "Zm9=", "Zm 9v", "====", "=Zm9"}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace loom::app::scene
