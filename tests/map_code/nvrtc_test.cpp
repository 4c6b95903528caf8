#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>

#include "app/exercises/exercise.h"
#include "compute/backend/map_backend.h"
#include "compute/core/error.h"
#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/map_code/gpu_map.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/cuda/stream.h"
#include "compute/map_code/machine.h"
#include "map_code/hostile_maps.h"
#include "map_code/random_map.h"
#include "map_code/run_for_test.h"

namespace loom::test {
namespace {

constexpr int kArchitecture = 90;

void compile(const std::string& code, const NbbFractal& fractal) {
  const MapProgram program = parse_map_code(code);
  ASSERT_TRUE(program.problems.empty()) << to_string(program.problems.front());
  const std::vector<std::string> kernels(std::begin(cuda::kMapKernelNames), std::end(cuda::kMapKernelNames));
  const MapFractal of(fractal, 4);
  for (const bool is_checked : {true, false})
    cuda::compile_at_run_time(cuda::map_kernel_text(*program.code, of, is_checked, true), {}, kernels,
                              kArchitecture);
}

/// The tests of this fixture need the compiler alone and no GPU.
class MapCompiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::has_run_time_compiler()) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(MapCompiler, CompilesEveryTemplateAndSolution) {
  for (const app::MapTemplate& one : app::map_templates())
    EXPECT_NO_THROW(compile(std::string(one.code), find_fractal("sierpinski-gasket"))) << one.name;
  for (const MapKind map : kMapKinds)
    EXPECT_NO_THROW(compile(app::built_in_map_code(map, 2), find_fractal("vicsek")));
  for (const app::BundledExercise& bundled : app::bundled_exercises()) {
    const app::Exercise exercise = app::find_exercise(std::string(bundled.name));
    EXPECT_NO_THROW(compile(exercise.solution, exercise.cases.front().fractal)) << bundled.name;
    EXPECT_NO_THROW(compile(exercise.starter, exercise.cases.front().fractal)) << bundled.name;
  }
}

// Every construct of the language around numbers of both kinds, linked with the kernels of all methods.
TEST_F(MapCompiler, LinksFormulasWithTheKernels) {
  for (const char* const text :
       {"Complex next(Complex z, Complex c) { return sqr(z) + c; }",
        "const double escape_radius = 6; const int degree = 3;\n"
        "float half(float x) { return x / 2; }\n"
        "Complex next(Complex z, Complex c) {\n"
        "  double table[3] = {0.5, 1e-3, 2};\n"
        "  unsigned long n = 7;\n"
        "  for (int i = 0; i < 3; ++i) z = z * table[i] + exp(c) / half(abs(z));\n"
        "  switch (n % 3) { case 1: z = conj(sin(z)); break; default: z = cos(z); }\n"
        "  return z.re > (long)z.im ? pow(z, 5) - 1 : complex(n, -z.im); }"}) {
    try {
      const std::vector<char> code = cuda::compile_formula(CustomFormula(text), kArchitecture);
      const std::string_view names(code.data(), code.size());
      for (const char* const kernel :
           {"loom_exhaustive_f32_u16", "loom_level_f64_u32", "loom_jobs_plain_f32_u32", "loom_dp_f64_u16",
            "loom_smooth_f32_u16", "loom_differences_f64_u16"})
        EXPECT_NE(names.find(kernel), std::string_view::npos) << kernel;
    } catch (const MachineError& error) {
      if (std::string_view(error.what()).find("was not found") == std::string_view::npos) throw;
      GTEST_SKIP() << error.what();
    }
  }
  const std::vector<char> code = cuda::compile_formula(
      CustomFormula("const double escape_radius = 6;\n"
                    "Vector half(Vector v) { return v / 2; }\n"
                    "Vector next(Vector v, Vector c) {\n"
                    "  Vector table[2] = {half(v), vector(1, sqrt(v.x), acos(v.y))};\n"
                    "  for (int i = 0; i < 2; ++i) v += table[i] * dot(v, c) - atan2(v.y, v.x);\n"
                    "  return abs(v) > 1 ? -v : v * c; }"),
      kArchitecture);
  const std::string_view names(code.data(), code.size());
  for (const char* const kernel : {"loom_volume_layers", "loom_volume_differences", "loom_volume_regions",
                                   "loom_volume_faces", "loom_volume_end_regions", "loom_volume_dp"})
    EXPECT_NE(names.find(kernel), std::string_view::npos) << kernel;
  EXPECT_THROW(cuda::compile_formula(
                   CustomFormula("Complex next(Complex z, Complex c) { return next(z, c); }"), kArchitecture),
               MachineError);
}

// Tables are bits of 32 or 64 bits, or arrays for many replicas.
TEST_F(MapCompiler, CompilesForTablesOfEverySize) {
  std::vector<Coord32> all;
  for (std::uint32_t i = 0; i < 64; ++i) all.push_back({i % 8, i / 8});
  for (const NbbFractal& fractal :
       {find_fractal("cantor"), find_fractal("candy"), NbbFractal("all", 8, 8, all)}) {
    for (const app::MapTemplate& one : app::map_templates())
      EXPECT_NO_THROW(compile(std::string(one.code), fractal)) << one.name << " " << fractal.name();
  }
}

TEST_F(MapCompiler, CompilesRandomMaps) {
  for (std::uint32_t seed = 0; seed < 5; ++seed)
    EXPECT_NO_THROW(compile(RandomMap(seed).text(), find_fractal("sierpinski-gasket"))) << seed;
}

/// These need a GPU.
class MapOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    backend_ = select_map_backend(BackendChoice::kAuto);
    if (backend_.device.on_host) GTEST_SKIP() << backend_.reason;
  }
  MapResult run(const std::string& code, int level, MapStorage measure = MapStorage::kNone) const {
    return run_map(find_fractal("sierpinski-gasket"), {.code = code,
                                                       .level = level,
                                                       .time_limit = std::chrono::milliseconds(2000),
                                                       .measure = measure,
                                                       .device = backend_.device});
  }
  MapBackend backend_;
};

