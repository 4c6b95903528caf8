#include "app/program/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/bench/machine.h"
#include "app/cli/options/options.h"
#include "app/document/image/window/save_image.h"
#include "app/document/video/window/save_video.h"
#include "app/program/lesson_check.h"
#include "app/program/program_lesson_host.h"
#include "app/program/save_program.h"
#include "app/program/workspace_formats.h"
#include "app/shell/document_handler.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/document/view_text.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

std::size_t index_of_workspace(std::string_view id) {
  const scene::Formats formats = workspace_formats();
  return static_cast<std::size_t>(&scene::find_format(formats, id) - formats.data());
}

/// Throws InputError for options that a three-dimensional fractal, or the workspace of such fractals,
/// ignores.
void require_effect_in_three_dimensions(const SceneOptions& options, const SolidFile* solid,
                                        std::string_view workspace) {
  const bool is_shown = workspace == SolidState::kId;
  if (solid != nullptr && workspace == LifeState::kId) {
    throw InputError(
        fmt::format("{} is three-dimensional; allowed with --workspace life: a two-dimensional fractal",
                    solid->fractal.name()));
  }
  if (options.command == nullptr) return;
  constexpr std::string_view kFlat = "with a two-dimensional fractal";
  require_effect(
      *options.command,
      {{"--fractal --fractal-file --level --block --map --storage --halo --arithmetic --intra-block --tiles "
        "--counting "
        "--workload --reduction --rule --seed --density --panes --thread",
        solid != nullptr || !is_shown, "with --fractal and a three-dimensional one"},
       {"--colour-by --exercise --region --zoom --pan", solid == nullptr && !is_shown, kFlat},
       {"--devices", (solid == nullptr && !is_shown) || workspace == MandelbrotState::kId, kFlat}});
}

}  // namespace

void add_workspace_option(CLI::App& command, ProgramOptions& options) {
  std::vector<std::string_view> ids;
  for (const scene::WorkspaceFormat& format : workspace_formats()) ids.push_back(format.id);
  command
      .add_option("--workspace", options.workspace,
                  fmt::format("Workspace: {} ({} by default)", fmt::join(ids, ", "), ids.front()))
      ->type_name("NAME");
}

void add_program_options(CLI::App& command, ProgramOptions& options) {
  add_scene_options(command, options.scene, kProgramOptions);
  add_picture_options(command, options.picture);
  add_appearance_options(command, options.picture);
  add_workspace_option(command, options);
  add_mandelbrot_scene_options(command, options.mandelbrot);
  add_mandelbrot_window_options(command, options.mandelbrot);
  add_life_view_options(command, options.life_view);
}

ProgramSettings read_program_settings(const ProgramOptions& options, std::uint32_t most) {
  const auto& open = options.scene.open;
  std::optional<ParsedView> position;
  if (open && kind_of_file(*open) == FileKind::kPosition) position = read_view_file(*open);
  std::optional<scene::Scene> opened = position ? std::nullopt : open_scene(options.scene);
  const std::optional<SolidFile> solid = selected_solid(options.scene);
  const std::string first(position ? MandelbrotState::kId : solid ? SolidState::kId : LifeState::kId);
  const std::string workspace =
      opened && !options.workspace ? opened->workspace : options.workspace.value_or(first);
  require_effect_in_three_dimensions(options.scene, solid ? &*solid : nullptr, workspace);
  SceneOptions of_scene = options.scene;
  if (solid) of_scene = without_solid(options.scene);
  of_scene.devices_of_picture = workspace == MandelbrotState::kId;
  ProgramSettings settings{
      .life = opened ? of_scene.settings_over(state_of<LifeState>(*opened).settings) : of_scene.settings(),
      .mandelbrot = {},
      .first_view = {},
      .shell = {}};
  if (opened) settings.solid = state_of<SolidState>(*opened).settings;
  if (solid) settings.solid = solid_settings(options.scene, *solid);
  if (opened) {
    settings.shell.custom_palettes = opened->custom_palettes;
    settings.shell.palette = opened->palette;
  }
  settings.shell.backend = settings.life.backend;
  settings.shell.device = settings.life.device;
  settings.shell.devices = settings.life.named_devices;
  const glm::ivec2 size = options.picture.extent(most);
  options.picture.scale();
  const Theme theme = options.picture.theme_choice().value_or(Theme::kDark);
  opened ? void(settings.shell.theme = theme) : choose_theme(settings.shell, theme);
  settings.shell.workspace = index_of_workspace(workspace);
  MandelbrotSettings mandelbrot = opened ? state_of<MandelbrotState>(*opened).settings : MandelbrotSettings{};
  if (position && position->dwell_limit) {
    mandelbrot.config.dwell_limit = *position->dwell_limit;
    mandelbrot.dwell_by_depth = false;
  }
  if (position && position->set) mandelbrot.config.set = *position->set;
  settings.mandelbrot = options.mandelbrot.settings(&mandelbrot);
  if (settings.life.picture_devices != 0) settings.mandelbrot.devices = settings.life.picture_devices;
  choose_palette(settings.shell, settings.mandelbrot, options.scene.palette);
  settings.first_view = options.mandelbrot.first_view();
  if (names_bounds(typed_value(options.scene.life, "rule").value_or(""))) settings.note = kBoundsNote;
  if (opened && !settings.first_view) settings.first_view = state_of<MandelbrotState>(*opened).view;
  if (position && !settings.first_view) {
    settings.position = *position;
    settings.note = position->dropped;
    settings.first_view = position->fitted_to_aspect(static_cast<double>(size.x) / size.y,
                                                     default_view(size, settings.mandelbrot.config.set));
  }
  if (options.mandelbrot.angle) {  // also of what is opened, or of the whole set
    if (!settings.first_view) settings.first_view = default_view(size, settings.mandelbrot.config.set);
    settings.first_view->angle = options.mandelbrot.turn();
    if (settings.position) settings.position->view.angle = settings.first_view->angle;
  }
  settings.life_view = options.life_view.view(settings.life.config);
  if (opened) {
    LifeState& life = edit_state<LifeState>(*opened);
    life.settings = settings.life;
    if (settings.life_view) life.view = settings.life_view;
    settings.opened = std::move(opened);
  }
  return settings;
}

