#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <glm/vec2.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/documentation/window/documentation_window.h"
#include "app/gui/gui.h"
#include "app/gui/input_queue.h"
#include "app/shell/annotations.h"
#include "app/shell/dialogs.h"
#include "app/shell/dock.h"
#include "app/shell/document_handler.h"
#include "app/shell/frame_times.h"
#include "app/shell/menu_bar.h"
#include "app/shell/start_screen.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"
#include "app/widgets/control_marks.h"
#include "render/context/graphics_context.h"
#include "render/gl/object.h"

namespace loom::app {

/// Options that differ between the interactive window and off-screen use.
struct ApplicationOptions {
  bool panels = true;        ///< false: only the picture and its overlays
  bool waits = false;        ///< each frame waits until all of its work is done
  bool is_pipelined = true;  ///< a device may begin the next frame's work before this frame is shown
  std::string version = {};  ///< of the program, for the About dialog
  bool is_idle = false;      ///< frames may be rare while Application::is_idle()
};

/// The program behind the window and the screenshot; both call `frame()` repeatedly. It knows workspaces only
/// through the Workspace interface.
class Application {
 public:
  using Workspaces = std::vector<std::unique_ptr<Workspace>>;
  /// Creates the workspaces, in the order in which the window lists them. Called once an OpenGL context
  /// exists.
  using MakeWorkspaces = std::function<Workspaces(const ShellServices&)>;

  /// `context` must outlive the application. Throws what `make` throws, MachineError if the backend is not
  /// available, and std::runtime_error if OpenGL fails.
  Application(ShellSettings settings, render::GraphicsContext& context, const MakeWorkspaces& make,
              ApplicationOptions options = {});

  /// For its cards and pictures.
  StartScreen& start_screen() { return start_; }
  /// Sets the strip above the picture. Call once, before the first frame.
  void set_strip(std::unique_ptr<Strip> strip) { strip_ = std::move(strip); }
  /// Shows a message to the user. A message that belongs to a workspace waits until that workspace is shown.
  void show_message(Message message, std::optional<std::size_t> workspace = std::nullopt);
  /// Call before another scene is opened, with the edit that opens it: ends a lesson, whose scenes would else
  /// return over it.
  void leave_lesson(ShellEdit& shell) {
    if (strip_) strip_->leave(shell);
  }
  /// In framebuffer pixels.
  glm::ivec2 window_size() const { return context_.framebuffer_size(); }
  /// To add handlers before the first frame.
  DocumentHandlerSet& documents() { return documents_; }
  ControlMarks& control_marks() { return marks_; }

  /// Runs one frame of the shown workspace; a switch of workspace takes effect in the next frame. If a device
  /// fails, throws DeviceFault, and the program must end.
  void frame();
  /// Requests to close the window. It closes at once, or asks first if something would be lost. `timeout` as
  /// in QuitDialog.
  void request_quit(std::optional<std::chrono::seconds> timeout = std::nullopt);
  bool quit_requested() const { return quit_dialog_.asked(); }
  bool quit() const { return quit_; }
  /// Files that are being written, which end with the window: "life.mp4 is not finished yet (20 %)".
  std::string unfinished() const { return documents_.unsaved(); }
  /// Whether the scene or a view was changed and no file has it.
  bool scene_unsaved() const;
  /// Sets why the scene cannot be kept for the next start; empty: it can. If it cannot and is not saved,
  /// quitting asks first, also a quit that was decided before this was known.
  void set_scene_problem(std::string why);
  const std::string& scene_problem() const { return scene_problem_; }

  /// True if there was no input for a while and nothing is animated; the caller may then draw frames rarely
  /// until the next event.
  bool is_idle() const { return is_idle_; }

  Workspace& shown() { return *workspaces_[settings_.workspace]; }
  const Workspace& shown() const { return *workspaces_[settings_.workspace]; }
  const Workspaces& workspaces() const { return workspaces_; }
  /// As in ShellSettings::workspace. The id must be that of a workspace.
  std::size_t index_of(std::string_view id) const;
  const ShellSettings& settings() const { return settings_; }
  const FrameTimes& times() const { return times_; }
  /// The message that stays until it is closed; empty if there is none.
  const std::string& message() const { return toasts_.persistent().text; }
  /// The window title: "sierpinski.loom* - Fractal Loom". The star marks a scene that differs from its file.
  const std::string& title() const { return title_; }
  UndoHistory& undo() { return undo_; }
  const UndoHistory& undo() const { return undo_; }

  /// The state report: all workspaces and the window.
  nlohmann::ordered_json state();

 private:
  enum class KeyArea { kNone, kToolbar, kPanel, kPicture, kEditor };

