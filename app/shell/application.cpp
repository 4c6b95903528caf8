#include "app/shell/application.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

constexpr const char* kProgramName = "Fractal Loom";

/// The window counts as idle after this time without activity. Long enough that sliced work is complete and
/// delayed tooltips are shown.
constexpr std::chrono::seconds kStill{4};

/// Keys that move the focus through controls or operate them.
bool is_for_controls(const KeyPress& press) {
  if (press.ctrl) return false;
  switch (press.key) {
    case GLFW_KEY_LEFT:
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_UP:
    case GLFW_KEY_DOWN:
    case GLFW_KEY_TAB:
    case GLFW_KEY_SPACE:
    case GLFW_KEY_ENTER:
    case GLFW_KEY_PAGE_UP:
    case GLFW_KEY_PAGE_DOWN:
    case GLFW_KEY_HOME:
    case GLFW_KEY_END:
      return true;
    default:
      return press.character == ' ';
  }
}

bool list_is_open() {
  return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool dialog_is_open() {
  return ImGui::GetTopMostPopupModal() != nullptr;
}

std::vector<const char*> labels_of(const Application::Workspaces& workspaces) {
  std::vector<const char*> labels;
  for (const auto& workspace : workspaces) labels.push_back(workspace->info().label);
  return labels;
}

/// Smaller text where the menus and the tabs of the workspaces would not fit into the window's width.
float fitting_pixels(float pixels, float window_width) {
  constexpr float kLeastWidth = 24;  // in font sizes
  if (window_width <= 0) return pixels;
  return std::min(pixels, std::max(std::floor(window_width / kLeastWidth), kMinUiPixels));
}

}  // namespace

Application::Application(ShellSettings settings, render::GraphicsContext& context, const MakeWorkspaces& make,
                         ApplicationOptions options)
    : context_(context),
      options_(options),
      settings_(std::move(settings)),
      cuda_(cuda_status()),
      backend_(select_backend(settings_.backend, settings_.device)),
      devices_(devices_from(backend_.device, cuda_, settings_.devices)),
      gui_(context, settings_.ui_pixels, settings_.theme),
      services_{context_, cuda_, backend_, devices_, times_, rate_, options.waits, options.is_pipelined,
                undo_},
      workspaces_(make(services_)),
      shortcuts_(shell_shortcuts(labels_of(workspaces_))),
      about_(options.version, cuda_, context.info()),
      last_tabs_(workspaces_.size(), SideTab::kMain),
      details_were_open_(workspaces_.size()) {
  ControlMarks::use_in_context(&marks_);
  title_ = kProgramName;
}

std::size_t Application::index_of(std::string_view id) const {
  std::size_t index = 0;
  while (workspaces_.at(index)->id() != id) ++index;
  return index;
}

void Application::show_message(Message message, std::optional<std::size_t> workspace) {
  toasts_.show(std::move(message), workspace);
}

// The name of the scene's file, or before it has one that of the workspace. Does not allocate unless it or
// the modified flag changed.
void Application::update_title() {
  const std::string_view file = documents_.file_name();
  const std::string_view name = file.empty() ? std::string_view(shown().info().label) : file;
  const bool modified = undo_.modified() || !shown().status().unsaved.empty();
  if (name == titled_name_ && modified == titled_modified_) return;
  titled_name_ = name;
  titled_modified_ = modified;
  title_ = titled_name_ + (modified ? "*" : "") + " - " + kProgramName;
}

