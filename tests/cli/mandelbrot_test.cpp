#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "program.h"
#include "temporary_folder.h"

namespace loom::test {
namespace {

nlohmann::json mandelbrot(const std::string& options) {
  const Outcome outcome = run_program(words("mandelbrot --backend cpu --json " + options));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.json();
}

TEST(Mandelbrot, DevicesAreNamedOnceAndThere) {
  const auto refused = [](const std::string& options, int status, const std::string& words_of_it) {
    const Outcome outcome = run_program(words("mandelbrot --size 64x64 " + options));
    EXPECT_EQ(outcome.status, status) << options;
    EXPECT_NE(outcome.err.find(words_of_it), std::string::npos) << outcome.err;
  };
  refused("--backend cpu --devices 0", 2, "the CPU backend is one device");
  refused("--devices all --device 0", 2, "exclude each other");
  const auto cuda = run_program({"info", "--json"}).json()["cuda"];
  if (cuda["available"].get<bool>()) {
    refused("--devices 0,0", 2, "listed twice");
    refused("--devices 99", 2, "there is no CUDA device 99");
    refused("--devices 0;1", 2, "is not a list of devices");
  } else {
    refused("--devices 0", 3, "no CUDA device");
  }
}

TEST(Mandelbrot, PartsOfTheCpuGiveTheSamePicture) {
  for (const std::string picture :
       {"--size 300x200", "--size 97x203 --method exhaustive", "--size 128x128 --method dp"}) {
    const auto one = mandelbrot(picture + " --hash --check");
    EXPECT_TRUE(one["devices"].is_null());
    EXPECT_TRUE(one["parts"].empty());
    EXPECT_EQ(one["ranks"], 1);
    const auto parts = mandelbrot(picture + " --hash --check --devices 3");
    EXPECT_EQ(parts["devices"].size(), 3u);
    ASSERT_EQ(parts["parts"].size(), 3u);
    std::uint64_t pixels = 0;
    for (const auto& part : parts["parts"]) {
      EXPECT_LE(part["begin_ms"].get<double>(), part["end_ms"].get<double>());
      EXPECT_GT(part["ms"].get<double>(), 0);
      pixels += part["pixels"].get<std::uint64_t>();
    }
    EXPECT_EQ(pixels, parts["pixels"].get<std::uint64_t>());
    for (const char* const key : {"hash", "interior_pixels", "computed_pixels", "check"})
      EXPECT_EQ(parts[key], one[key]);
  }
}

TEST(Mandelbrot, DefaultsAndFields) {
  const auto json = mandelbrot("--hash");
  EXPECT_EQ(json["method"], "ask");
  EXPECT_EQ(json["scheme"], "sbr");
  EXPECT_EQ(json["g"], 32);
  EXPECT_EQ(json["r"], 2);
  EXPECT_EQ(json["b"], 32);
  EXPECT_EQ(json["dwell_limit"], 512);
  EXPECT_EQ(json["block_shape"], "16x16");
  EXPECT_EQ(json["precision"], "float");
  EXPECT_EQ(json["ideas"], "all");
  EXPECT_EQ(json["width"], 1024);
  EXPECT_EQ(json["height"], 1024);
  EXPECT_EQ(json["window"]["re_min"], -1.5);
  EXPECT_EQ(json["window"]["im_max"], 1);
  EXPECT_EQ(json["backend"], "cpu");
  EXPECT_EQ(json["pixels"], 1048576);
  EXPECT_EQ(json["hash"], "7218718e658c5a51");
  ASSERT_EQ(json["levels"].size(), 1u);
  EXPECT_EQ(json["levels"][0]["regions"], 32 * 16)
      << "rows below the real axis must be mirrored, not computed";
  EXPECT_GT(json["ms"]["median"], 0);
}

TEST(Mandelbrot, MethodsAgreeAndDifferFromExhaustiveByBorderMissesAlone) {
  EXPECT_EQ(mandelbrot("--method exhaustive --hash")["hash"], "d611779d0d75011d");
  EXPECT_EQ(mandelbrot("--method dp --hash")["hash"], "7218718e658c5a51");
  EXPECT_EQ(mandelbrot("--method dp")["block_shape"], "64x8");
  EXPECT_EQ(mandelbrot("--scheme mbr --hash --ideas tiles")["hash"], "7218718e658c5a51");
  const auto json = mandelbrot("--check");
  EXPECT_EQ(json["check"]["ok"], true);
  EXPECT_EQ(json["check"]["different"], 4);
  EXPECT_EQ(json["check"]["border_misses"], 4);
  ASSERT_EQ(json["check"]["places"].size(), 4u);
  EXPECT_EQ(json["check"]["places"][0]["dwell"], 512);
  EXPECT_LT(json["check"]["fraction"], 1e-5);
  EXPECT_EQ(mandelbrot("--method exhaustive --check --size 100x80")["check"]["different"], 0);
}

TEST(Mandelbrot, WindowInOneWordOrFour) {
  const auto one = mandelbrot("--window -0.8,-0.7,0.05,0.15 --size 64x48 --hash");
  const auto four = mandelbrot("--size 64x48 --hash --window -0.8 -0.7 0.05 0.15");
  EXPECT_EQ(one["hash"], four["hash"]);
  EXPECT_EQ(four["window"]["im_min"], 0.05);
  EXPECT_NE(one["hash"], mandelbrot("--size 64x48 --hash")["hash"]);
}

TEST(Mandelbrot, OptionsReachTheComputation) {
  const auto json = mandelbrot(
      "--size 500x300 --g 4 --r 3 --b 5 --dwell 77 --block-shape 32x2 --precision double --fill interior "
      "--ideas early-stop,tiles --runs 3");
  EXPECT_EQ(json["g"], 4);
  EXPECT_EQ(json["r"], 3);
  EXPECT_EQ(json["b"], 5);
  EXPECT_EQ(json["dwell_limit"], 77);
  EXPECT_EQ(json["block_shape"], "32x2");
  EXPECT_EQ(json["precision"], "double");
  EXPECT_EQ(json["fill"], "interior");
  EXPECT_EQ(json["ideas"], "early-stop,tiles");
  EXPECT_EQ(json["runs"], 3);
  EXPECT_EQ(json["levels"].size(), 3u);  // region sizes 125, 41.7 and 13.9; a third of 13.9 is at most B
  std::uint64_t children = 16;
  for (const auto& level : json["levels"]) {
    EXPECT_EQ(level["regions"], children);
    EXPECT_EQ(level["regions"], level["filled"].get<std::uint64_t>() + level["leaves"].get<std::uint64_t>() +
                                    level["splits"].get<std::uint64_t>());
    children = level["children"];
    EXPECT_EQ(children, 9 * level["splits"].get<std::uint64_t>());
  }
}

class Files : public tests::FolderTest {
 protected:
  std::string bytes() const { return tests::content_of(path_); }
  const std::filesystem::path path_ = folder_ / "dwells";
};

TEST_F(Files, NumPyArrayOfRowsByColumns) {
  mandelbrot("--method exhaustive --size 5x3 --window -2.5,0.5,-1,1 --dwell 9 --npy " + path_.string());
  const std::string file = bytes();
  ASSERT_GT(file.size(), 128u);
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t text = static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
  EXPECT_EQ((10 + text) % 64, 0u);
  const std::string header = file.substr(10, text);
  EXPECT_EQ(header.rfind("{'descr': '<u4', 'fortran_order': False, 'shape': (3, 5), }", 0), 0u) << header;
  EXPECT_EQ(header.back(), '\n');
  std::vector<std::uint32_t> dwells(15);
  ASSERT_EQ(file.size(), 10 + text + dwells.size() * 4);
  std::memcpy(dwells.data(), file.data() + 10 + text, dwells.size() * 4);
  // Columns at -2.5, -1.9, -1.3, -0.7, -0.1, rows at -1, -1/3, 1/3. The expected dwells follow the
  // definition.
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) {
      const float re = -2.5f + static_cast<float>(x) * 3.0f / 5.0f;
      const float im = -1.0f + static_cast<float>(y) * 2.0f / 3.0f;
      float u = re;
      float v = im;
      std::uint32_t count = 0;
      for (; count < 9 && u * u + v * v < 4; ++count) {
        const float next = u * u - v * v + re;
        v = 2 * (u * v) + im;
        u = next;
      }
      EXPECT_EQ(dwells[static_cast<std::size_t>(y * 5 + x)], count) << x << " " << y;
    }
  }
}