TEST_F(MapOnGpu, CountsLikeTheCpu) {
  for (const char* const code : {kBoundingBox, kLambda}) {
    const MapResult gpu = run(code, 6);
    ASSERT_EQ(gpu.outcome, MapOutcome::kRan) << (gpu.problems.empty() ? "" : to_string(gpu.problems.front()));
    EXPECT_EQ(gpu.coverage, run_on_gasket(code, 6).coverage);
  }
}

TEST_F(MapOnGpu, CountsLargeLevelsOnTheDevice) {
  const MapResult result = run(kBoundingBox, 14, MapStorage::kExpanded);
  ASSERT_EQ(result.outcome, MapOutcome::kRan)
      << (result.problems.empty() ? "" : to_string(result.problems.front()));
  EXPECT_TRUE(result.coverage.is_exact());
  EXPECT_EQ(result.coverage.cells, 4782969u);
  EXPECT_EQ(result.coverage.once, 4782969u);
  EXPECT_EQ(result.coverage.threads, std::uint64_t{1} << 28);
  EXPECT_EQ(result.coverage.none, (std::uint64_t{1} << 28) - 4782969);
  EXPECT_EQ(result.coverage.warps, std::uint64_t{1} << 23);
  // Tiles of 8 x 8 points: those with a cell are those of level 11.
  EXPECT_EQ(result.coverage.blocks - result.coverage.empty_blocks, 177147u);
  EXPECT_TRUE(result.single_write_milliseconds);
  // Thread blocks of 3 threads: each cell is reached once, and the last one twice more.
  const MapResult twice =
      run("__host__ Launch launch(Fractal f) { return grid1d(f.cells / 3 + 1, 3); }\n"
          "__device__ Cell cell_of_thread(Fractal f) {\n"
          "  return cell(0, min((int)(blockIdx.x * 3 + threadIdx.x), f.height - 1));\n}\n",
          14);
  ASSERT_EQ(twice.outcome, MapOutcome::kRan);
  EXPECT_EQ(twice.coverage.once, 16383u);
  EXPECT_EQ(twice.coverage.repeated, 1u);
  EXPECT_EQ(twice.coverage.missed, 4782969u - 16384u);
}