void Application::frame() {
  // The idle wait is not part of a frame.
  if (is_idle_) clock_.discard_sample();
  if (const auto ended = clock_.begin()) times_.add(*ended);
  if (is_idle_) rate_.skip();
  rate_.count(FrameClock::Clock::now());
  times_.set_paused(settings_.pause_timing);

  Workspace& workspace = shown();
  const std::size_t owner = settings_.workspace;  // the shown workspace may change during this frame
  gui_.input().set_searchable(documentation_.is_open() || settings_.show_help);
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  gui_.begin_frame(fitting_pixels(text_pixels(settings_, window.y), window.x), settings_.theme);
  fold_side_panel();
  begin_action();
  // Keep the lesson commands that panels issued after Strip::act() in the previous frame.
  edit_ = {.settings = settings_, .lessons = std::move(edit_.lessons)};
  edit_.commands.focus_editor = std::exchange(focus_editor_, false);
  if (undone_) edit_.settings = *undone_;
  marks_.begin_frame();
  if (strip_) strip_->begin(edit_);
  for (const std::string& file : gui_.input().take_dropped())
    documents_.each(&DocumentHandler::on_file_dropped, file);
  documents_.begin(edit_);
  if (edit_.save) documents_.each(&DocumentHandler::ask_for_file, *std::exchange(edit_.save, std::nullopt));
  workspace.begin(edit_);
  if (const auto command = std::exchange(content_command_, std::nullopt);
      command && command->first == settings_.workspace)
    workspace.commands().run(command->second);
  // A menu or a list takes arrow keys although the mouse has opened it; the palette has keys of its own.
  if (keyboard_navigation_ || (popups_ > 0 && !menu_bar_.palette_shown()))
    ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  // Tab goes through the controls of one window after the other.
  static constexpr std::array kWindows = {"Toolbar##toolbar", "Side panel##tabs", "Controls##controls",
                                          "Plot##benchmark",  "##map code",       "Metrics##dock"};
  if (keyboard_navigation_ && imgui_compat::update_tab()) imgui_compat::focus_next_window(kWindows);
  if (gui_.input().wants_search()) settings_.show_help ? help_.focus_search() : documentation_.focus_search();
  for (const KeyPress& one : gui_.input().take_presses()) press(one, edit_);
  if (strip_) {
    if (strip_->take_space()) workspace.commands().press({.key = GLFW_KEY_SPACE});
    strip_->act(edit_);
  }
  if (edit_.settings.picture_cursor) edit_.view.cursor = true;
  // An image shows nothing of what is under the cursor.
  if (edit_.commands.close_overlays) ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
  const Area picture = build_panels(edit_);
  popup_shown_ = list_is_open();
  workspace.update(picture, std::max(ImGui::GetIO().DisplayFramebufferScale.x, 1.0f));
  clock_.lap(Stage::kPanels);

  if (const auto size = clipboard::take_refused()) {
    show_message(Message::hint(fmt::format("The clipboard has {} of text; a text field takes at most {}",
                                           format_bytes(*size), format_bytes(clipboard::kMostFieldBytes))));
  }
  toasts_.update();
  // Escape closes what covers the picture, then the cursor. If there is neither, it cancels background work.
  if (edit_.commands.dismiss && message().empty() && !settings_.show_help && !settings_.show_start) {
    if (!std::exchange(edit_.settings.picture_cursor, false)) edit_.commands.cancel = true;
  }
  apply(edit_);
  if_memory_allows(owner, [&] { workspace.compute(clock_); });
  context_.clear(glm::u8vec3(glm::vec3(theme::colours().background) * 255.0f +
                             0.5f));  // visible where neither the picture nor a panel is drawn
  if_memory_allows(owner, [&] { workspace.show(clock_, *ImGui::GetBackgroundDrawList()); });
  show_message(workspace.take_message(), owner);
  if (const std::string copied = documentation_.take_copied(); !copied.empty())
    show_message(Message::success("Copied " + copied));
  show_message(documents_.take_message());
  quit_once_saved();
  update_title();

  if (strip_shown() && options_.panels)
    strip_->overlays(*ImGui::GetForegroundDrawList(),
                     settings_.show_start || settings_.show_help || documentation_.is_open());
  ring_control(*ImGui::GetForegroundDrawList());
  const int popups_before = std::exchange(popups_, imgui_compat::open_popups());
  if (popups_before > 0 && popups_ == 0 && !keyboard_navigation_) imgui_compat::hide_key_cursor();
  gui_.end_frame();
  panels_timer_.begin();
  gui_.draw();
  panels_timer_.end();
  const bool alone = toasts_.newest().empty() && !settings_.show_help && !settings_.show_start &&
                     !documentation_.is_open() && !quit_dialog_.asked() && !popup_shown_;
  documents_.each(&DocumentHandler::on_frame_rendered, RenderedFrame{context_, picture, alone});
  const auto gpu = panels_timer_.take();
  if (gpu && !panels_timer_.waits()) clock_.add_concurrent(Stage::kGpuPanels, *gpu);
  clock_.lap(Stage::kPanels);
  if_memory_allows(owner, [&] { workspace.begin_next(clock_); });
  context_.present();
  clock_.lap(Stage::kPresent);

  const auto now = FrameClock::Clock::now();
  if (is_animating()) last_activity_ = now;
  is_idle_ = options_.is_idle && now - last_activity_ > kStill;
}