scene::Scene first_scene(const ProgramSettings& settings) {
  scene::Scene scene;
  if (settings.opened) {
    scene = *settings.opened;
  } else {
    edit_state<LifeState>(scene) =
        LifeState(settings.life, CellSource(settings.life.start, settings.life.work()), settings.life_view);
    edit_state<SolidState>(scene).cells = CellSourceOf<3>(settings.solid.start);
  }
  scene.workspace = workspace_formats()[settings.shell.workspace].id;
  scene.palette = settings.shell.palette;
  edit_state<MandelbrotState>(scene) = MandelbrotState(settings.mandelbrot, settings.first_view);
  edit_state<SolidState>(scene).settings = settings.solid;
  return scene;
}

std::vector<StartCard> Program::start_cards() {
  const auto panes = [this](PanePreset preset) {
    return [this, preset](ShellEdit& edit) {
      application_->leave_lesson(edit);
      edit.settings.workspace = application_->index_of(LifeState::kId);
      life_->request([preset](LifeEdit& life) {
        set_panes(life.settings, preset);
        life.commands.panes = preset;
        life.settings.show_code = false;
      });
    };
  };
  return {
      {"Explore", "Life on fractals: zoom, paint, change the map.", panes(PanePreset::kSingle)},
      {"Compare", "Three maps side by side, with their costs.", panes(PanePreset::kMaps)},
      {"Lessons", "Idle threads, λ by hand, warps, DP and ASK.",
       [](ShellEdit& edit) { edit.lessons.list = true; }},
      {"Write a map", "Code that tells each thread its cell.",
       [this](ShellEdit& edit) {
         application_->leave_lesson(edit);
         edit.settings.workspace = application_->index_of(LifeState::kId);
         life_->request([](LifeEdit& life) { life.settings.show_code = life.commands.focus_code = true; });
       }},
  };
}

Program::Program(const ProgramSettings& settings, render::GraphicsContext& context,
                 ApplicationOptions options) {
  options.version = bench::program_version();
  const auto make = [&](const ShellServices& services) {
    auto life = std::make_unique<LifeWorkspace>(settings.life, services);
    auto mandelbrot =
        std::make_unique<MandelbrotWorkspace>(settings.mandelbrot, settings.first_view, services);
    auto benchmark = std::make_unique<BenchmarkWorkspace>(
        services, [this](const ShellSettings& shell) { return bench_scene(shell); },
        [this](const bench::Case& measured, ShellEdit& edit) { show_case(measured, edit); });
    auto solid = std::make_unique<SolidWorkspace>(settings.solid, services);
    life_ = life.get();
    mandelbrot_ = mandelbrot.get();
    solid_ = solid.get();
    benchmark_ = benchmark.get();
    Application::Workspaces workspaces;
    workspaces.push_back(std::move(life));
    workspaces.push_back(std::move(mandelbrot));
    workspaces.push_back(std::move(solid));
    workspaces.push_back(std::move(benchmark));
    return workspaces;
  };
  application_ = std::make_unique<Application>(settings.shell, context, make, options);
  application_->start_screen().set_introduction(introduction(*application_, *life_));
  application_->start_screen().set_cards(start_cards());
  application_->start_screen().set_pictures(gallery(*application_, *life_, *mandelbrot_, *solid_));
  auto strip = std::make_unique<lessons::LessonStrip>(
      std::make_unique<ProgramLessonHost>(*application_, *life_, *mandelbrot_, *solid_), report_fields(),
      application_->control_marks());
  lessons_ = strip.get();
  application_->set_strip(std::move(strip));
  scenes_ = std::make_unique<scene::SceneSource>(*application_, workspace_formats());
  auto files = std::make_unique<scene::SceneFiles>(*scenes_);
  files_ = files.get();
  auto images = std::make_unique<image::SaveImage>(*scenes_);
  auto bookmark_manager =
      std::make_unique<bookmarks::BookmarkManager>(*scenes_, [this] { return command_line(); });
  bookmarks_ = bookmark_manager.get();
  scenes_->set_bookmarks(
      [this] { return bookmarks_->all(); },
      [this](const std::vector<scene::Bookmark>& some) { bookmarks_->add_from_scene(some); });
  auto videos = std::make_unique<video::SaveVideo>(*scenes_);
  DocumentHandlerSet& documents = application_->documents();
  // Bookmarks come first: they handle their keys with Shift before the scenes do.
  documents.add(std::move(bookmark_manager));
  documents.add(std::move(files));
  documents.add(std::move(images));
  documents.add(std::move(videos));
  documents.add(make_save_program(*scenes_));
  if (settings.opened) {
    solid_->restore(std::make_shared<SolidState>(state_of<SolidState>(*settings.opened)));
    const LifeState& life = state_of<LifeState>(*settings.opened);
    life_->restore(std::make_shared<LifeState>(settings.life, life.cells, life.view));
  } else if (settings.life_view) {
    life_->request([view = settings.life_view](LifeEdit& edit) { edit.commands.look_at = view; });
  }
  if (settings.position)
    mandelbrot_->request([view = *settings.position](MandelbrotEdit& edit) { edit.commands.go_to = view; });
}