TEST_F(Files, Png) {
  const auto json = mandelbrot("--size 40x30 --png " + path_.string());
  EXPECT_EQ(json["png"], path_.string());
  EXPECT_EQ(bytes().substr(0, 8), std::string("\x89PNG\r\n\x1a\n"));
}

TEST_F(Files, PngTakesTheWindowsColours) {
  const auto png = [&](const std::string& options) {
    mandelbrot("--size 60x40 --dwell 60 --png " + path_.string() + " " + options);
    return bytes();
  };
  const std::string first = png("");
  EXPECT_EQ(png(""), first);
  EXPECT_EQ(png("--palette blue-gold --colouring adaptive --interior palette --points 1"), first);
  EXPECT_EQ(png("--cycle 24"), png("--colouring smooth --cycle 24"))
      << "a cycle alone is that of smooth colours";
  for (const char* other :
       {"--palette twilight", "--colouring bands", "--colouring histogram", "--cycle 0", "--colouring smooth",
        "--interior white", "--points 2", "--points 4", "--points 4 --colouring bands"}) {
    EXPECT_NE(png(other), first) << other;
  }
  const std::string file = path_.string() + ".map";
  std::ofstream(file) << "0 0 0\n255 0 0\n0 255 0\n";
  EXPECT_NE(png("--palette " + file), first);
  std::filesystem::remove(file);
}