bool Application::is_animating() const {
  const WorkspaceStatus status = shown().status();
  return gui_.input().had_input() || quit_dialog_.has_timeout() || !toasts_.transient().empty() ||
         (settings_.show_start && settings_.animations) || documentation_.is_loading() || ringed_ ||
         status.is_animating || !status.progress.what.empty() || !documents_.progress().what.empty();
}

// Reports an out-of-memory error as a message; the program continues with its previous state.
template <typename Part>
void Application::if_memory_allows(std::size_t owner, const Part& part) {
  try {
    part();
  } catch (const CapacityError& error) {
    show_message(Message::error(error.what()), owner);
  } catch (const std::bad_alloc&) {
    show_message(Message::error("out of memory: this frame is incomplete"), owner);
  }
}

// An open list or dialog captures all keys except Ctrl Q, Ctrl Z and Ctrl Y; undo and redo are excluded in
// dialogs. An active text field captures all keys except those of the strip, Ctrl Q, Ctrl P, F1 and F6.
void Application::press(const KeyPress& press, ShellEdit& edit) {
  if (quit_dialog_.press(press)) return;
  const bool quits = press.ctrl && press.key == 'q';
  if (popups_ > 0 || list_is_open()) {
    if (press.key == GLFW_KEY_ESCAPE) close_topmost();
    const bool undo_label = press.ctrl && (press.key == 'z' || press.key == 'y') && !dialog_is_open();
    if (!quits && !undo_label) return;
  }
  if (ImGui::GetIO().WantTextInput) {
    const bool taken = strip_shown() && strip_->press(press);
    const bool finds = press.ctrl && !press.shift && press.key == 'p';
    const bool leaves = press.key == GLFW_KEY_F6 && !documentation_.is_open() && !settings_.show_help;
    const bool asks_for_help = press.key == GLFW_KEY_F1;
    if ((quits || finds || leaves || asks_for_help) && !taken) shortcuts_.press(press, edit);
    return;
  }
  if (documentation_.press(press)) return;
  if (keyboard_navigation_) {
    if (press.key == GLFW_KEY_ESCAPE) return keyboard_navigation(KeyArea::kNone);
    if (is_for_controls(press)) return;
  }
  if (press.key == GLFW_KEY_ESCAPE && annotations_.erase()) return;
  if (edit.settings.show_start && start_.press(press, edit)) return;
  if (strip_shown() && strip_->press(press)) return;
  if (documents_.press(press)) return;
  if (shown().commands().press(press) || shortcuts_.press(press, edit)) return;
  show_key_hint(press);
}