  template <typename Part>
  void if_memory_allows(std::size_t owner, const Part& part);
  void close_topmost();
  Area build_panels(ShellEdit& edit);
  void controls(const Area& area, ShellEdit& edit);
  void documents_row(ShellEdit& edit);
  /// F6: the keys go from the toolbar to the side panel, the picture, and the editor of code.
  void next_key_area();
  std::vector<CommandSource> palette_sources();
  void ring_control(ImDrawList& list);
  /// Whether the strip is shown: there is one, and the workspace does not take its place.
  bool strip_shown() const;
  /// Begins keyboard navigation in an area; kNone ends it.
  void keyboard_navigation(KeyArea begin);
  void focus_first(KeyArea area);
  void dock(const ShellEdit& edit);
  void fold_side_panel();
  void choose_tab(const PanelNeeds& needs, ShellEdit& edit);
  void side_tabs(const PanelNeeds& needs, ShellEdit& edit);
  void toolbar(const Area& area, ShellEdit& edit);
  void workspace_tabs(ShellEdit& edit);
  template <typename Group>
  int each_toolbar_group(float width, const Group& group) const;
  void build_picture_overlays(const Area& picture, ShellEdit& edit);
  void help(const Area& picture, ShellEdit& edit);
  void press(const KeyPress& press, ShellEdit& edit);
  bool is_animating() const;
  void apply(const ShellEdit& edit);
  void show_workspace(std::size_t workspace);
  void begin_action();
  void record(const ShellSettings& before, const ShellSettings& after);
  void undo_or_redo(const ShellCommands& commands);
  std::string unsaved_scene() const;
  std::string unsaved() const;
  QuitDialog::UnsavedWork unsaved_work() const;
  void save_and_quit(ShellEdit& edit);
  void quit_once_saved();
  void show_key_hint(const KeyPress& press);
  void update_title();
  using CommandSources = std::array<CommandSource, 4>;
  CommandSources command_sources();

  render::GraphicsContext& context_;
  ApplicationOptions options_;
  ShellSettings settings_;
  CudaStatus cuda_;
  BackendSelection backend_;
  std::vector<Device> devices_;
  Gui gui_;
  FrameClock clock_;
  FrameTimes times_;
  FrameRate rate_;
  UndoHistory undo_;
  ShellServices services_;
  Workspaces workspaces_;
  std::size_t previous_workspace_ = 1;
  Shortcuts<ShellEdit> shortcuts_;
  ControlMarks marks_;
  AboutDialog about_;
  documentation::DocumentationWindow documentation_;
  std::unique_ptr<Strip> strip_;
  DocumentHandlerSet documents_;
  bool keyboard_navigation_ = false;     ///< keys move through the controls; Esc ends this mode
  KeyArea key_area_ = KeyArea::kNone;    ///< where F6 has led
  KeyArea keys_begin_ = KeyArea::kNone;  ///< the next frame moves the keys to the first control there
  bool focus_editor_ = false;            ///< the next frame moves the keys to the editor of code
  /// A command of another workspace, which the palette found: it runs once that workspace is shown.
  std::optional<std::pair<std::size_t, std::size_t>> content_command_;
  std::optional<Control>
      ringed_;  ///< highlighted until the next time, unless a lesson highlights another one
  FrameClock::Clock::time_point ring_until_ = {};
  std::optional<Control> highlight_before_;  ///< of a lesson, while another control is ringed
  bool popup_shown_ = false;                 ///< a list or a dialog is open in this frame
  int popups_ = 0;                           ///< popups open at the end of the previous frame
  render::GpuTimer panels_timer_;
  ShellEdit edit_;  ///< edits of the current frame
  Layout layout_;   ///< of the previous frame
  MenuBar menu_bar_;
  HelpPanel help_;
  Annotations annotations_;
  Toasts toasts_;
  StartScreen start_;
  Area undo_area_ = {};                  ///< of the Undo button, for tests
  Area home_area_ = {};                  ///< of the button for the start screen, for tests
  std::array<Area, 3> tab_areas_ = {};   ///< of the side panel, for tests
  std::vector<SideTab> last_tabs_;       ///< of each workspace
  bool panel_has_room_ = true;           ///< as has_room_for_controls()
  bool panel_is_folded_ = false;         ///< since it has no room
  std::vector<bool> details_were_open_;  ///< of each workspace, when it was last shown
  std::optional<ShellSettings> undone_;  ///< settings restored by undo or redo, applied in the next frame
  bool mouse_was_down_ = false;
  QuitDialog quit_dialog_;
  bool quit_when_saved_ = false;  ///< quit as soon as nothing is unsaved
  bool quit_ = false;
  std::string scene_problem_;
  std::string title_;
  std::string titled_name_;  ///< of the scene in `title_`
  bool titled_modified_ = false;
  FrameClock::Clock::time_point last_activity_ = FrameClock::Clock::now();  ///< of animation or input
  bool is_idle_ = false;                                                    ///< as of the last frame
};

}  // namespace loom::app