TEST_F(MapOnGpu, SolutionsPass) {
  for (const app::BundledExercise& bundled : app::bundled_exercises()) {
    const app::Grader grader(app::find_exercise(std::string(bundled.name)), backend_.device,
                             std::chrono::milliseconds(5000));
    const app::Grade grade = grader.grade(grader.exercise().solution);
    EXPECT_TRUE(grade.passed) << bundled.name << ": " << grade.problem;
  }
}

TEST_F(MapOnGpu, HostileCodeCostsTheAttemptAndNothingElse) {
  for (const Hostile& map : hostile_maps()) {
    SCOPED_TRACE(map.name);
    const auto begin = std::chrono::steady_clock::now();
    const MapResult result = run(map.code, 4);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%-24s %5.2f s, compiled in %5.2f s  %-9s %s\n", map.name, seconds,
                result.compile_milliseconds / 1000, std::string(name_of(result.outcome)).c_str(),
                result.problems.empty() ? "" : to_string(result.problems.front()).substr(0, 100).c_str());
    // Memory and launches have other limits there.
    const std::string name = map.name;
    if (name == "large_grid" || name == "overflow") continue;
    EXPECT_LT(seconds - result.compile_milliseconds / 1000, 4) << "2 s for the run, and loading";
    EXPECT_NE(result.outcome, MapOutcome::kRan);
    EXPECT_FALSE(result.problems.empty());
  }
  // The device is as before.
  EXPECT_TRUE(run(kLambda, 6).coverage.is_exact());
}