// Says what a key is for where it does nothing now: in another workspace, in a lesson, or with a modifier.
void Application::show_key_hint(const KeyPress& press) {
  for (const auto& workspace : workspaces_) {
    if (const Command* const command = workspace->commands().find(press)) {
      const Text words =
          format_text("{} is for {}: {}. Ctrl {} shows that workspace.", command->keys,
                      workspace->info().label, command->meaning, index_of(workspace->id()) + 1);
      return show_message(Message::hint(words.c_str()));
    }
  }
  if (const Command* const command = strip_ ? strip_->command_of(press) : nullptr) {
    const Text words =
        format_text("{} is for lessons ({}). L lists the lessons.", command->keys, command->meaning);
    return show_message(Message::hint(words.c_str()));
  }
  KeyPress modified = press;
  modified.ctrl = true;
  const Command* const command = shown().commands().find(modified);
  if (command == nullptr || command->effect != Effect::kDestroys || press.ctrl) return;
  const Text words = format_text("Press {}: {}", command->keys, command->meaning);
  show_message(Message::hint(words.c_str()));
}

// A list above a dialog is closed without the dialog. With keyboard navigation, ImGui has already closed the
// list for this Escape.
void Application::close_topmost() {
  const int open = imgui_compat::open_popups();
  if (open > 0 && open == popups_) ImGui::ClosePopupToLevel(open - 1, true);
  quit_dialog_.cancel_request();
}

// In the order of the menus: what belongs to the scene before what belongs to the window.
Application::CommandSources Application::command_sources() {
  CommandSources sources;
  sources[0] = {documents_.commands(), [this](std::size_t i) { documents_.run(i); }};
  sources[1] = shown().commands();
  if (strip_) sources[2] = strip_->commands();
  sources[3] = {shortcuts_.commands(), [this](std::size_t i) { shortcuts_.run(i, edit_); },
                [this](std::size_t i) {
                  const std::string_view label = shortcuts_.commands()[i].label;
                  return (label == kPenLabel && annotations_.pen()) || shortcuts_.checked(i, edit_);
                },
                [this](std::size_t i) -> const char* {
                  const std::string_view label = shortcuts_.commands()[i].label;
                  if (label == kUndoLabel && !undo_.can_undo() && !annotations_.can_undo())
                    return "Nothing to undo";
                  if (label == kRedoLabel && !undo_.can_redo()) return "Nothing to redo";
                  return nullptr;
                }};
  return sources;
}

// All changes while a mouse button is pressed belong to one action.
void Application::begin_action() {
  if (!mouse_was_down_) undo_.begin_action(settings_.workspace);
  mouse_was_down_ = ImGui::IsAnyMouseDown();
}

// Not recorded: lecture mode, full screen, help, start screen, the picture's cursor, the side panel's tab and
// the shown workspace.
void Application::record(const ShellSettings& before, const ShellSettings& after) {
  const auto compared = [&](const ShellSettings& one) {
    ShellSettings all = one;
    if (is_lecture_mode(before) != is_lecture_mode(after) && is_lecture_mode(one)) toggle_lecture_mode(all);
    all.full_screen = all.show_help = all.show_start = all.picture_cursor = false;
    all.side_tab.reset();
    all.workspace = 0;
    return all;
  };
  if (compared(before) == compared(after)) return;
  const auto put = [this](const ShellSettings& settings) {
    return [this, settings] {
      undone_ = settings;
      if (is_lecture_mode(*undone_) != is_lecture_mode(settings_)) toggle_lecture_mode(*undone_);
      undone_->full_screen = settings_.full_screen;
      undone_->show_help = undone_->show_start = false;
      undone_->picture_cursor = settings_.picture_cursor;
    };
  };
  const char* const what =
      before.theme != after.theme                                                          ? "theme"
      : before.palette != after.palette || before.custom_palettes != after.custom_palettes ? "palette"
      : before.ui_pixels != after.ui_pixels                                                ? "text size"
      : before.backend != after.backend || before.device != after.device                   ? "device"
      : before.devices != after.devices                                                    ? "devices"
      : before.show_panels != after.show_panels                                            ? "panels"
      : before.show_side_panel != after.show_side_panel                                    ? "side panel"
      : before.show_timing != after.show_timing                                            ? "metrics"
      : before.animations != after.animations                                              ? "animations"
      : before.pause_timing != after.pause_timing                                          ? "frozen metrics"
                                                                                           : "window";
  const bool modifies_scene =
      before.palette != after.palette || before.custom_palettes != after.custom_palettes;
  // A palette that changes together with a scene came with it.
  undo_.record({.what = what,
                .modifies_scene = modifies_scene,
                .back = put(before),
                .again = put(after),
                .accompanies = modifies_scene},
               undo_.action());
}