TEST(MandelbrotText, SaysTheSame) {
  const Outcome outcome = run_program(words("mandelbrot --backend cpu --hash --check"));
  EXPECT_EQ(outcome.status, 0);
  for (const char* part :
       {"ask-sbr", "7218718e658c5a51", "work reduction", "border misses", "filled pixels"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
}

TEST(Model, CheckValues) {
  const Outcome outcome =
      run_program(words("model --n 65536 --dwell 16 --p 0.7 --lambda 100 --q 128 --c 64 --search --json"));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_NEAR(json["work_reduction"]["value"], 10.41, 0.005);
  EXPECT_EQ(json["work_reduction"]["b"], 8);
  EXPECT_NEAR(json["sbr_speedup"]["value"], 4.59, 0.005);
  EXPECT_EQ(json["sbr_speedup"]["g"], 8);
  EXPECT_EQ(json["sbr_speedup"]["r"], 2);
  EXPECT_EQ(json["sbr_speedup"]["b"], 64);
  EXPECT_NEAR(json["mbr_speedup"]["value"], 7.41, 0.005);
  EXPECT_EQ(json["mbr_speedup"]["g"], 2);
}

TEST(Model, OfOneCut) {
  const auto json =
      run_program(words("model --n 64 --dwell 10 --p 0.5 --lambda 3 --q 4 --c 8 --g 4 --r 2 --b 4 "
                        "--json"))
          .json();
  EXPECT_EQ(json["searched"], false);
  EXPECT_EQ(json["work_reduction"]["g"], 4);
  EXPECT_DOUBLE_EQ(json["work_reduction"]["value"], 40960.0 / 33008.0);
  const Outcome text = run_program(words("model --g 4 --r 2 --b 4"));
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("MBR speedup"), std::string::npos);
}

}  // namespace
}  // namespace loom::test
