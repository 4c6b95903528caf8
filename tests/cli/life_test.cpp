#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

nlohmann::json life(const std::string& options) {
  const Outcome outcome = run_program(words("life --backend cpu --json " + options));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  nlohmann::json json = outcome.json();
  std::string notes;
  for (const std::string note : json.value("notes", nlohmann::json::array()))
    notes += "fractal-loom: " + note + "\n";
  EXPECT_EQ(outcome.err, notes);
  return json;
}

/// Options for all maps with these tile sizes; they must give the same cells.
std::vector<std::string> methods(const std::vector<int>& tile_sizes) {
  std::vector<std::string> result;
  for (const int tile_size : tile_sizes) {
    for (const char* map : {"bounding-box", "lambda", "compact", "compact --halo off"}) {
      result.push_back(std::string(" --map ") + map + " --block " + std::to_string(tile_size));
    }
  }
  return result;
}

TEST(Life, DevicesAreNamedOnceAndThere) {
  const auto refused = [](const std::string& options, int status, const std::string& words_of_it) {
    const Outcome outcome = run_program(words("life --level 9 --map compact --storage bits " + options));
    EXPECT_EQ(outcome.status, status) << options;
    EXPECT_NE(outcome.err.find(words_of_it), std::string::npos) << outcome.err;
  };
  refused("--backend cpu --devices 0", 2, "the CPU backend is one device");
  refused("--devices all --device 0", 2, "exclude each other");
  refused("--backend cpu --devices 2 --shares 1", 2, "has 1 number for 2 devices");
  refused("--backend cpu --shares 1,2", 2, "--shares has no effect here; allowed: with --devices");
  refused("--backend cpu --devices 2 --shares 1,0", 2, "--shares");
  refused("--backend cpu --devices 2 --shares 1,1000", 2, "less than one of");
  const auto cuda = run_program({"info", "--json"}).json()["cuda"];
  if (cuda["available"].get<bool>()) {
    refused("--devices 0,0", 2, "listed twice");
    refused("--devices 99", 2, "there is no CUDA device 99");
    refused("--devices 0;1", 2, "is not a list of devices");
    refused("--devices 0 --map lambda --storage bytes", 2, "--map compact");
  } else {
    refused("--devices 0", 3, "no CUDA device");
  }
}

TEST(Life, HoweverCellsAreSharedOutTheyAreTheSame) {
  const std::string game = "--level 9 --map compact --storage bits --steps 20";
  const auto one = life(game);
  for (const std::string shares : {"1,1", "5,4", "1,20"}) {
    const auto shared = life(game + " --at-once 20 --devices 2 --shares " + shares);
    EXPECT_EQ(shared["hash"], one["hash"]) << shares;
    EXPECT_EQ(shared["population"], one["population"]) << shares;
  }
}

TEST(Life, BytesAreSharedOutOnTheCompactMapAlone) {
  const std::string game = "--level 9 --map compact --block 4 --steps 20";
  const auto one = life(game);
  for (const std::string shares : {"1,1", "5,4", "1,20"}) {
    const auto shared = life(game + " --at-once 20 --devices 2 --shares " + shares);
    EXPECT_EQ(shared["hash"], one["hash"]) << shares;
    EXPECT_EQ(shared["population"], one["population"]) << shares;
  }
  for (const std::string map : {"lambda", "bounding-box"}) {
    const Outcome refused = run_program(words("life --backend cpu --level 9 --devices 2 --map " + map));
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("cannot be distributed over several devices; allowed: --map compact"),
              std::string::npos)
        << refused.err;
  }
  const Outcome few = run_program(words("life --backend cpu --level 5 --devices 2 --map compact --block 16"));
  EXPECT_EQ(few.status, 2);
  EXPECT_NE(few.err.find("allowed: at most 1, a higher level, or smaller tiles"), std::string::npos)
      << few.err;
}

TEST(Life, ReadsRulesAsPeopleWriteThem) {
  for (const std::string word : {"b3s23", "23/3", "conway", "B3/S23:T64,64", "daynight"}) {
    const auto json = life("--level 3 --steps 0 --rule " + word);
    EXPECT_EQ(json["rule"], word == "daynight" ? "B3678/S34678" : "B3/S23") << word;
  }
}

