#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <glm/vec2.hpp>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/documentation/window/documentation_window.h"
#include "app/gui/gui.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/shell/dock.h"
#include "app/shell/document_handler.h"
#include "app/shell/frame_times.h"
#include "app/shell/shell_settings.h"
#include "app/shell/shortcuts.h"
#include "app/shell/toasts.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"
#include "app/widgets/control_marks.h"
#include "compute/device/device.h"
#include "render/colour_texture.h"
#include "render/context/graphics_context.h"
#include "render/gl/object.h"

namespace loom::app {

/// One choice of the start screen.
struct StartCard {
  std::string title;
  std::string text;  ///< one or two sentences
  std::function<void(ShellEdit&)> choose;
};

/// What the start screen shows first: a sentence, a moving picture of the given proportion (width over
/// height; higher where it is small), and one button.
struct StartIntroduction {
  std::string sentence;
  float proportion = 1;
  /// Draws into an area. `seconds`: since the screen was opened; frozen where animations are off.
  std::function<void(const Area&, double seconds)> draw;
  std::string button;
  std::string hint;
  std::function<void(ShellEdit&)> choose;
};

/// Width in font sizes from which the moving picture has its numbers beside each launch.
inline constexpr float kLaunchesInARow = 30;

/// A scene of the start screen's gallery.
struct StartPicture {
  std::string title;
  std::string hint;                    ///< one sentence
  std::span<const unsigned char> png;  ///< what the scene shows
  std::function<void(ShellEdit&)> choose;
};

/// The screen of a first visit: what the program is, cards, and a gallery of scenes.
class StartScreen {
 public:
  void set_introduction(StartIntroduction introduction) { introduction_ = std::move(introduction); }
  void set_cards(std::vector<StartCard> cards) { cards_ = std::move(cards); }
  void set_pictures(std::vector<StartPicture> pictures);
  /// Handles the keys that choose while the screen is shown: a digit for a card, arrows and Enter for any
  /// choice.
  bool press(const KeyPress& press, ShellEdit& edit);
  /// Draws over the picture, in one column if it is narrow. A choice sets `shown` to false.
  void draw(const Area& area, ShellEdit& edit, bool& shown);
  void add_state(nlohmann::ordered_json& json, bool shown) const;

 private:
  void load(glm::ivec2 size);
  void choose(std::size_t choice, ShellEdit& edit);
  void introduction(float width, ShellEdit& edit, bool& shown);
  void cards(float room, ShellEdit& edit, bool& shown);
  void gallery(float room, ShellEdit& edit, bool& shown);

  StartIntroduction introduction_;
  double opened_at_ = 0;  ///< ImGui's time; 0 while the screen is closed
  std::vector<StartCard> cards_;
  std::vector<StartPicture> pictures_;
  std::vector<render::ColourTexture> textures_;  ///< of pictures_
  glm::ivec2 size_{0};                           ///< of the textures
  std::optional<std::size_t> selected_;          ///< by arrow keys: a card, or a picture after the cards
  std::size_t columns_ = 1;                      ///< of the gallery
  bool cards_in_a_row_ = false;
  Area button_place_;  ///< for tests; the next two members too
  std::vector<Area> card_places_;
  std::vector<Area> picture_places_;
};

/// What a lecturer draws over the picture: strokes of a pen, and a spotlight under the cursor.
class Annotations {
 public:
  /// Takes the pen up, or puts it down; the strokes stay.
  void toggle_pen() { pen_ = !pen_; }
  bool pen() const { return pen_; }
  /// Shows the spotlight while its key is held. A tap, or a menu, switches it on or off.
  void spotlight();
  bool can_undo() const { return pen_ && !strokes_.empty(); }
  /// Removes the last stroke while the pen is in use; returns whether there was one.
  bool undo();
  /// Removes all strokes and the spotlight and puts the pen down; returns whether there was any of them.
  bool erase();
  /// Takes the mouse if the pen is in use, and draws over the picture.
  void draw(const Area& picture);
  void add_state(nlohmann::ordered_json& json) const;

 private:
  using Stroke = std::vector<glm::vec2>;  ///< in fractions of the picture
  void take_mouse(const Area& picture);
  void draw_strokes(const Area& picture) const;
  void draw_spotlight(const Area& picture) const;

  bool pen_ = false;
  bool drawing_ = false;  ///< the button is down
  bool spotlight_ = false;
  bool spotlight_held_ = false;    ///< until the key is released
  bool spotlight_was_on_ = false;  ///< when it was pressed
  double pressed_at_ = 0;          ///< ImGui's time
  std::vector<Stroke> strokes_;
};

/// The active backend: "CUDA: NVIDIA H200", "CPU: no NVIDIA GPU", "CPU: selected".
Text words_of(const BackendSelection& backend, const CudaStatus& cuda);

/// The status line: backend and display path with details in tooltips, background work with a Cancel button,
/// frames per second (nothing when idle), and links to lessons and keys.
void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second);

/// A modal dialog that asks whether to quit although something would be lost. It stays open until the user
/// answers or a timeout expires.
class QuitDialog {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Answer { kNone, kSave, kQuit, kCancel };

