#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/layout.h"
#include "app/gui/theme.h"
#include "app/shell/application.h"
#include "app/text/text.h"
#include "app/widgets/control_marks.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

// The panels of the window around and on the picture.
// Quitting: immediately, after the quit dialog, or when all unsaved work is saved.

namespace loom::app {
namespace {

// The width is the same with and without a scroll bar, so that folding a section does not move the controls.
float controls_content_width() {
  const ImGuiStyle& style = ImGui::GetStyle();
  return kControlsWidth * ImGui::GetFontSize() - 2 * style.WindowPadding.x - style.ScrollbarSize;
}

// In font sizes.
constexpr float kLearnWidth = 4.9f;
constexpr float kIconWidth = 2.1f;  ///< of a button whose text is left out for want of room
constexpr float kHomeWidth = 4.6f;  ///< of the buttons for the start screen and the side panel

float tab_width(const Workspace& workspace) {
  return ImGui::CalcTextSize(workspace.info().label).x + theme::grid(6);
}

/// Begins a frameless window at a fixed position with scroll bars. Where a tab selects it, a text field of
/// another window stays active. Tab leads from one text field to the next.
void begin_column(const char* name, const Area& area, bool by_keys) {
  begin_fixed_window(name, area,
                     ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoFocusOnAppearing |
                         (by_keys || ImGui::GetIO().WantTextInput ? 0 : ImGuiWindowFlags_NoNav));
}

}  // namespace

void Application::workspace_tabs(ShellEdit& edit) {
  if (choice_button("\uf015", false, theme::grid(8.5f), {}, "Start screen (Home)"))
    edit.settings.show_start = !edit.settings.show_start;
  home_area_ = item_area();
  ImGui::SameLine(0, theme::grid(1));
  if (choice_button(
          "\uf0c9", false, theme::grid(8.5f),
          shown().panel_needs().covers_controls ? "There is no side panel beside this view" : "",
          edit.settings.show_side_panel ? "Folds the side panel (F9)" : "Unfolds the side panel (F9)"))
    edit.settings.show_side_panel = !edit.settings.show_side_panel;
  mark_item(Control::kSidePanel);
  ImGui::SameLine(0, theme::grid(1));
  ImGui::BeginGroup();
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, theme::grid(0.5f));
    const Text hint =
        format_text("{} (Ctrl {}). Other workspaces are paused.", workspaces_[i]->info().hint, i + 1);
    if (choice_button(workspaces_[i]->info().label, i == edit.settings.workspace,
                      tab_width(*workspaces_[i]) - theme::grid(0.5f), {}, hint))
      edit.settings.workspace = i;
  }
  ImGui::EndGroup();
  mark_item(Control::kWorkspace);
}

// Calls `group` with the corner of each group, its index and whether its texts are left out: the tabs, those
// of the workspace, and Learn.
template <typename Group>
int Application::each_toolbar_group(float width, const Group& group) const {
  const float font = ImGui::GetFontSize();
  float tabs = 0;
  for (const auto& workspace : workspaces_) tabs += tab_width(*workspace);
  const PanelNeeds needs = shown().panel_needs();
  const auto place = [&](bool brief, const auto& each) {
    ToolbarFlow flow(width / font);
    each(flow.place(tabs / font + kHomeWidth), std::size_t{0});
    const std::span<const float> groups = brief ? needs.brief_toolbar : needs.toolbar;
    for (std::size_t i = 0; i < groups.size(); ++i) each(flow.place(groups[i]), i + 1);
    each(flow.place(brief ? kIconWidth : kLearnWidth, true), groups.size() + 1);
    return flow.rows();
  };
  // Buttons with an icon lose their text if they then need fewer rows.
  const auto nothing = [](glm::vec2, std::size_t) {};
  const bool brief = place(true, nothing) < place(false, nothing);
  return place(brief, [&](glm::vec2 corner, std::size_t i) { group(corner, i, brief); });
}