TEST(Life, BeginsWithAPattern) {
  const auto start = life("--pattern gasket-seven --steps 0");
  EXPECT_EQ(start["fractal"], "sierpinski-gasket");
  EXPECT_EQ(start["rule"], "B2/S23");
  EXPECT_EQ(start["population"], 5);
  EXPECT_EQ(start["pattern"]["placed"], 5);
  EXPECT_EQ(start["pattern"]["lost"], 0);
  for (const std::string& method : methods({1, 4})) {
    EXPECT_EQ(life("--pattern gasket-seven --steps 7" + method)["hash"], start["hash"]) << method;
    EXPECT_NE(life("--pattern gasket-seven --steps 6" + method)["hash"], start["hash"]) << method;
  }
  EXPECT_EQ(start["notes"], nlohmann::json::array());
  // At another position the pattern falls on holes, which the report counts as lost.
  const auto moved = life("--pattern gasket-seven --at 20,0 --steps 0 --rule conway");
  EXPECT_EQ(moved["rule"], "B3/S23");
  EXPECT_EQ(moved["pattern"]["placed"], 0);
  EXPECT_EQ(moved["pattern"]["lost"], 5);
  EXPECT_EQ(moved["population"], 0);
  EXPECT_EQ(moved["notes"], nlohmann::json({"5 of 5 cells of the pattern are lost: 5 on holes, 0 outside."}));
}

// A glider moves by (1, 1) in 4 generations, and the square of 64 cells has no holes.
TEST(Life, PlacesPatternsOfOtherPrograms) {
  const tests::TemporaryFolder folder;
  const auto written = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
    return (folder.path() / name).string();
  };
  const std::string square =
      "--level 6 --steps 4 --fractal-file " +
      written("full.toml",
              "name = \"full square\"\ns_x = 2\ns_y = 2\noffsets = [[0, 0], [1, 0], [0, 1], [1, 1]]\n") +
      " --pattern ";
  const auto outside = life(
      square + written("far.rle", "#CXRLE Pos=-3,-5 Gen=100\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"));
  EXPECT_EQ(outside["population"], 5);
  EXPECT_EQ(outside["pattern"], (nlohmann::json{{"placed", 5}, {"lost", 0}, {"at", {30, 30}}}));
  EXPECT_NE(outside["notes"][0].get<std::string>().find("-3,-5 of the pattern is outside"),
            std::string::npos);
  const auto partly =
      life(square + written("edge.rle", "#CXRLE Pos=62,62\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"));
  EXPECT_EQ(partly["pattern"]["at"], nlohmann::json({30, 30}));
  for (const auto& [name, text] : {std::pair("norule.rle", "x=3,y=3\nbo$2bo$3o!"),
                                   std::pair("glider.cells", "!Name: Glider\n!\n.O\n..O\nOOO\n"),
                                   std::pair("glider.lif", "#Life 1.06\n0 -1\n1 0\n-1 1\n0 1\n1 1\n")}) {
    const auto glider = life(square + written(name, text) + " --at 20,20");
    EXPECT_EQ(glider["rule"], "B3/S23") << name;
    EXPECT_EQ(glider["population"], 5) << name;
    EXPECT_EQ(glider["notes"], nlohmann::json::array()) << name;
  }
  const Outcome lost =
      run_program(words("life --backend cpu --json " + square + written("wide.rle", "x = 80, y = 1\n80o!")));
  EXPECT_EQ(lost.status, 0);
  EXPECT_EQ(lost.json()["pattern"]["lost"], 16);
  EXPECT_EQ(lost.err, "fractal-loom: 16 of 80 cells of the pattern are lost: 0 on holes, 16 outside.\n");
  const Outcome bounded =
      run_program(words("life --backend cpu --level 3 --steps 0 --rule B3/S23:T64,64 --json"));
  EXPECT_EQ(bounded.json()["rule"], "B3/S23");
  EXPECT_NE(bounded.err.find("bounds of the plane"), std::string::npos) << bounded.err;
}

TEST(Life, SavesWhatAPatternBecame) {
  const std::string file = testing::TempDir() + "pattern" + std::to_string(getpid()) + ".loom";
  const auto start = life("--pattern gasket-seven --steps 3 --save " + file);
  const auto again = life("--open " + file + " --steps 4");
  EXPECT_EQ(again["generation"], 7);
  EXPECT_EQ(again["hash"], life("--pattern gasket-seven --steps 0")["hash"]);
  std::filesystem::remove(file);
}