  /// What would be lost, and whether it can be saved.
  struct UnsavedWork {
    std::string text = {};  ///< description; empty: nothing is unsaved, and the dialog closes
    bool can_save = false;  ///< something can be saved to a file; else work only completes or is dropped
  };

  /// Opens the dialog. `timeout`: quits without an answer after this time, for a shutdown request while
  /// nobody is present; nothing: waits without limit.
  void ask(std::optional<std::chrono::seconds> timeout);
  void cancel_request();
  bool asked() const { return asked_; }
  /// True if the program quits without an answer when the timeout expires.
  bool has_timeout() const { return deadline_.has_value(); }

  /// While the dialog is open, Enter activates the focused button, Esc cancels, and Tab and the arrow keys
  /// move the focus. Returns whether the key was one of these. With a timeout, the dialog appears while the
  /// user works, so it takes no answer until keys and clicks have paused for half a second.
  bool press(const KeyPress& press);
  /// Draws the dialog; call in every frame. Returns the answer once. If nothing is unsaved any more, closes
  /// the dialog and returns kQuit if it had a timeout.
  Answer show(const UnsavedWork& unsaved_work);

  /// Label of the focused button, and areas of the buttons by label, for tests; empty while the dialog is
  /// closed. No button is focused while no answer is taken.
  std::string_view focused() const { return takes_answers() ? focused_label_ : std::string_view(); }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }

 private:
  static constexpr std::size_t kButtons = 3;
  struct Button {
    const char* label;
    Answer answer;
  };
  static std::array<Button, kButtons> buttons_for(const UnsavedWork& unsaved_work);
  Answer draw_buttons(const UnsavedWork& unsaved_work);
  bool takes_answers() const { return asked_ && Clock::now() >= takes_answers_at_; }

  bool asked_ = false;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point takes_answers_at_;
  std::size_t focus_ = 0;  ///< index of the button that Enter activates
  bool entered_ = false;
  std::string_view focused_label_;
  std::map<std::string, Area, std::less<>> areas_;
};

/// The versions of the program and its libraries, and the devices that it found.
class AboutDialog {
 public:
  AboutDialog(const std::string& version, const CudaStatus& cuda, const render::GlInfo& opengl);
  void open() { begin_ = true; }
  /// Draws the dialog while it is open.
  void show();

 private:
  std::vector<std::pair<std::string, std::string>> rows_;  ///< name, value
  std::map<std::string, Area, std::less<>> areas_;
  bool begin_ = false;
};

/// The menu bar at the top of the window, and the command palette over the same commands. Menus list the
/// commands source by source, with a line between two sources.
class MenuBar {
 public:
  /// Draws the bar in `area`. `file_items` draws what the File menu has besides commands.
  void draw(const Area& area, std::span<const CommandSource> sources,
            const std::function<void()>& file_items);
  /// Opens the palette with the next draw_palette().
  void open_palette() { palette_requested_ = true; }
  /// Draws the palette over `area` while it is open: a text filters the commands, Enter runs the selected
  /// one. Returns words that no command has, once they are to be searched for in the documentation.
  std::optional<std::string> draw_palette(const Area& area, std::span<const CommandSource> sources);

  /// Whether the palette is open or opens in this frame.
  bool palette_shown() const { return palette_requested_ || palette_open_; }

  void add_state(nlohmann::ordered_json& json) const;

 private:
  struct Place {
    std::string name;  ///< "File/Open...", "View/Window/Metrics"
    Area area;
  };
  void menu(Menu which, const std::string& path, std::span<const CommandSource> sources,
            const std::function<void()>& file_items);
  std::optional<std::string> palette_rows(std::span<const CommandSource> sources);

  bool palette_requested_ = false;
  bool palette_open_ = false;
  std::string filter_;
  int selected_ = 0;                             ///< row of the palette
  std::array<Area, kMenus.size()> titles_ = {};  ///< places, for tests; the next member too
  std::vector<Place> items_;                     ///< of the open menu
};

/// Whether every word of `filter` occurs in the menu, the label, the meaning or the keys of a command;
/// letters of either case.
bool matches(const Command& command, std::string_view filter);

/// The commands of a workspace that is not shown.
struct OtherCommands {
  const char* workspace;
  std::span<const Command> commands;
};

/// The list of all keys and mouse gestures, grouped by menu, with a field that filters it.
class HelpPanel {
 public:
  /// Draws the list over the middle of `area`. Closing it sets `shown` to false.
  void draw(const Area& area, bool& shown, std::span<const CommandSource> sources,
            std::span<const OtherCommands> others, std::span<const KeyHelp> gestures);
  /// Gives the field the keyboard focus in the next frame that is drawn.
  void focus_search() { focuses_search_ = true; }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  struct Row {
    const char* keys;
    std::string meaning;
  };
  /// The rows of one menu, of the mouse, or of a workspace that is not shown.
  struct Group {
    std::string title;
    std::vector<Row> rows;
  };
  void fill(std::span<const CommandSource> sources, std::span<const OtherCommands> others,
            std::span<const KeyHelp> gestures);
  void groups(bool two_columns) const;

  bool was_shown_ = false;
  bool focuses_search_ = false;
  std::string filter_;
  std::vector<Group> groups_;
};

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