void Application::toolbar(const Area& area, ShellEdit& edit) {
  const float font = ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  const int rows = each_toolbar_group(area.size.x, [](glm::vec2, std::size_t, bool) {});
  const bool scrolls = std::floor(kToolbarRow * font * static_cast<float>(rows)) > area.size.y;
  const float width = area.size.x - (scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
  begin_fixed_window("Toolbar##toolbar", area,
                     (scrolls ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse) |
                         ImGuiWindowFlags_NoBackground | (keyboard_navigation_ ? 0 : ImGuiWindowFlags_NoNav));
  ImGui::PopStyleVar();
  focus_first(KeyArea::kToolbar);
  imgui_compat::begin_tab_stops();
  const std::size_t last = shown().panel_needs().toolbar.size() + 1;
  const float above = (kToolbarRow * font - ImGui::GetFrameHeight()) / 2;
  each_toolbar_group(width, [&](glm::vec2 corner, std::size_t i, bool brief) {
    ImGui::SetCursorPos(corner * font + glm::vec2{0, above});
    if (i == 0) return workspace_tabs(edit);
    if (i < last) return shown().toolbar_group(i - 1, brief);
    if (choice_button(brief ? "\uf19d" : "\uf19d Learn", false, (brief ? kIconWidth : kLearnWidth) * font, {},
                      "Interactive lessons (L)"))
      edit.lessons.list = true;
  });
  imgui_compat::end_tab_stops();
  ImGui::End();
}

bool Application::strip_shown() const {
  return strip_ && strip_->shown() && (strip_->shows_list() || !shown().panel_needs().covers_strip);
}

void Application::keyboard_navigation(KeyArea begin) {
  key_area_ = keys_begin_ = begin;
  keyboard_navigation_ = begin != KeyArea::kNone;
  if (!keyboard_navigation_) imgui_compat::hide_key_cursor();
}

// Shows the keyboard cursor at once, not only after the first movement.
void Application::focus_first(KeyArea area) {
  if (keys_begin_ != area) return;
  keys_begin_ = KeyArea::kNone;
  imgui_compat::show_key_cursor();
}

void Application::next_key_area() {
  const PanelNeeds needs = shown().panel_needs();
  KeyArea now = settings_.picture_cursor ? KeyArea::kPicture : key_area_;
  if (needs.has_editor && ImGui::GetIO().WantTextInput) now = KeyArea::kEditor;
  const auto follows = [&](KeyArea one) {
    const bool is_left = now == KeyArea::kNone || one > now;
    return is_left && (one != KeyArea::kPanel || !layout_.controls.empty()) &&
           (one == KeyArea::kPanel || one == KeyArea::kPicture ? !needs.covers_controls : true) &&
           (one != KeyArea::kEditor || needs.has_editor);
  };
  constexpr std::array kAreas = {KeyArea::kToolbar, KeyArea::kPanel, KeyArea::kPicture, KeyArea::kEditor};
  const auto next = std::ranges::find_if(kAreas, follows);
  const KeyArea area = next == kAreas.end() ? KeyArea::kToolbar : *next;
  settings_.picture_cursor = area == KeyArea::kPicture;
  focus_editor_ = area == KeyArea::kEditor;
  const bool in_controls = area == KeyArea::kToolbar || area == KeyArea::kPanel;
  if (in_controls) settings_.show_panels = true;
  keyboard_navigation(in_controls ? area : KeyArea::kNone);
  key_area_ = area;
}

std::vector<CommandSource> Application::palette_sources() {
  std::vector<CommandSource> sources;
  if (!menu_bar_.palette_shown()) return sources;
  const CommandSources own = command_sources();
  sources.assign(own.begin(), own.end());
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (i == settings_.workspace) continue;
    sources.push_back({.commands = workspaces_[i]->commands().commands,
                       .run =
                           [this, i](std::size_t command) {
                             edit_.settings.workspace = i;
                             content_command_ = {i, command};
                           },
                       .hidden = true});
  }
  return sources;
}

void Application::ring_control(ImDrawList& list) {
  if (!ringed_) return;
  const bool is_highlighted = marks_.highlighted() == ringed_;
  if (is_highlighted && FrameClock::Clock::now() < ring_until_) {
    if (const auto area = marks_.visible_area(*ringed_)) draw_ring(list, *area);
    return;
  }
  ringed_.reset();
  if (is_highlighted) marks_.set_highlight(highlight_before_);
}

void Application::controls(const Area& area, ShellEdit& edit) {
  ImGui::SetNextWindowContentSize({controls_content_width(), 0});
  begin_column("Controls##controls", area, keyboard_navigation_);
  focus_first(KeyArea::kPanel);
  imgui_compat::begin_tab_stops();
  documents_row(edit);
  shown().controls();
  imgui_compat::end_tab_stops();
  ImGui::End();
}