// An active text field handles undo and redo itself.
void Application::undo_or_redo(const ShellCommands& commands) {
  if (!(commands.undo || commands.redo) || ImGui::GetIO().WantTextInput) return;
  if (commands.undo && annotations_.undo()) return;
  const UndoHistory::Step* const step = commands.undo ? undo_.undo() : undo_.redo();
  if (step == nullptr) return;
  show_workspace(step->workspace);
  if (!undone_) return;
  undone_->workspace = settings_.workspace;
  undone_->side_tab = settings_.side_tab;
}

void Application::show_workspace(std::size_t workspace) {
  if (workspace == settings_.workspace) return;
  shown().hide();
  show_message(shown().take_message());
  previous_workspace_ = std::exchange(settings_.workspace, workspace);
  settings_.side_tab.reset();  // until it is that of this workspace
}

void Application::apply(const ShellEdit& edit) {
  const ShellSettings before = std::exchange(settings_, edit.settings);
  const std::size_t wanted = std::exchange(settings_.workspace, before.workspace);
  show_workspace(edit.commands.previous_workspace ? previous_workspace_ % workspaces_.size() : wanted);
  keep_choice(settings_, before);
  if (undone_) {
    undone_.reset();
  } else {
    record(before, settings_);
  }
  if (settings_.backend != before.backend || settings_.device != before.device) {
    try {
      backend_ = select_backend(settings_.backend, settings_.device);
      devices_ = devices_from(backend_.device, cuda_, settings_.devices);
    } catch (const DeviceFault&) {
      throw;
    } catch (const MachineError& error) {
      show_message(Message::error(error.what()));
      settings_.backend = before.backend;
      settings_.device = before.device;
    }
  }
  if (is_lecture_mode(settings_) && !is_lecture_mode(before))
    show_message(Message::success("Lecture mode. P ends it; T shows the metrics, F9 the side panel"));
  if (!settings_.show_panels && before.show_panels)
    show_message(Message::success("Shift F9 shows the panels again"));
  if (settings_.full_screen != before.full_screen) context_.set_full_screen(settings_.full_screen);
  if (settings_.workspace != before.workspace || edit.commands.reset_times) times_.reset();
  if (settings_.workspace != before.workspace) clock_.discard_sample();
  // The start screen leads to the list of lessons, and does not lie over it.
  if (settings_.show_start && !before.show_start && strip_ && strip_->shows_list()) edit_.lessons.list = true;
  if (edit.commands.close_overlays) documentation_.close();
  if (edit.commands.dismiss || edit.commands.close_overlays) {
    toasts_.dismiss();
    settings_.show_help = false;
    settings_.show_start = false;
  }
  if (edit.commands.keyboard_navigation && options_.panels) next_key_area();
  if (edit.settings.picture_cursor && !before.picture_cursor) keyboard_navigation(KeyArea::kNone);
  if (key_area_ == KeyArea::kPicture && !settings_.picture_cursor) key_area_ = KeyArea::kNone;
  if (edit.commands.show_control) {
    constexpr std::chrono::seconds kRinged{4};
    settings_.show_panels = settings_.show_side_panel = true;
    if (!ringed_) highlight_before_ = marks_.highlighted();
    ringed_ = edit.commands.show_control;
    marks_.set_highlight(ringed_);
    ring_until_ = FrameClock::Clock::now() + kRinged;
  }
  undo_or_redo(edit.commands);
  toasts_.set_workspace(settings_.workspace);
  // The status line shows a single progress: the workspace's before the documents'. Only the work shown is
  // cancelled.
  if (edit.commands.cancel && shown().status().progress.what.empty()) documents_.cancel();
  if (edit.commands.cancel) quit_when_saved_ = false;
  if (edit.commands.quit) request_quit();
}

