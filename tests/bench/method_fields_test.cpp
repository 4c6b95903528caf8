#include <gtest/gtest.h>

#include <set>

#include "app/bench/cell_config.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"

namespace loom {
namespace {

TiledFractal gasket() {
  return make_tiled_fractal(find_fractal("sierpinski-gasket"), 6, 4);
}

TEST(MethodFields, EachReadsWhatItWritesAndTouchesNothingElse) {
  for (const MethodField& field : method_fields()) {
    const MethodField& map = method_fields().front();
    const MapMethod start{.map = MapKind::kCompact};  // the map that supports every choice
    for (const std::string& value : values_of(field, start, gasket())) {
      MapMethod method = start;
      field.read(value, method);
      if (field.option != "map") {
        EXPECT_EQ(field.text(method), value) << field.option;
        EXPECT_EQ(map.text(method), "compact") << field.option;
      }
      MapMethod copied = start;
      field.copy(method, copied);
      EXPECT_EQ(copied, method) << field.option << "copies another field or not its own";
    }
    MapMethod method;
    EXPECT_THROW(field.read("nonsense", method), InputError) << field.option;
    EXPECT_THROW(field.read("", method), InputError) << field.option;
  }
}

TEST(MethodFields, NamesAndKeysComeOnceAndAreFound) {
  std::set<std::string_view> options;
  std::set<std::string_view> keys;
  for (const MethodField& field : method_fields()) {
    options.insert(field.option);
    keys.insert(field.key);
    EXPECT_EQ(find_method_field(field.option), &field);
    EXPECT_FALSE(field.purpose.empty());
  }
  EXPECT_EQ(options.size(), method_fields().size());
  EXPECT_EQ(keys.size(), method_fields().size());
  EXPECT_EQ(method_fields().front().option, "map");
  EXPECT_EQ(find_method_field("colour"), nullptr);
}

TEST(MethodFields, SayWhatAMapHas) {
  const auto varies = [](const char* option, MapKind map) {
    return find_method_field(option)->varies({.map = map});
  };
  EXPECT_FALSE(varies("arithmetic", MapKind::kBoundingBox));
  EXPECT_FALSE(varies("intra-block", MapKind::kBoundingBox));
  EXPECT_TRUE(varies("tiles", MapKind::kBoundingBox));
  EXPECT_TRUE(varies("arithmetic", MapKind::kLambda));
  EXPECT_FALSE(varies("halo", MapKind::kLambda));
  EXPECT_TRUE(varies("halo", MapKind::kCompact));
}

TEST(MethodFields, NumbersHaveBoundsAndAuto) {
  const MethodField& tiles = *find_method_field("tiles");
  MapMethod method;
  tiles.read("256", method);
  EXPECT_EQ(method.tiles, 256u);
  tiles.read("auto", method);
  EXPECT_EQ(method.tiles, 0u);
  for (const char* text : {"0", "257", "1.5", "-1", "3 "}) EXPECT_THROW(tiles.read(text, method), InputError);
  EXPECT_TRUE(tiles.names().empty());
  EXPECT_EQ(find_method_field("intra-block")->names(),
            (std::vector<std::string>{"sub-box", "unrolled", "lookup"}));
}

TEST(MethodFields, AConfigurationInJsonHasThemAllByTheNamesThatFilesHave) {
  const FractalConfig box{.fractal = find_fractal("sierpinski-gasket"),
                          .level = 5,
                          .tile_size = 4,
                          .method = {.map = MapKind::kBoundingBox, .intra_block = IntraBlock::kLookup}};
  nlohmann::ordered_json json;
  app::bench::add_config(json, box);
  EXPECT_EQ(json["map"], "bounding-box");
  EXPECT_EQ(json["block"], 4);
  EXPECT_TRUE(json["halo"].is_null() && json["arithmetic"].is_null());
  EXPECT_EQ(json["intra_block"], "sub-box");
  EXPECT_TRUE(json["tiles"].is_number_unsigned()) << json["tiles"];
  FractalConfig compact = box;
  compact.method = {.map = MapKind::kCompact,
                    .arithmetic = MapArithmetic::kTable,
                    .intra_block = IntraBlock::kLookup,
                    .tiles = 3,
                    .halo = false,
                    .counting = Counting::kDirect};
  EXPECT_TRUE(json["counting"].is_null());
  json.clear();
  app::bench::add_config(json, compact);
  EXPECT_EQ(json["halo"], false);
  EXPECT_EQ(json["arithmetic"], "table");
  EXPECT_EQ(json["intra_block"], "lookup");
  EXPECT_EQ(json["tiles"], 3);
  EXPECT_EQ(json["counting"], "direct");
  compact.method.counting = Counting::kAuto;
  json.clear();
  app::bench::add_config(json, compact);
  EXPECT_TRUE(json["counting"].is_null()) << "not known before the rule";
}

}  // namespace
}  // namespace loom