// The Undo and Redo buttons.
void Application::documents_row(ShellEdit& edit) {
  const float width = equal_width(2);
  const auto hint = [](const char* what, const char* keys, const std::string& step) {
    return step.empty() ? format_text("{} ({})", what, keys) : format_text("{}: {} ({})", what, step, keys);
  };
  if (choice_button("Undo", false, width, undo_.can_undo() ? "" : "Nothing to undo",
                    hint("Undo", "Ctrl Z", undo_.undo_label())))
    edit.commands.undo = true;
  undo_area_ = item_area();
  ImGui::SameLine();
  if (choice_button("Redo", false, remaining_width(), undo_.can_redo() ? "" : "Nothing to redo",
                    hint("Redo", "Ctrl Y", undo_.redo_label())))
    edit.commands.redo = true;
  documents_.each(&DocumentHandler::notice);
}

void Application::dock(const ShellEdit& edit) {
  if (layout_.dock.empty()) return;
  const bool beside = layout_.dock_is_column;
  if (!beside) ImGui::SetNextWindowContentSize({controls_content_width(), 0});
  begin_column("Metrics##dock", layout_.dock, keyboard_navigation_);
  imgui_compat::begin_tab_stops();
  shown().dock({.metrics = beside || edit.settings.side_tab == SideTab::kMetrics,
                .details = beside || edit.settings.side_tab == SideTab::kDetails,
                .beside = beside});
  imgui_compat::end_tab_stops();
  ImGui::End();
}

// Folds the side panel where the picture would get less than half of the width, until it gets more or the
// user unfolds it.
void Application::fold_side_panel() {
  const bool has_room = has_room_for_controls(ImGui::GetIO().DisplaySize.x, ImGui::GetFontSize());
  if (std::exchange(panel_has_room_, has_room) == has_room) return;
  if (has_room) {
    settings_.show_side_panel |= std::exchange(panel_is_folded_, false);
  } else {
    panel_is_folded_ = std::exchange(settings_.show_side_panel, false);
  }
}

// The tab of the details is selected when they are opened, unless a lesson points at a control, and left when
// they are closed.
void Application::choose_tab(const PanelNeeds& needs, ShellEdit& edit) {
  std::optional<SideTab>& tab = edit.settings.side_tab;
  if (!needs.metrics) return tab.reset();
  std::vector<bool>::reference was_open = details_were_open_[settings_.workspace];
  if (!tab) tab = last_tabs_[settings_.workspace];
  if (needs.details_open && !was_open && !marks_.highlighted()) tab = SideTab::kDetails;
  if (!needs.details_open && was_open && tab == SideTab::kDetails) tab = SideTab::kMain;
  was_open = needs.details_open;
}

void Application::side_tabs(const PanelNeeds& needs, ShellEdit& edit) {
  tab_areas_ = {};
  if (layout_.tabs.empty()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x,
                                                    (layout_.tabs.size.y - ImGui::GetFrameHeight()) / 2});
  begin_fixed_window("Side panel##tabs", layout_.tabs,
                     ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                         ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                         (keyboard_navigation_ ? 0 : ImGuiWindowFlags_NoNav));
  ImGui::PopStyleVar();
  imgui_compat::begin_tab_stops();
  const std::array labels{"Controls", needs.details, "Metrics"};
  const float width = equal_width(static_cast<int>(labels.size()));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto tab = static_cast<SideTab>(i);
    if (i > 0) ImGui::SameLine();
    if (choice_button(labels[i], edit.settings.side_tab == tab, width)) edit.settings.side_tab = tab;
    tab_areas_[i] = item_area();
  }
  imgui_compat::end_tab_stops();
  ImGui::End();
}

