#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/image/image.h"
#include "app/document/scene/window/scene_files.h"
#include "app/gui/layout.h"
#include "app/shell/document_handler.h"
#include "app/tasks/task.h"
#include "render/png.h"

namespace loom::app::image {

/// Base of the dialogs that export the scene to a file. The data is copied first, so that the window can
/// continue; the work runs in the background.
class SaveDialog : public DocumentHandler {
 public:
  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override { return keys_.press(press, open_requested_); }
  std::span<const Command> commands() const override { return keys_.commands(); }
  void run(std::size_t command) override { keys_.run(command, open_requested_); }
  void notice() override {}
  void dialogs() override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override;
  void cancel() override { task_.cancel(); }
  std::string unsaved() const override;
  bool take_failure() override { return std::exchange(failed_, false); }
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;

 protected:
  struct Labels {
    const char* title;  ///< "Export video"
    const char* key;    ///< "Ctrl Shift F"
    const char* help;   ///< help text of the key
    const char* what;   ///< "video"
    const char* verb;   ///< button label: "Export"
    const char* doing;  ///< "exporting"
    const char* state;  ///< key in the state trace
  };
  enum class Phase { kNothing, kWaiting, kCopying, kWorking };

  /// `source` must outlive it.
  SaveDialog(const Labels& words, const KeyMatcher& key, scene::SceneSource& source);

  /// Called when the dialog opens. Returns a suggested file name.
  virtual std::string on_open() = 0;
  /// Draws the rows above the file name.
  virtual void rows() = 0;
  /// Tooltip of the file name: the allowed names.
  virtual std::string name_hint() const = 0;
  /// Why the button is disabled; empty if it is enabled.
  virtual std::string disabled_reason() const { return {}; }
  /// Note below the buttons.
  virtual std::string remark() const = 0;
  /// Throws InputError if the file cannot be created with these settings.
  virtual void check() const = 0;
  /// Called when the button was pressed and check() passed; must lead to copy_data().
  virtual void start() = 0;
  /// Called when the data of the scene given to copy_data() is copied; must lead to work().
  virtual void on_data_copied(scene::Scene scene) = 0;

  /// Ends the export with a message.
  void abort_save(Message message);
  /// Copies the data of a scene from SceneSource::describe().
  void copy_data(scene::Scene described);
  /// Runs the job in the background; its result is appended to "saved FILE". The job must not touch the
  /// dialog.
  void work(std::function<std::string(ProgressMonitor&)> job);

  /// The absolute path of the typed name.
  const std::string& file() const { return file_; }
  scene::SceneSource& source() const { return source_; }
  Workspace& workspace() const { return source_.application().shown(); }
  std::map<std::string, Area, std::less<>>& areas() { return areas_; }
  Phase phase_ = Phase::kNothing;

 private:
  void name(std::string typed);
  void buttons(bool entered);
  void press_button();
  void take();

  Labels labels_;
  std::string menu_label_;  ///< "Export video..."
  scene::SceneSource& source_;
  scene::Scene described_;  ///< the scene whose data is copied
  Shortcuts<bool> keys_;
  bool open_requested_ = false;  ///< open the dialog in the next frame
  bool begin_ = false;
  bool open_ = false;
  std::string typed_;  ///< file name as typed
  std::string file_;   ///< absolute path
  std::string suggested_;
  std::string file_in_progress_;  ///< file being written; the dialog may have another name meanwhile
  bool file_exists_ = false;
  std::string problem_;
  bool failed_ = false;  ///< the last export failed or was cancelled
  Message message_;
  std::string done_;
  std::map<std::string, Area, std::less<>> areas_;
  Task<std::string> task_;  ///< returns what follows the file's name in the message
};

/// A copy of ImGui's drawing over a part of the window (grids, regions, orbits, legend), which any thread can
/// render at any size. Lines and text scale. Textures other than the font are left out.
class Overlay {
 public:
  /// Copies the draw lists of the last rendered frame: the background and the windows that belong to a
  /// picture, without dialogs, messages and tooltips.
  Overlay(const ImDrawData& drawn, ImFontAtlas& atlas, const Area& part);

  const Area& part() const { return part_; }
  /// Blends rows, rendered at `scale` pixels per unit, over `rgb`, which is `width` pixels wide.
  void blend(float scale, int width, int first_row, int count, std::vector<std::uint8_t>& rgb) const;

 private:
  struct Command {
    glm::vec4 clip{0};  ///< x0, y0, x1, y1 in units
    std::size_t first = 0;
    std::size_t count = 0;    ///< number of indices
    std::size_t texture = 0;  ///< index into glyphs_
  };
  /// The alpha channel of a font texture, row by row; empty if it cannot be read.
  struct Glyphs {
    glm::ivec2 size{0};
    std::vector<std::uint8_t> alpha = {};
    float coverage(glm::vec2 uv) const;
  };
  struct Canvas;
  void triangle(const Canvas& canvas, const Command& command, const ImDrawVert* const (&corners)[3]) const;

  Area part_;
  std::vector<ImDrawVert> vertices_;
  std::vector<std::uint32_t> indices_;
  std::vector<Command> commands_;
  std::vector<Glyphs> glyphs_;
};

/// An image inside a larger one, with the overlay around and over it.
class FramedRows final : public ImageRows {
 public:
  /// `picture` is drawn at `at` in an image of `size` with background `ground`. Both must outlive this
  /// object.
  FramedRows(ImageRows& picture, const Overlay& overlay, float scale, glm::ivec2 size, render::Rect<int> at,
             std::uint32_t background);
  glm::ivec2 size() const override { return size_; }
  void rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) override;

 private:
  ImageRows& picture_;
  const Overlay& overlay_;
  float scale_;
  glm::ivec2 size_{0};
  render::Rect<int> at_;
  std::uint32_t background_;  ///< as ImU32
  std::vector<std::uint8_t> inner_;
};

/// The dialog that saves an image of the window as PNG, at any size.
class SaveImage final : public SaveDialog {
 public:
  explicit SaveImage(scene::SceneSource& source);

  void begin(ShellEdit& shell) override;
  void on_frame_rendered(const RenderedFrame& frame) override;
  void cancel() override;

 private:
  /// The specification of an image, once it is complete.
  struct Job {
    std::string file;
    glm::ivec2 size{0};
    bool overlays = true;
    bool closed = false;        ///< a frame without the dialog has started
    bool as_on_screen = false;  ///< overlays at screen size: copy the framebuffer
    std::shared_ptr<const Overlay> overlay = {};
    std::optional<render::RgbImage> screen = {};
    Area area = {};          ///< of the picture, in ImGui units
    float screen_scale = 1;  ///< framebuffer pixels per unit
    float scale = 1;         ///< pixels per unit, with overlays
    std::uint32_t background = 0;
  };

  std::string on_open() override;
  void rows() override;
  std::string name_hint() const override { return file(); }
  std::string disabled_reason() const override;
  std::string remark() const override;
  void check() const override;
  void start() override;
  void on_data_copied(scene::Scene scene) override;
  /// What of the picture is in the image.
  std::string content_text() const;
  /// Whether the image has the overlays that are chosen: with several panes only at screen size.
  bool has_overlays() const;
  /// Pixels, bytes and the time of the chosen size.
  std::string cost_text() const;
  void size_rows();
  void over_row();
  std::optional<glm::ivec2> chosen_size() const;
  static std::uint64_t run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                           ProgressMonitor& watch);

  std::size_t size_ = 0;  ///< index of the choice
  std::string other_size_ = "3840x2160";
  bool overlays_ = true;
  std::optional<Job> job_;
};

}  // namespace loom::app::image
