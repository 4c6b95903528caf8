#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "app/document/scene/scene.h"
#include "app/program/workspace_formats.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {

inline const Device kCpuDevice;
inline const Device kGpu = cuda_device(0, "NVIDIA H200");

}  // namespace loom::app

namespace loom::app::scene {

inline LifeState& life_of(Scene& scene) {
  return edit_state<LifeState>(scene);
}
inline const LifeState& life_of(const Scene& scene) {
  return state_of<LifeState>(scene);
}
inline MandelbrotState& mandelbrot_of(Scene& scene) {
  return edit_state<MandelbrotState>(scene);
}
inline const MandelbrotState& mandelbrot_of(const Scene& scene) {
  return state_of<MandelbrotState>(scene);
}

/// A scene with the default state of every workspace.
inline Scene default_scene() {
  Scene scene;
  life_of(scene);
  mandelbrot_of(scene);
  return scene;
}

inline std::shared_ptr<const CellBits> bits_after(const FractalConfig& config, std::uint32_t generations) {
  const auto engine = make_fractal_engine(config, {{}, "test"});
  engine->reset({7, 0.4});
  engine->step(generations, {});
  return std::make_shared<CellBits>(loom::app::read_cell_bits(*engine));
}

/// A scene whose members all differ from their defaults.
inline Scene unusual() {
  Scene scene = default_scene();
  scene.workspace = "mandelbrot";
  scene.palette = "magma";
  scene.custom_palettes = with_palette(
      with_palette(nullptr, {.name = "my \"own\" λ",
                             .stops = {{0.1, {1, 2, 3}}, {1.0 / 3, {255, 0, 128}}, {1, {9, 8, 7}}},
                             .cyclic = true,
                             .reversed = true,
                             .offset = 0.1,
                             .hole = {10, 20, 30},
                             .outside = {40, 50, 60}}),
      {.name = "second", .stops = {{0, {0, 0, 0}}, {1, {255, 255, 255}}}});
  LifeSettings& life = life_of(scene).settings;
  life.config = {.fractal = NbbFractal("my own, \"two\" words", 3, 2, {{0, 0}, {2, 0}, {1, 1}, {2, 1}}),
                 .level = 4,
                 .tile_size = 9,
                 .method = {.map = MapKind::kCompact,
                            .arithmetic = MapArithmetic::kTable,
                            .intra_block = IntraBlock::kLookup,
                            .tiles = 4,
                            .halo = false}};
  life.from_file = FractalFile{life.config.fractal, LifeRule{1u << 1, 1u << 5}};
  set_panes(life, PanePreset::kMaps);
  life.secondary_panes.push_back({.shows = PaneContent::kMemoryAccess});
  life.secondary_panes[0].backend = BackendChoice::kCpu;
  life.workload = Workload::kReduction;
  life.reduction = ReductionMethod::kTensor;
  life.rule = {1u << 3, (1u << 0) | (1u << 8)};
  life.start = {0xfedcba9876543210u, 0.1};
  life.playing = life.cell_grid = life.tile_grid = false;
  life.edit_cells = life.show_thread = life.square_points = life.show_ages = true;
  life.generations_per_frame = 17;
  life.ms_per_generation = 2000;
  life.neighbour = 7;
  life.colouring = {.by = explain::ColourBy::kReplica, .level = 3};
  life.pinned = Coord64{80, 15};
  life_of(scene).cells = {bits_after(life.config, 3), 0xffffffffffffffffu};
  life_of(scene).view = render::Camera::View{{17, 3}, {0.1, -12.25}, {1.0 / 3, 1e-3}, {640, 480}};
  MandelbrotSettings& own = mandelbrot_of(scene).settings;
  own.config = {.method = MandelbrotMethod::kDp,
                .scheme = RegionScheme::kMbr,
                .g = 8,
                .r = 3,
                .b = 5,
                .dwell_limit = 65535,
                .block = {64, 8},
                .precision = Precision::kDouble};
  own.palette = "my \"own\" λ";
  own.cycle = 65535;
  own.samples_per_axis = 4;
  own.colouring = Colouring::kHistogram;
  own.interior = InteriorColour::kWhite;
  own.overlay = RegionOverlay::kDivergence;
  own.automatic = false;
  own.devices = 3;
  own.measure = own.show_model = own.show_timeline = true;
  own.orbit = own.julia = false;
  mandelbrot_of(scene).view = ComplexView{{-0.7436438870371587, 0.13182590420531197}, 3e-13};
  return scene;
}

inline void expect_equal(const Scene& a, const Scene& b) {
  EXPECT_EQ(a.workspace, b.workspace);
  EXPECT_EQ(a.palette, b.palette);
  const auto recipes = [](const CustomPalettes& own) {
    std::vector<render::PaletteSpec> all;
    for (std::size_t i = 0; own && i < own->size(); ++i) all.push_back((*own)[i].recipe);
    return all;
  };
  EXPECT_EQ(recipes(a.custom_palettes), recipes(b.custom_palettes));
  EXPECT_EQ(life_of(a).settings.config, life_of(b).settings.config);
  EXPECT_EQ(changed_setting(life_of(a).settings, life_of(b).settings), "");
  const auto rule_with = [](const Scene& scene) {
    return life_of(scene).settings.from_file ? life_of(scene).settings.from_file->rule : std::nullopt;
  };
  EXPECT_EQ(rule_with(a), rule_with(b));
  EXPECT_EQ(life_of(a).settings.playing, life_of(b).settings.playing);
  EXPECT_EQ(life_of(a).settings.pinned, life_of(b).settings.pinned);
  EXPECT_EQ(life_of(a).settings.colouring, life_of(b).settings.colouring);
  EXPECT_EQ(life_of(a).cells.generation(), life_of(b).cells.generation());
  ASSERT_EQ(life_of(a).cells.bits() != nullptr, life_of(b).cells.bits() != nullptr);
  if (life_of(a).cells.bits()) {
    EXPECT_EQ(*life_of(a).cells.bits(), *life_of(b).cells.bits());
  } else {
    EXPECT_EQ(life_of(a).cells.start().seed, life_of(b).cells.start().seed);
    EXPECT_EQ(life_of(a).cells.start().density, life_of(b).cells.start().density);
    EXPECT_EQ(life_of(a).cells.work(), life_of(b).cells.work());
  }
  EXPECT_EQ(life_of(a).view, life_of(b).view);
  EXPECT_EQ(mandelbrot_of(a).settings, mandelbrot_of(b).settings);
  EXPECT_EQ(mandelbrot_of(a).view, mandelbrot_of(b).view);
}

}  // namespace loom::app::scene