Area Application::build_panels(ShellEdit& edit) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const PanelNeeds needs = shown().panel_needs();
  choose_tab(needs, edit);
  LayoutOptions layout_options{.panels = options_.panels && edit.settings.show_panels,
                               .side_panel = edit.settings.show_side_panel,
                               .dock = needs.details_open || (needs.metrics && edit.settings.show_timing),
                               .tabs = needs.metrics,
                               .dock_tab = edit.settings.side_tab != SideTab::kMain};
  layout_options.lecture = is_lecture_mode(edit.settings);
  layout_options.strip = strip_shown();
  layout_options.strip_is_list = strip_ && strip_->shows_list();
  layout_options.strip_is_brief = layout_options.lecture && strip_ && strip_->is_brief();
  layout_options.editor = needs.has_editor || needs.covers_controls;
  layout_options.toolbar_rows = each_toolbar_group(size.x, [](glm::vec2, std::size_t, bool) {});
  layout_ = arrange({size.x, size.y}, ImGui::GetFontSize(), layout_options);
  // The tabs of a folded panel too: the command that shows one unfolds it.
  const bool is_folded = !layout_options.side_panel && layout_options.tabs &&
                         size.x - std::floor(kDockWidth * ImGui::GetFontSize()) < kPictureShare * size.x;
  if (layout_.tabs.empty() && !is_folded) {
    edit.settings.side_tab.reset();
  } else {
    last_tabs_[settings_.workspace] = *edit.settings.side_tab;
  }
  const Layout& layout = layout_;
  if (layout.menu.empty()) {
    if (options_.panels) build_picture_overlays(layout.picture, edit);
    return layout.picture;
  }

  // The frame begins with the background's colour, so panels draw none: that halves what a software
  // rasterizer fills.
  ImDrawList& ground = *ImGui::GetBackgroundDrawList();
  const bool has_controls = !needs.covers_controls;
  menu_bar_.draw(layout.menu, command_sources(),
                 [this] { documents_.each(&DocumentHandler::file_menu_items); });
  toolbar(layout.toolbar, edit);
  if (!layout.strip.empty()) {
    const Area& strip = layout.strip;
    ground.AddRectFilled(strip.corner, strip.end(), ImGui::GetColorU32(ImGuiCol_WindowBg));
    strip_->build(strip, edit);
  }
  Workspace& workspace = shown();
  if (has_controls) {
    side_tabs(needs, edit);
    if (!layout.controls.empty()) controls(layout.controls, edit);
    dock(edit);
  }
  WorkspaceStatus status = workspace.status();
  if (status.progress.what.empty()) status.progress = documents_.progress();
  // In a lecture only what can be cancelled covers the lower edge of the picture, as long as it runs.
  if (!layout.lecture || !status.progress.what.empty())
    status_line(layout.status, edit, status, cuda_,
                is_idle_ ? std::nullopt : std::optional(rate_.frames_per_second()));
  const Area picture = workspace.panels(layout);
  build_picture_overlays(picture, edit);
  return picture;
}

void Application::help(const Area& picture, ShellEdit& edit) {
  std::vector<OtherCommands> others;
  if (edit.settings.show_help) {
    for (const auto& workspace : workspaces_) {
      if (workspace.get() != &shown())
        others.push_back({workspace->info().label, workspace->commands().commands});
    }
  }
  help_.draw(picture, edit.settings.show_help, command_sources(), others, shown().info().gestures);
}

void Application::build_picture_overlays(const Area& picture, ShellEdit& edit) {
  // First, because the commands that it runs act below.
  if (const auto words = menu_bar_.draw_palette(picture, palette_sources())) documentation_.search(*words);
  if (edit.commands.pen) annotations_.toggle_pen();
  if (edit.commands.spotlight) annotations_.spotlight();
  annotations_.draw(picture);
  const PanelNeeds needs = shown().panel_needs();
  const std::array marked = {needs.marked, needs.legend, strip_shown() ? strip_->ring() : Area{}};
  if (!toasts_.draw(picture, needs.messages_at_top, marked)) edit.commands.dismiss = true;
  // Over a lesson and a map editor too.
  Area room = layout_.picture;
  if (!layout_.strip.empty()) room = {layout_.strip.corner, room.end() - layout_.strip.corner};
  // In a low window over the toolbar too.
  constexpr float kLeastStartScreen = 14;  // in font sizes
  if (room.size.y < kLeastStartScreen * ImGui::GetFontSize())
    room = {layout_.toolbar.corner, room.end() - layout_.toolbar.corner};
  // In a narrow window over the side panel too.
  constexpr float kWideStartScreen = 40;
  if (room.size.x < kWideStartScreen * ImGui::GetFontSize())
    room = {{0, room.corner.y}, {ImGui::GetIO().DisplaySize.x, room.size.y}};
  start_.draw(room, edit, edit.settings.show_start);
  help(picture, edit);
  if (edit.commands.documentation) documentation_.is_open() ? documentation_.close() : documentation_.open();
  if (edit.commands.documentation_page != nullptr) documentation_.open_page(edit.commands.documentation_page);
  const glm::vec2 below_menu{0, layout_.menu.size.y};
  documentation_.draw({below_menu, glm::vec2(ImGui::GetIO().DisplaySize) - below_menu});
  if (edit.commands.find_command) menu_bar_.open_palette();
  if (edit.commands.about) about_.open();
  about_.show();
  const auto answer = quit_dialog_.show(quit_dialog_.asked() ? unsaved_work() : QuitDialog::UnsavedWork{});
  if (answer == QuitDialog::Answer::kQuit) quit_ = true;
  if (answer == QuitDialog::Answer::kSave) save_and_quit(edit);
  documents_.each(&DocumentHandler::dialogs);
}