nlohmann::ordered_json Application::state() {
  auto json = nlohmann::ordered_json::object();
  for (const auto& workspace : workspaces_) workspace->add_state(json);
  json["workspace"] = shown().id();
  json["show_timing"] = settings_.show_timing;
  json["side_tab"] = nullptr;
  if (settings_.side_tab)
    json["side_tab"] =
        std::array{"controls", "details", "metrics"}[static_cast<std::size_t>(*settings_.side_tab)];
  json["tabs"] = nlohmann::ordered_json::array();
  for (const Area& tab : tab_areas_) json["tabs"].push_back(numbers_of(tab));
  json["show_panels"] = settings_.show_panels;
  json["full_screen"] = settings_.full_screen;
  menu_bar_.add_state(json);
  documentation_.add_state(json);
  annotations_.add_state(json);
  help_.add_state(json);
  if (strip_) strip_->add_state(json);
  json["strip_area"] = numbers_of(layout_.strip);
  json["toolbar_area"] = numbers_of(layout_.toolbar);
  json["controls_area"] = numbers_of(layout_.controls);
  json["dock_area"] = numbers_of(layout_.dock);
  json["picture_area"] = numbers_of(layout_.picture);
  json["show_help"] = settings_.show_help;
  json["keys_in_controls"] = keyboard_navigation_;
  json["key_area"] = static_cast<int>(key_area_);
  json["ringed"] = nullptr;
  if (ringed_) json["ringed"] = name_of(*ringed_);
  json["picture_cursor"] = edit_.view.cursor;
  json["key_cursor"] = imgui_compat::has_key_cursor() ? imgui_compat::key_cursor() : 0;
  start_.add_state(json, settings_.show_start);
  json["home"] = numbers_of(home_area_);
  json["text_field_active"] = ImGui::GetIO().WantTextInput;
  json["list_open"] = list_is_open();
  json["popups"] = imgui_compat::open_popups();
  json["asks_to_quit"] = quit_dialog_.asked();
  json["quit_question"] = {{"focused", quit_dialog_.focused()}, {"places", numbers_of(quit_dialog_.areas())}};
  const ShownTooltip tip = shown_tooltip();
  json["tooltip"] = {{"text", tip.text}, {"item", numbers_of(tip.item)}, {"area", numbers_of(tip.area)}};
  json["palette"] = settings_.palette;
  json["own_palettes"] = nlohmann::ordered_json::array();
  if (settings_.custom_palettes) {
    for (const CustomPalette& one : *settings_.custom_palettes)
      json["own_palettes"].push_back(one.recipe.name);
  }
  json["ui_pixels"] = settings_.ui_pixels;
  json["theme"] = name_of(settings_.theme);
  json["animations"] = settings_.animations;
  json["clipped"] = imgui_compat::clipped_windows();
  const glm::ivec2 size = context_.framebuffer_size();
  json["size"] = {size.x, size.y};
  documents_.each(&DocumentHandler::add_state, json);
  json["undo"] = {{"steps", undo_.size()},
                  {"behind", undo_.undo_count()},
                  {"undoes", undo_.undo_label()},
                  {"does_again", undo_.redo_label()},
                  {"place", numbers_of(undo_area_)}};
  json["rests"] = is_idle_;
  json["progress"] = shown().status().progress.what;
  if (json["progress"] == "") json["progress"] = documents_.progress().what;
  json["message"] = toasts_.newest().text;
  json["message_kind"] = toasts_.newest().empty() ? "" : name_of(toasts_.newest().kind);
  json["message_area"] = numbers_of(toasts_.area());
  json["title"] = title_;
  return json;
}

}  // namespace loom::app