// The report describes the actual start of the cells, not the default random start.
TEST(Life, SaysHowTheCellsBegan) {
  EXPECT_EQ(life("--pattern gasket-seven --steps 0")["density"], 0);
  EXPECT_EQ(life("--pattern gasket-seven --steps 0 --density 0.25")["density"], 0.25);
  const Outcome dead = run_program(words("life --backend cpu --pattern gasket-seven --steps 0"));
  EXPECT_NE(dead.out.find("all cells dead"), std::string::npos) << dead.out;
  EXPECT_EQ(dead.out.find("density"), std::string::npos) << dead.out;
  const std::string file = testing::TempDir() + "began" + std::to_string(getpid()) + ".loom";
  life("--pattern gasket-seven --steps 3 --save " + file);
  const auto json = life("--steps 0 --open " + file);
  EXPECT_TRUE(json["seed"].is_null() && json["density"].is_null()) << json.dump();
  life("--level 3 --seed 9 --steps 2 --save " + file);
  EXPECT_EQ(life("--steps 0 --open " + file)["seed"], 9) << "the file stores a random start by its seed";
  std::filesystem::remove(file);
}

TEST(Life, RefusesPatternsThatAreNone) {
  const auto refusal = [](const std::string& options) {
    const Outcome outcome = run_program(words("life --backend cpu " + options));
    EXPECT_EQ(outcome.status, 2) << options;
    return outcome.err;
  };
  EXPECT_NE(refusal("--pattern nowhere").find("gasket-seven"), std::string::npos);
  EXPECT_NE(refusal("--at 1,2").find("--pattern"), std::string::npos);
  EXPECT_NE(refusal("--pattern gasket-seven --at here").find("X,Y"), std::string::npos);
  const std::string file = testing::TempDir() + "scene" + std::to_string(getpid()) + ".loom";
  life("--level 3 --steps 0 --save " + file);
  EXPECT_NE(refusal("--pattern gasket-seven --open " + file).find("exclude"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_NE(refusal("--pattern gasket-seven --seed 4").find("--density"), std::string::npos);
}

TEST(Life, GasketCheckValueIsTheSameEveryWay) {
  for (const std::string& method : methods({1, 2, 4, 8, 16, 32})) {
    SCOPED_TRACE(method);
    const auto json = life(
        "--fractal sierpinski-gasket --level 8 --rule B2/S23 --seed 1 --density 0.5 --steps 100" + method);
    EXPECT_EQ(json["cells"], 6561);
    EXPECT_EQ(json["population"], 1372);
    EXPECT_EQ(json["hash"], "2e269e30ff0b89dd");
  }
}

TEST(Life, CarpetCheckValueIsTheSameEveryWay) {
  for (const std::string& method : methods({1, 3, 9, 27})) {
    SCOPED_TRACE(method);
    const auto json = life(
        "--fractal sierpinski-carpet --level 4 --rule B2/S23 --seed 7 --density 0.4 --steps 20" + method);
    EXPECT_EQ(json["cells"], 4096);
    EXPECT_EQ(json["population"], 1643);
    EXPECT_EQ(json["hash"], "5ec80c9c248e2f8f");
  }
}

TEST(Life, CheckValueOfSeveralStatesIsTheSameEveryWay) {
  for (const std::string& method : methods({1, 3, 9, 27})) {
    for (const char* rule : {"B2/S345/C4", "345/2/4"}) {
      SCOPED_TRACE(method);
      const auto json = life(
          std::string("--fractal sierpinski-carpet --level 4 --seed 1 --density 0.3 --steps 30 --rule ") +
          rule + method);
      EXPECT_EQ(json["rule"], "B2/S345/C4");
      EXPECT_EQ(json["population"], 76);
      EXPECT_EQ(json["states"], nlohmann::json({3980, 76, 19, 21}));
      EXPECT_EQ(json["hash"], "685d11bc7de87988");
    }
  }
  EXPECT_EQ(life("--level 3 --steps 0 --density 1")["states"], nlohmann::json({0, 27}));
}

TEST(Life, CheckValueOfLargerThanLifeIsTheSameEveryWay) {
  const std::string field = "--fractal sierpinski-carpet --level 4 --seed 1 --density 0.5 --steps 12";
  for (const char* counting :
       {"", " --counting direct", " --counting sums", " --counting bits", " --counting tensor"}) {
    // The bounding box has 27 threads in a thread block with tiles of 1 x 1, less than the warp that rows of
    // bits need.
    const bool of_rows =
        counting == std::string(" --counting bits") || counting == std::string(" --counting tensor");
    for (const std::string& method : of_rows ? methods({3, 9, 27}) : methods({1, 3, 9, 27})) {
      SCOPED_TRACE(method + counting);
      const auto json = life(field + " --rule R5,C0,M1,S34..58,B34..45,NM" + method + counting);
      EXPECT_EQ(json["rule"], "R5,C0,M1,S34..58,B34..45,NM");
      EXPECT_EQ(json["population"], 397);
      EXPECT_EQ(json["hash"], "64e319d1f43c9118");
    }
  }
  EXPECT_EQ(life(field + " --rule Bugs")["counting"], "sums");
  // Conway's rule in the notation of Larger than Life.
  const auto conway = life(field + " --rule R1,C0,M0,S2..3,B3..3,NM");
  EXPECT_EQ(conway["hash"], life(field + " --rule B3/S23")["hash"]);
  EXPECT_EQ(conway["counting"], "direct");
  EXPECT_TRUE(life(field)["counting"].is_null());
  const std::string file = testing::TempDir() + "larger" + std::to_string(getpid()) + ".loom";
  life(
      "--fractal sierpinski-carpet --level 4 --seed 1 --density 0.5 --steps 7 --rule Bugs --map compact "
      "--counting direct --save " +
      file);
  const auto opened = life("--steps 5 --open " + file);
  EXPECT_EQ(opened["hash"], "64e319d1f43c9118");
  EXPECT_EQ(opened["counting"], "direct");
  for (const char* map : {"bounding-box", "compact"}) {
    const auto in_bits = life(std::string("--steps 5 --storage bits --map ") + map + " --open " + file);
    EXPECT_EQ(in_bits["hash"], "64e319d1f43c9118");
    EXPECT_EQ(in_bits["counting"], "bits");
  }
  std::filesystem::remove(file);
}

TEST(Life, StatesThatAStorageCannotHoldAreRefused) {
  const auto refused = [](const std::string& options, const std::string& words_of_it) {
    const Outcome outcome = run_program(words("life --backend cpu --level 3 " + options));
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_NE(outcome.err.find(words_of_it), std::string::npos) << outcome.err;
  };
  refused("--map compact --storage bits --rule B2/S345/C4",
          "rule B2/S345/C4 has 4 states, bit-packed storage holds 2; allowed: byte storage");
  refused(
      "--map bounding-box --storage bits --rule R5,C0,M1,S34..58,B34..45,NC",
      "bit-packed storage counts box neighbourhoods (NM), unlike rule R5,C0,M1,S34..58,B34..45,NC; allowed: "
      "byte storage");
  refused("--map compact --block 1 --devices 2 --rule Bugs", "allowed: one device");
  refused("--counting sums", "--counting has no effect with rule B2/S23; allowed: with a rule of Larger");
  refused("--counting bit --rule Bugs", "unknown counting 'bit'; allowed: auto, direct, sums, bits, tensor");
  refused("--counting bits --rule Bugs",
          "--counting bits needs a whole warp, and thread blocks have only 27 threads here; allowed: auto, "
          "direct, sums");
  refused("--counting bits --rule R5,C0,M1,S20..40,B20..30,NC",
          "--counting bits needs a box neighbourhood (NM), unlike rule R5,C0,M1,S20..40,B20..30,NC");
  refused("--fractal menger-sponge --counting sums", "no effect with a three-dimensional fractal");
  refused("--fractal menger-sponge --rule R5,C0,M1,S34..58,B34..45,NM",
          "of Larger than Life, which has two dimensions");
  refused("--rule B2/S345/C256", "has 256 states; allowed: 2 to 255");
  refused("--rule B2/S345/C1", "has 1 states; allowed: 2 to 255");
  life("--level 3 --map compact --storage bits --rule B2/S345/C2");
}

// Cells of several states are saved, also where recomputing them would take long, and go on from there.
TEST(Life, StatesAreSavedInScenes) {
  const std::string file = testing::TempDir() + "states" + std::to_string(getpid()) + ".loom";
  const std::string field = "--fractal sierpinski-carpet --rule B2/S345/C6 --seed 1 --density 0.3 --level ";
  for (const auto& [level, steps] : {std::pair(4, 20), std::pair(6, 150)}) {
    SCOPED_TRACE(level);
    const std::string options = field + std::to_string(level);
    const auto saved = life(options + " --steps " + std::to_string(steps) + " --save " + file);
    const auto opened = life("--steps 5 --open " + file);
    EXPECT_EQ(opened["hash"], life(options + " --steps " + std::to_string(steps + 5))["hash"]);
    EXPECT_EQ(life("--steps 0 --open " + file)["states"], saved["states"]);
  }
  std::filesystem::remove(file);
}

TEST(Life, GenerationsAskedForAtOnceAreTheSame) {
  for (const char* at_once : {"1", "7", "100", "1000"}) {
    SCOPED_TRACE(at_once);
    const auto json =
        life(std::string(
                 "--fractal sierpinski-gasket --level 8 --map compact --storage bits --rule B2/S23 --seed 1 "
                 "--density 0.5 --steps 100 --at-once ") +
             at_once);
    EXPECT_EQ(json["hash"], "2e269e30ff0b89dd");
    EXPECT_EQ(json["at_once"], std::stoi(at_once));
  }
}

TEST(Life, JsonHoldsWhatWasAskedAndWhatCameOut) {
  const auto json = life(
      "--fractal vicsek --level 4 --map compact --block 9 --halo off --rule b3/s23 --seed 42 "
      "--density 0.25 --steps 3");
  EXPECT_EQ(json["fractal"], "vicsek");
  EXPECT_EQ(json["level"], 4);
  EXPECT_EQ(json["map"], "compact");
  EXPECT_EQ(json["block"], 9);
  EXPECT_EQ(json["halo"], false);
  EXPECT_EQ(json["rule"], "B3/S23");
  EXPECT_EQ(json["seed"], 42);
  EXPECT_EQ(json["density"], 0.25);
  EXPECT_EQ(json["steps"], 3);
  EXPECT_EQ(json["backend"], "cpu");
  EXPECT_NE(json["device"].get<std::string>().find("thread"), std::string::npos);
  EXPECT_EQ(json["cells"], 625);
  EXPECT_EQ(json["hash"].get<std::string>().size(), 16u);
  EXPECT_GT(json["bytes"], 0);
  const auto& times = json["step_ms"];
  EXPECT_GE(times["median"].get<double>(), 0.0);
  EXPECT_GE(times["p95"].get<double>(), times["median"].get<double>());
}

TEST(Life, CountsThreadsAndBytesAsTheFormulasSay) {
  // Gasket, r = 7, rho = 4: n = 128, tile level 5.
  const std::uint64_t square = 128 * 128;
  const std::uint64_t tiles_of_cells = 243;  // 3^5
  for (const char* map : {"bounding-box", "lambda", "compact"}) {
    SCOPED_TRACE(map);
    const auto json = life(std::string("--level 7 --block 4 --steps 2 --intra-block sub-box --map ") + map);
    const bool is_box = std::string(map) == "bounding-box";
    EXPECT_EQ(json["tiles_launched"], is_box ? square / 16 : tiles_of_cells);
    EXPECT_EQ(json["tiles_occupied"], tiles_of_cells);
    EXPECT_EQ(json["tiles_empty"], is_box ? square / 16 - tiles_of_cells : 0);
    EXPECT_EQ(json["threads_launched"], is_box ? square : tiles_of_cells * 16);
    EXPECT_EQ(json["threads_active"], 2187);
    EXPECT_EQ(json["threads_misplaced"], 0);
    EXPECT_EQ(json["bytes"], 2 * (std::string(map) == "compact" ? tiles_of_cells * 16 : square));
  }
  const auto lookup = life("--level 7 --block 4 --steps 1 --intra-block lookup");
  EXPECT_EQ(lookup["threads_launched"], 2187) << "no thread may be idle";
}

TEST(Life, CountsTheThreadsThatPlainFp16WeightsLeadAstray) {
  // X-fractal, level 8: FP16 rounds 3^7 to 2188, so every cell outside the first replica of level 8 is
  // misplaced (4 * 5^7 cells), 766 of them outside the square.
  const auto json =
      life("--fractal x-fractal --level 8 --block 1 --map lambda --arithmetic tensor-fp16 --steps 1");
  EXPECT_EQ(json["threads_launched"], 390625);
  EXPECT_EQ(json["threads_active"], 390625 - 766);
  EXPECT_EQ(json["threads_misplaced"], 4 * 78125 - 766);
}

TEST(Life, AutoIsTheDefaultAndTheJsonNamesWhatItCameTo) {
  for (const char* map : {"lambda", "compact"}) {
    SCOPED_TRACE(map);
    const auto scene = std::string("--level 6 --steps 1 --map ") + map;
    const auto silent = life(scene);
    const auto typed = life(scene + " --arithmetic auto --intra-block auto --halo auto --tiles auto");
    for (const char* key : {"arithmetic", "intra_block", "halo", "tiles"}) {
      EXPECT_EQ(silent[key], typed[key]) << key;
      EXPECT_NE(silent[key], "auto") << key;
    }
    EXPECT_TRUE(silent["arithmetic"].is_string());
    EXPECT_EQ(life(scene + " --arithmetic loop --intra-block unrolled")["hash"], silent["hash"]);
  }
  EXPECT_TRUE(life("--level 6 --steps 1 --map bounding-box --arithmetic auto")["arithmetic"].is_null());
}

TEST(Life, TilesAreTheirNumberAndShareThreadBlocks) {
  // Gasket, r = 7, rho = 4: 27 x 9 = 243 tiles of 16 threads.
  const std::string scene = "--level 7 --block 4 --steps 1 --map lambda --intra-block sub-box";
  for (const int tiles : {1, 3, 9, 27}) {
    const auto json = life(scene + " --tiles " + std::to_string(tiles));
    EXPECT_EQ(json["tiles"], tiles);
    EXPECT_EQ(json["thread_blocks"], 243 / tiles);
    EXPECT_EQ(json["tiles_launched"], 243);
  }
  EXPECT_EQ(life(scene)["tiles"], 9) << "the largest number with at most 256 threads per thread block";
}

TEST(Life, EveryWorkloadIsTheSameUnderEveryMap) {
  std::set<std::string> hashes;
  std::set<std::uint64_t> sums;
  for (const std::string& method : methods({1, 4, 16})) {
    SCOPED_TRACE(method);
    const auto written = life("--level 6 --steps 9 --workload single-write" + method);
    EXPECT_EQ(written["workload"], "single-write");
    EXPECT_TRUE(written["sum"].is_null());
    EXPECT_TRUE(written["reduction"].is_null());
    hashes.insert(written["hash"]);
    for (const char* reduction : {"warp", "tensor"}) {
      const auto reduced =
          life("--level 6 --steps 2 --workload reduction --reduction " + std::string(reduction) + method);
      EXPECT_EQ(reduced["reduction"], reduction);
      EXPECT_EQ(reduced["hash"], life("--level 6 --steps 0")["hash"]) << "a reduction must not change cells";
      sums.insert(reduced["sum"].get<std::uint64_t>());
    }
  }
  EXPECT_EQ(hashes.size(), 1u);
  EXPECT_EQ(sums.size(), 1u);
  // Each living cell adds between 1 and 8.
  const auto start = life("--level 6 --steps 0");
  EXPECT_GT(*sums.begin(), start["population"].get<std::uint64_t>());
  EXPECT_LT(*sums.begin(), 8 * start["population"].get<std::uint64_t>());
  EXPECT_TRUE(life("--level 6 --steps 0 --workload reduction")["sum"].is_null());
}

TEST(Life, SaysWhatTheCpuEmulates) {
  EXPECT_EQ(life("--level 4 --arithmetic table")["emulated"], false);
  EXPECT_EQ(life("--level 4 --arithmetic shuffle")["emulated"], true);
  EXPECT_EQ(life("--level 4 --workload reduction")["emulated"], false);
  EXPECT_EQ(life("--level 4 --workload reduction --reduction tensor")["emulated"], true);
  const Outcome outcome = run_program(words("life --backend cpu --level 4 --arithmetic shuffle"));
  EXPECT_NE(outcome.out.find("emulated"), std::string::npos) << outcome.out;
}

TEST(Life, WithoutStepsIsTheRandomStart) {
  const auto json = life("--level 6 --seed 5 --density 0.5 --steps 0");
  EXPECT_EQ(json["steps"], 0);
  EXPECT_TRUE(json["step_ms"]["median"].is_null());
  EXPECT_TRUE(json["step_ms"]["p95"].is_null());
  for (const char* key : {"tiles_launched", "tiles_occupied", "thread_blocks", "threads_launched",
                          "threads_active", "threads_misplaced"}) {
    EXPECT_TRUE(json[key].is_null()) << key;
  }
  // 729 cells with density 0.5: five standard deviations are 67.
  EXPECT_NEAR(json["population"].get<double>(), 729 / 2.0, 67);
  EXPECT_EQ(life("--level 6 --density 0 --steps 0")["population"], 0);
  EXPECT_EQ(life("--level 6 --density 1 --steps 0")["population"], 729);
  EXPECT_EQ(life("--level 6 --density 0 --steps 0")["hash"], "0000000000000000");
}

TEST(Life, SeedsAndRulesMatter) {
  std::set<std::string> hashes;
  for (const char* options :
       {"--seed 1", "--seed 2", "--seed 18446744073709551615", "--seed 1 --density 0.4",
        "--seed 1 --rule B3/S23", "--seed 1 --rule B/S", "--seed 1 --rule B2/S012345678"}) {
    hashes.insert(life(std::string("--level 6 --steps 4 ") + options)["hash"]);
  }
  EXPECT_EQ(hashes.size(), 7u);
}

TEST(Life, WithoutOptionsTakesALevelAndTileSizeThatWork) {
  for (const char* fractal : {"sierpinski-gasket", "sierpinski-carpet", "vicsek", "x-fractal", "h-fractal",
                              "empty-bottles", "candy", "chandelier", "cantor"}) {
    SCOPED_TRACE(fractal);
    const auto json = life(std::string("--steps 0 --fractal ") + fractal);
    EXPECT_GE(json["level"], 5);
    EXPECT_GT(json["block"], 1);
    EXPECT_LE(json["block"], 16);
  }
}

TEST(Life, TextReportSaysTheSame) {
  const Outcome outcome = run_program(words("life --backend cpu --level 8 --map compact"));
  EXPECT_EQ(outcome.status, 0);
  for (const char* part :
       {"sierpinski-gasket", "level 8", "compact", "B2/S23", "1372", "2e269e30ff0b89dd", "cpu", "median"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
}

/// A temporary scene file, removed after the test.
struct SavedScene {
  const tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "saved.loom").string();
};

TEST(Life, FiftyGenerationsSavedAndOpenedGoOnAsAHundred) {
  // Small fields are saved as their start, larger ones cell by cell.
  for (const std::string field : {"--level 8", "--level 12", "--fractal sierpinski-carpet --level 6"}) {
    for (const std::string method : {"--map bounding-box", "--map lambda", "--map compact --storage bytes",
                                     "--map compact --storage bits"}) {
      SCOPED_TRACE(field + " " + method);
      const SavedScene file;
      const auto whole = life(field + " --steps 100 " + method);
      life(field + " --steps 50 " + method + " --save " + file.path);
      const auto opened = life("--open " + file.path + " --steps 50");
      EXPECT_EQ(opened["hash"], whole["hash"]);
      EXPECT_EQ(opened["population"], whole["population"]);
      EXPECT_EQ(opened["generation"], 100);
      EXPECT_EQ(opened["map"], whole["map"]);
      EXPECT_EQ(opened["storage"], whole["storage"]);
      EXPECT_EQ(life("--open " + file.path + " --steps 50 --map lambda --storage bytes")["hash"],
                whole["hash"]);
    }
  }
}

TEST(Life, AnotherRuleAfterOpeningIsSavedToo) {
  const SavedScene file;
  life("--level 6 --steps 10 --rule B3/S23 --save " + file.path);
  const auto mixed = life("--open " + file.path + " --rule B2/S23 --steps 7 --save " + file.path);
  const auto opened = life("--open " + file.path + " --steps 0");
  EXPECT_EQ(opened["hash"], mixed["hash"]);
  EXPECT_EQ(opened["generation"], 17);
  EXPECT_EQ(opened["rule"], "B2/S23");
}

TEST(Life, OpeningRefusesWhatTheFileFixes) {
  const SavedScene file;
  life("--level 4 --steps 1 --save " + file.path);
  for (const std::string option : {"--level 5", "--fractal vicsek", "--seed 3", "--density 0.1"}) {
    const Outcome outcome = run_program(words("life --backend cpu --open " + file.path + " " + option));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find("--open exclude each other"), std::string::npos) << outcome.err;
  }
  const Outcome missing = run_program(words("life --backend cpu --open " + file.path + ".none"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_EQ(missing.err_lines().size(), 1u);
}

}  // namespace
}  // namespace loom::test