bool Application::scene_unsaved() const {
  const bool has_file = !documents_.file_name().empty();
  return undo_.modified() || (!has_file && undo_.has_scene_steps());
}

std::string Application::unsaved_scene() const {
  if (scene_problem_.empty() || !scene_unsaved()) return {};
  return "The scene is not saved and cannot be kept for the next start: " + scene_problem_;
}

void Application::set_scene_problem(std::string why) {
  scene_problem_ = std::move(why);
  if (!quit_ || unsaved_scene().empty()) return;
  quit_ = false;
  quit_dialog_.ask({});
}

std::string Application::unsaved() const {
  std::string all;
  for (const auto& workspace : workspaces_) {
    const std::string one = workspace->status().unsaved;
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  }
  for (const std::string& one : {unsaved_scene(), unfinished()})
    if (!one.empty()) all += (all.empty() ? "" : "\n") + one;
  return all;
}

QuitDialog::UnsavedWork Application::unsaved_work() const {
  const bool can_save = !unsaved_scene().empty() || std::ranges::any_of(workspaces_, [](const auto& one) {
    return !one->status().unsaved.empty();
  });
  return {unsaved(), can_save};
}

// Saves the unsaved work of the workspaces to files; if there is none, the scene. Running work of the
// documents completes without input.
void Application::save_and_quit(ShellEdit& edit) {
  quit_when_saved_ = true;
  bool is_scene = !unsaved_scene().empty();
  for (std::size_t i = 0; i < workspaces_.size(); ++i) {
    if (workspaces_[i]->status().unsaved.empty()) continue;
    is_scene = false;             // one dialog at a time
    edit.settings.workspace = i;  // a workspace must be shown to receive the result of its save
    if (auto request = workspaces_[i]->save(SavedPart::kUnsaved); request)
      documents_.each(&DocumentHandler::ask_for_file, *request);
  }
  const auto commands = documents_.commands();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    if (is_scene && std::string_view(commands[i].label) == kSaveSceneLabel) documents_.run(i);
  }
  if (!documents_.unsaved().empty())
    toasts_.show(Message::hint("The window closes after this: " + documents_.progress().what));
}

// Keeps the window open if a save or running work fails, or if the dialog is closed without a file.
void Application::quit_once_saved() {
  const bool failed = documents_.take_failure();
  if (!quit_when_saved_) return;
  if (!failed) {
    if (unsaved().empty()) {
      quit_ = true;
      return;
    }
    if (documents_.is_asking_for_file()) return;
  }
  const bool is_scene_lost = !unsaved_scene().empty() && !documents_.commands().empty() &&
                             documents_.unsaved().empty();  // else it may be being written
  quit_when_saved_ = !failed && !is_scene_lost && std::ranges::all_of(workspaces_, [](const auto& workspace) {
    const WorkspaceStatus status = workspace->status();
    return status.is_saving || status.unsaved.empty();
  });
  if (!quit_when_saved_) toasts_.show(Message::hint("The window stays open: not everything was saved"));
}

void Application::request_quit(std::optional<std::chrono::seconds> timeout) {
  // A second request quits without asking: another click on the close button, or a second SIGTERM.
  if (quit_dialog_.asked() || unsaved().empty()) {
    quit_ = true;
  } else {
    quit_dialog_.ask(timeout);
  }
}

}  // namespace loom::app
