#include "app/bench/axes.h"

#include <gtest/gtest.h>

#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"

namespace loom::app::bench {
namespace {

TEST(AxisText, LevelsAreListsAndRanges) {
  EXPECT_EQ(parse_levels("8..11"), (std::vector<int>{8, 9, 10, 11}));
  EXPECT_EQ(parse_levels("4,8..10,2"), (std::vector<int>{2, 4, 8, 9, 10}));
  EXPECT_EQ(parse_levels("3,3,2..4"), (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(parse_levels("0"), (std::vector<int>{0}));
}

TEST(AxisText, BrokenLevelsAreRefused) {
  for (const char* text : {"", "8..", "..8", "9..8", "a", "1,", ",1", "1,,2", "-1", "64", "1..64", "1.5",
                           "1...3", " 1", "all", "99999999999999999999"}) {
    EXPECT_THROW(parse_levels(text), InputError) << text;
  }
}

TEST(AxisText, TileSizesAreListsOrAll) {
  EXPECT_EQ(parse_tile_sizes("1,2,4"), (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_EQ(parse_tile_sizes("all"), std::nullopt);
  EXPECT_THROW(parse_tile_sizes("0"), InputError);
  EXPECT_THROW(parse_tile_sizes("2048"), InputError);
}

TEST(AxisText, NamesKeepTheirOrderAndCountOnce) {
  EXPECT_EQ(parse_names("map", "compact,lambda,compact", kMapKinds),
            (std::vector<MapKind>{MapKind::kCompact, MapKind::kLambda}));
  EXPECT_EQ(parse_names("map", "all", kMapKinds).size(), kMapKinds.size());
  EXPECT_EQ(parse_fractals("all").size(), built_in_fractals().size());
  EXPECT_EQ(parse_fractals("cantor").front().name(), "cantor");
}

using Texts = std::vector<std::string>;

Texts method_values(const char* option, const char* text) {
  return parse_values(*find_method_field(option), text);
}

TEST(AxisText, FieldsOfTheMethodTakeNamesNumbersAllAndAuto) {
  EXPECT_EQ(method_values("arithmetic", "table,loop,table"), (Texts{"table", "loop"}));
  EXPECT_EQ(method_values("arithmetic", "auto"), (Texts{"auto"}));
  EXPECT_EQ(method_values("intra-block", "all"), (Texts{"all"}));
  EXPECT_EQ(method_values("halo", "off,on"), (Texts{"off", "on"}));
  EXPECT_EQ(method_values("tiles", "auto,1,3..5"), (Texts{"auto", "1", "3", "4", "5"}));
  for (const char* text : {"", "0", "257", "many", "1,,2"}) {
    EXPECT_THROW(method_values("tiles", text), InputError) << text;
  }
  EXPECT_THROW(method_values("halo", "yes"), InputError);
  EXPECT_THROW(method_values("arithmetic", "loop,guess"), InputError);
  EXPECT_EQ(parse_names("reduction", "all", kReductionMethods).size(), kReductionMethods.size());
  EXPECT_THROW(parse_names("reduction", "sum", kReductionMethods), InputError);
}

TEST(AxisText, AnUnknownWorkloadIsAnsweredWithTheAllowedOnes) {
  EXPECT_EQ(parse_names("workload", "life", kWorkloads), (std::vector<Workload>{Workload::kLife}));
  try {
    parse_names("workload", "life,dreams", kWorkloads);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("dreams"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("allowed: single-write, reduction, life"), std::string::npos);
  }
}

TEST(AxisText, BackendsThatComeToTheSameCountOnce) {
  EXPECT_EQ(parse_backends("cpu,cpu", 0).size(), 1u);
  const bool has_gpu = !cuda_status().devices.empty();
  EXPECT_EQ(parse_backends("all", 0).size(), has_gpu ? 2u : 1u);
  EXPECT_EQ(parse_backends("auto,cpu", 0).size(), has_gpu ? 2u : 1u);
  EXPECT_THROW(parse_backends("opencl", 0), InputError);
}

}  // namespace
}  // namespace loom::app::bench