BenchScene Program::bench_scene(const ShellSettings& shell) const {
  const LifeSettings& life = life_->settings();
  return {.config = life.config,
          .rule = life.rule,
          .start = life.start,
          .backend = shell.backend,
          .device = shell.device,
          .custom_fractal = life_->custom_fractal()};
}

// The workspace whose method was measured shows it.
void Program::show_case(const bench::Case& measured, ShellEdit& edit) {
  application_->leave_lesson(edit);
  if (const auto* const of_maps = std::get_if<bench::MapCase>(&measured)) {
    choose_device(edit.settings, of_maps->backend.device);
    edit.settings.workspace = application_->index_of(LifeState::kId);
    life_->request([one = *of_maps](LifeEdit& life) {
      life.settings.config = one.config;
      life.settings.devices = std::max(1u, static_cast<std::uint32_t>(one.device_list.size()));
      life.shell.view.fit = true;
    });
  }
  if (const auto* const of_solid = std::get_if<bench::SolidCase>(&measured)) {
    choose_device(edit.settings, of_solid->backend.device);
    edit.settings.workspace = application_->index_of(SolidState::kId);
    solid_->request([config = of_solid->config](SolidSceneEdit& solid) { solid.settings.config = config; });
  }
  if (const auto* const of_mandelbrot = std::get_if<bench::MandelbrotCase>(&measured)) {
    choose_device(edit.settings, of_mandelbrot->backend.device);
    edit.settings.workspace = application_->index_of(MandelbrotState::kId);
    mandelbrot_->request([one = *of_mandelbrot](MandelbrotEdit& edited) {
      edited.settings.volume.shown = one.volume.has_value();
      if (one.volume) {
        show_volume(edited.settings.volume, one.volume->set);
        edited.settings.volume.config = *one.volume;
        edited.settings.config.method = one.volume->method;
        return;
      }
      edited.settings.config = one.config;
      if (!one.view.decimal) return;
      edited.settings.dwell_by_depth = false;
      edited.commands.go_to = complex_view(*one.view.decimal, one.view.angle);
    });
  }
}

std::string Program::command_line() const {
  scene::Scene scene = scenes_->describe();
  if (scene.workspace == BenchmarkState::kId)
    throw InputError("The command line measures a sweep with fractal-loom bench");
  CommandOptions command_options{.window = application_->window_size()};
  if (scene.workspace == LifeState::kId) {
    command_options.backend = life_->async_engine()->backend();
    if (life_->view()) command_options.part = life_->part();
    const CellSource& cells = life_->cells();
    edit_state<LifeState>(scene).cells = cells;
  } else if (scene.workspace == MandelbrotState::kId) {
    command_options.backend = mandelbrot_->runner().backend();
    MandelbrotSettings& own = edit_state<MandelbrotState>(scene).settings;
    if (!own.automatic) own.automatic = !life_->async_engine()->backend().device.on_host;
  }
  try {
    return command_of(scene, command_options);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{}. Save the scene (Ctrl S) and open it with fractal-loom FILE", error.what()));
  }
}

std::string Program::save_session_scene(SessionFile& file, const scene::Scene& scene) {
  try {
    const auto save = [&](const std::filesystem::path& to) { scene::save_file(to, scene); };
    for (const auto& other : file.save(save)) scene::add_recent_file(other);
  } catch (const std::exception& error) {  // the program ends in any case
    return error.what();
  }
  return {};
}

}  // namespace loom::app
