#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gui.h"
#include "app/gui/input_queue.h"
#include "app/shell/document_handler.h"
#include "app/shell/frame_rate.h"
#include "app/shell/frame_times.h"
#include "app/shell/quit_dialog.h"
#include "app/shell/start_screen.h"
#include "app/shell/strip.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"
#include "app/widgets/control_marks.h"
#include "render/context/graphics_context.h"
#include "render/gl/gpu_timer.h"

namespace loom::app {

/// How a program without a person in front of it differs.
struct ApplicationOptions {
  bool panels = true;        ///< false: only the picture with its overlays
  bool waits = false;        ///< each frame waits for all of its work, however long
  bool is_pipelined = true;  ///< a device may begin the next frame's work before this frame is shown
  bool is_idle = false;      ///< frames come seldom while Application::rests()
};

/// The program behind the window and the screenshot; both call `frame()` repeatedly. It knows workspaces only
/// through the Workspace interface.
class Application {
 public:
  using Workspaces = std::vector<std::unique_ptr<Workspace>>;
  /// Makes the workspaces, in the order in which the window lists them, once there is a context to draw in.
  using MakeWorkspaces = std::function<Workspaces(const ShellServices&)>;

  /// `context` must outlive it. Throws what `make` throws, MachineError where the backend is not there, and
  /// std::runtime_error where OpenGL fails.
  Application(ShellSettings settings, render::GraphicsContext& context, const MakeWorkspaces& make,
              ApplicationOptions options = {});

  /// The cards of the start screen.
  void set_start_cards(std::vector<StartCard> cards) { start_cards_ = std::move(cards); }
  /// Sets the strip above the picture. Call once, before the first frame.
  void set_strip(std::unique_ptr<Strip> strip) { strip_ = std::move(strip); }
  /// A message for the user. One that speaks of a workspace is seen where that is.
  void show_message(Message message, std::optional<std::size_t> workspace = std::nullopt);
  /// In framebuffer pixels.
  render::Extent window_size() const { return context_.framebuffer_size(); }
  /// Sets the documents. Call once, before the first frame.
  void set_document_handler(std::unique_ptr<DocumentHandler> documents) { documents_ = std::move(documents); }
  ControlMarks& control_marks() { return marks_; }

  /// One frame of the workspace that is shown; another one, where it was chosen, is shown from the next frame
  /// on. A failed device throws DeviceFault: the program must end.
  void frame();
  /// Requests to close the window: it closes, or asks first if something would be lost; `timeout` as in
  /// QuitDialog.
  void request_quit(std::optional<std::chrono::seconds> timeout = std::nullopt);
  bool quit_requested() const { return quit_dialog_.asked(); }
  bool quit() const { return quit_; }

  /// True if there was no input for a while and nothing moves; frames may then be rare until something
  /// happens.
  bool is_idle() const { return is_idle_; }

  Workspace& shown() { return *workspaces_[settings_.workspace]; }
  const ShellSettings& settings() const { return settings_; }
  const FrameTimes& times() const { return times_; }
  /// The message that stays until it is closed: what went wrong; empty where there is none.
  const std::string& message() const { return toasts_.persistent().text; }
  /// Of the window: "sierpinski.loom* - Fractal Loom", with a star where the scene is another than its
  /// file's.
  const std::string& title() const { return title_; }
  UndoHistory& undo() { return undo_; }

  /// The state report of the program: of all workspaces and of the window.
  nlohmann::ordered_json state();

 private:
  template <typename Part>
  void if_memory_allows(std::size_t owner, const Part& part);
  void close_topmost();
  Area build_panels(ShellEdit& edit);
  void controls(const Area& area, ShellEdit& edit);
  void documents_row(ShellEdit& edit);
  void keyboard_navigation(bool begin);
  void focus_first();
  void dock(const LayoutOptions& layout_options, const ShellEdit& edit);
  void workspace_switch(ShellEdit& edit);
  void build_picture_overlays(const Area& picture, ShellEdit& edit);
  void press(const KeyPress& press, ShellEdit& edit);
  bool choose_card(const KeyPress& press, ShellEdit& edit);
  bool is_animating() const;
  void apply(const ShellEdit& edit);
  void begin_action();
  void record(const ShellSettings& before, const ShellSettings& after);
  void undo_or_redo(const ShellCommands& commands);
  std::string unsaved() const;
  QuitDialog::UnsavedWork unsaved_work() const;
  void save_and_quit(ShellEdit& edit);
  void quit_once_saved();
  void show_key_hint(const KeyPress& press);
  void update_title();
  std::vector<KeyHelp> all_keys() const;

  render::GraphicsContext& context_;
  ApplicationOptions options_;
  ShellSettings settings_;
  CudaStatus cuda_;
  BackendSelection backend_;
  std::vector<int> devices_;
  Gui gui_;
  FrameClock clock_;
  FrameTimes times_;
  FrameRate rate_;
  UndoHistory undo_;
  ShellServices services_;
  Workspaces workspaces_;
  Shortcuts<ShellEdit> shortcuts_;
  ControlMarks marks_;
  std::unique_ptr<Strip> strip_;
  std::unique_ptr<DocumentHandler> documents_;
  bool keyboard_navigation_ = false;  ///< keys move through the controls; Esc ends it
  bool keys_begin_ = false;           ///< keyboard control begins at the first control in the next frame
  bool popup_shown_ = false;          ///< a list or a dialog is open in this frame
  int popups_ = 0;                    ///< that were open at the end of the last frame
  render::GpuTimer panels_timer_;
  ShellEdit edit_;  ///< of the frame under way
  Layout layout_;   ///< of the previous frame
  Toasts toasts_;
  std::vector<StartCard> start_cards_;
  std::vector<Area> card_places_;
  std::optional<ShellSettings> undone_;  ///< what undoing makes of the settings, in the next frame
  bool mouse_was_down_ = false;
  QuitDialog quit_dialog_;
  bool quit_when_saved_ = false;  ///< once nothing would be lost any more
  bool quit_ = false;
  std::string title_;
  std::string titled_file_;  ///< file in `title_`
  bool titled_modified_ = false;
  FrameClock::Clock::time_point last_activity_ = FrameClock::Clock::now();  ///< when anything did last
  bool is_idle_ = false;                                                    ///< after the last frame
};

}  // namespace loom::app