/// Text in which this name stands for that one, as a whole name or as the begin of one.
void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// LOOM_RANDOM_MAPS=1000 compares that many. NVRTC compiles several of them as one text.
TEST_F(MapOnGpu, RandomMapsRunAsOnTheCpu) {
  constexpr std::uint32_t kOfText = 25;
  const char* const wanted = std::getenv("LOOM_RANDOM_MAPS");
  const std::uint32_t count = wanted == nullptr ? 20 : static_cast<std::uint32_t>(std::atoi(wanted));
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const cuda::ExitGuard guard;
  const cuda::Stream stream;
  LOOM_CUDA(cudaSetDevice(backend_.device.ordinal));
  LOOM_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 32768));  // for functions that call themselves
  struct Batch {
    std::vector<std::string> maps, kernels;
    std::future<cuda::MachineCode> code;
  };
  std::vector<Batch> batches;
  for (std::uint32_t seed = 0; seed < count; ++seed) {
    if (seed % kOfText == 0) batches.emplace_back();
    batches.back().maps.push_back(RandomMap(seed).text());
    batches.back().kernels.push_back(fmt::format("loom{}_points", seed));
  }
  const int architecture = 10 * backend_.device.compute_major + backend_.device.compute_minor;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    batches[i].code = std::async(std::launch::async, [&, i] {
      std::string text;
      std::vector<std::string> names;
      for (std::size_t j = 0; j < batches[i].maps.size(); ++j) {
        const std::size_t seed = kOfText * i + j;
        const MapProgram program = parse_map_code(batches[i].maps[j]);
        std::string one = cuda::map_kernel_text(*program.code, MapFractal(gasket, 4), true, false);
        one.resize(one.find("// `once` and `more`"));  // the kernel that counts
        replace_all(one, "loom_", fmt::format("loom{}_", seed));
        replace_all(one, "LOOM_", fmt::format("LOOM{}_", seed));
        text += fmt::format("namespace map{} {{\n{}\n}}\n", seed, one);
        names.push_back(fmt::format("map{}::{}", seed, batches[i].kernels[j]));
      }
      return cuda::compile_at_run_time(text, {}, names, architecture);
    });
  }
  int ran = 0;
  int too_deep = 0;
  for (std::uint32_t first = 0; first < count; first += kOfText) {
    auto& [maps, kernels, compiled] = batches[first / kOfText];
    const cuda::MachineCode code = compiled.get();
    cudaLibrary_t library = nullptr;
    LOOM_CUDA(cudaLibraryLoadData(&library, code.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    for (std::size_t i = 0; i < maps.size(); ++i) {
      const MapResult cpu = run_on_gasket(maps[i], 4, std::chrono::milliseconds(60000));
      const cuda::DeviceBuffer<MapPoint> on_device(cpu.launch.threads());
      cudaKernel_t kernel = nullptr;
      LOOM_CUDA(cudaLibraryGetKernel(&kernel, library, kernels[i].c_str()));
      void* arguments[] = {nullptr};
      MapPoint* const cells = on_device.data();
      arguments[0] = const_cast<MapPoint**>(&cells);
      const dim3 grid(static_cast<unsigned>(cpu.launch.grid_x), static_cast<unsigned>(cpu.launch.grid_y));
      const dim3 block(static_cast<unsigned>(cpu.launch.block_x), static_cast<unsigned>(cpu.launch.block_y));
      LOOM_CUDA(cudaLaunchKernel(kernel, grid, block, arguments, 0, stream.get()));
      LOOM_CUDA(cudaStreamSynchronize(stream.get()));
      void* address = nullptr;
      std::size_t bytes = 0;
      unsigned long long fault = 0;
      const std::string name = fmt::format("loom{}_fault", first + i);
      LOOM_CUDA(cudaLibraryGetGlobal(&address, &bytes, library, name.c_str()));
      LOOM_CUDA(cudaMemcpy(&fault, address, sizeof(fault), cudaMemcpyDeviceToHost));
      // A GPU allows fewer functions within each other than the interpreter.
      if (fault != ~0ull && Fault{static_cast<std::uint8_t>(fault & 15)} == Fault::kCalls) {
        ++too_deep;
        continue;
      }
      // Where several threads would stop the run, another one may be the first on a GPU.
      ASSERT_EQ(fault == ~0ull, cpu.outcome == MapOutcome::kRan) << first + i << "\n" << maps[i];
      if (cpu.outcome != MapOutcome::kRan) continue;
      std::vector<MapPoint> points(cpu.launch.threads());
      LOOM_CUDA(cudaMemcpy(points.data(), cells, points.size() * sizeof(MapPoint), cudaMemcpyDeviceToHost));
      ASSERT_EQ(points, cpu.points) << first + i << "\n" << maps[i];
      ++ran;
    }
    LOOM_CUDA(cudaLibraryUnload(library));
  }
  std::printf("%d of %u maps ran, %d have too many calls for a GPU\n", ran, count, too_deep);
}

// The checks' share: printed, with the counts of the interpreter for ncu.
TEST_F(MapOnGpu, TimesWithAndWithoutChecks) {
  for (const app::MapTextChoice& one : app::map_texts()) {
    const NbbFractal& gasket = find_fractal("sierpinski-gasket");
    const std::string code = app::map_text(one.value, gasket);
    EXPECT_TRUE(run(code, 10).coverage.is_exact());  // loom_points, for ncu
    const MapResult timed = run(code, 12, MapStorage::kExpanded);
    ASSERT_TRUE(timed.single_write_milliseconds && timed.checked_write_milliseconds) << one.name;
    const MapResult counted = run_map(
        gasket, {.code = code, .level = 10, .time_limit = std::chrono::milliseconds(60000), .count = true});
    std::printf("%-20s %8.4f ms, with checks %8.4f ms; interpreter: %.3f active lanes an instruction\n",
                std::string(one.name).c_str(), *timed.single_write_milliseconds,
                *timed.checked_write_milliseconds, 32 * counted.counts.active_share());
  }
}

}  // namespace
}  // namespace loom::test
