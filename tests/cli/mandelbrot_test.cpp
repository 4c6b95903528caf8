#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
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

TEST(Mandelbrot, FormulasAndJuliaSets) {
  const std::string common = "--size 120x90 --window=-1.6,1.6,-1.2,1.2 --dwell 200 --hash ";
  const auto mandelbrot_set = mandelbrot(common);
  EXPECT_EQ(mandelbrot_set["formula"], "mandelbrot");
  EXPECT_TRUE(mandelbrot_set["julia_point"].is_null());
  EXPECT_EQ(mandelbrot(common + "--formula multibrot --power 2")["hash"], mandelbrot_set["hash"]);
  std::set<std::string> hashes = {mandelbrot_set["hash"]};
  for (const std::string formula :
       {"multibrot", "tricorn", "burning-ship", "celtic", "buffalo", "perpendicular-mandelbrot"}) {
    for (const std::string julia : {"", " --julia -0.4,0.6"}) {
      const auto json = mandelbrot(common + "--check --formula " + formula + julia);
      EXPECT_EQ(json["formula"], formula);
      EXPECT_EQ(json["power"].is_null(), formula != "multibrot");
      EXPECT_TRUE(json["check"]["ok"].get<bool>());
      hashes.insert(json["hash"]);
    }
  }
  EXPECT_EQ(hashes.size(), 13u) << "all are different images";
  const auto seventh = mandelbrot(common + "--formula multibrot --power 7 --julia=-0.5,0.25");
  EXPECT_EQ(seventh["power"], 7);
  EXPECT_EQ(seventh["julia_point"], "-0.5,0.25");
  // With a decimal view float and double are chosen by its depth.
  EXPECT_EQ(mandelbrot("--size 64x48 --formula tricorn --center 0,0 --width 4")["precision"], "float");
  EXPECT_EQ(mandelbrot("--size 64x48 --formula tricorn --center=-0.1,0.9 --width 1e-9")["precision"],
            "double");
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

// By the rules of each program: XaoS shows at least the width and the height, Kalles Fraktaler 4 / Zoom in
// height.
TEST_F(Files, PositionsAreOpened) {
  const auto at = [&](const std::string& name, const std::string& text, const std::string& more = "") {
    return mandelbrot("--size 32x16 --method exhaustive --open " + write(name, text) + more);
  };
  const std::string kalles =
      at("a.kfr", "Re: -0.74364388703715870475219150611\r\nIm: 0.1\r\nZoom: 8E20\r\nIterations: 70\r\n")
          .dump();
  const auto deep = nlohmann::json::parse(kalles);
  EXPECT_EQ(deep["center"]["re"], "-0.74364388703715870475219150611");
  EXPECT_EQ(deep["center"]["im"], "0.1");
  EXPECT_NEAR(std::stod(deep["view_width"].get<std::string>()) / 1e-20, 1, 1e-12);
  EXPECT_EQ(deep["dwell_limit"], 70);
  const auto wide = at("b.XPF", "(initstate)\n(formula 'mandel)\n(view -0.745 0.113 0.01 0.03)\n");
  EXPECT_NEAR(std::stod(wide["view_width"].get<std::string>()), 0.06, 1e-12);
  EXPECT_EQ(at("c.xpf", "(view 0 0 1 1)(maxiter 90)", " --dwell 33")["dwell_limit"], 33);
  EXPECT_EQ(at("d.f3.toml", "location.real = '-0.5'\n")["center"]["re"], "-0.5");
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    const Outcome outcome = run_program(words("mandelbrot --size 32x16 --open " + write(name, text)));
    EXPECT_EQ(outcome.status, 2) << name;
    EXPECT_EQ(outcome.err_lines().size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused("e.xpf", "(plane 1)(view 0 0 1 1)", "its plane is 1, which is another set; allowed: 0");
  refused("f.kfr", "Re: 0\nIm: 0\nZoom: 1\nSeedR: 0.3\n", "its SeedR is 0.3");
  refused("g.rle", "3o!", "it has no position; allowed: a position (.kfr, .xpf)");
  refused("h.toml", "s_x = 2\n", "it has no position");
  refused("i.xyz", "words", "has an unknown ending; allowed: a scene (.loom)");
  const Outcome note = run_program(words("mandelbrot --backend cpu --size 8x8 --open " +
                                         write("j.kfr", "Re: 0\nIm: 0\nZoom: 1\nRatio: 180\n")));
  EXPECT_EQ(note.err, "fractal-loom: Ignored: the stretch.\n");
  const std::string turned = "Re: -0.5\nIm: 0\nZoom: 2\nRotateAngle: 37\n";
  EXPECT_EQ(at("k.kfr", turned)["angle"], 37);
  EXPECT_EQ(at("l.kfr", turned, " --angle -5")["angle"], -5);
  EXPECT_FALSE(at("m.kfr", turned, " --angle 0").contains("angle"));
  EXPECT_EQ(at("n.xpf", "(angle 37)(view -0.5 0 1 1)")["angle"], -37);
}

TEST_F(Files, ImagesCarryTheirPosition) {
  for (const std::string view :
       {"--window=-1.5,0.5,-0.5,0.5 --dwell 300", "--window=-1.5,0.5,-0.5,0.5 --dwell 300 --angle 37.5",
        "--center=-1.5,1e-40 --width 1e-39 --dwell 900 --method dp"}) {
    const auto made = mandelbrot("--size 64x32 --hash --png " + path("a.png") + " " + view);
    const auto opened = mandelbrot("--size 64x32 --hash --open " + path("a.png"));
    const bool deep = view[2] == 'c';  // otherwise computed in float, and again exactly
    if (deep) {
      EXPECT_EQ(opened["hash"], made["hash"]) << view;
    }
    EXPECT_EQ(std::stod(opened["view_width"].get<std::string>()), deep ? 1e-39 : 2);
    EXPECT_EQ(opened["dwell_limit"], made["dwell_limit"]);
    const Outcome shot = run_program(words("shot --plain --backend cpu --json --size 64x32 --open " +
                                           path("a.png") + " --out " + path("b.png")));
    ASSERT_EQ(shot.status, 0) << shot.err;
    EXPECT_EQ(std::stod(shot.json()["center"]["re"].get<std::string>()), deep ? -1.5 : -0.5);
    EXPECT_EQ(mandelbrot("--size 64x32 --hash --open " + path("b.png"))["hash"], opened["hash"]) << view;
  }
  const Outcome skewed = run_program(
      words("mandelbrot --backend cpu --size 64x64 --window=-1.5,0.5,-0.5,0.5 --png " + path("c.png")));
  EXPECT_EQ(skewed.status, 0);
  // Pixels are squares in the window: the image of 2 by 1 is shown as 2 by 2.
  EXPECT_EQ(std::stod(mandelbrot("--size 64x64 --open " + path("c.png"))["view_width"].get<std::string>()),
            2);
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
