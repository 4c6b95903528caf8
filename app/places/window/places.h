#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/places/window/places_stage.h"
#include "app/shell/documents.h"
#include "app/shell/worker.h"
#include "render/colour_texture.h"

namespace loom::app::places {

/// The user's bookmarks with thumbnails: add, go to, delete; coordinates are typed, copied and pasted.
class Places final : public Documents {
 public:
  explicit Places(std::unique_ptr<PlacesStage> stage);
  /// Loads the saved bookmarks; changes are saved from now on.
  void load();

  void begin(ShellEdit& shell) override;
  bool press(const KeyPress& press) override;
  std::span<const KeyHelp> keys() const override { return keys_.help(); }
  bool takes(const std::filesystem::path& file) const override;
  void dropped(const std::filesystem::path& file) override { file_ = file; }
  void button(float) override {}
  void notice() override {}
  void dialogs() override;
  void drawn(const DrawnFrame& frame) override;
  bool dialog_open() const override { return open_; }
  Progress progress() const override { return {}; }
  void cancel() override {}
  Message take_message() override { return std::exchange(message_, {}); }
  void add_state(nlohmann::ordered_json& json) override;
  /// Called when the window ends: saves what is not saved yet. Returns an error message, empty on success.
  std::string finish();
  /// Its items in the File menu.
  void menu_items();

  const std::vector<scene::Bookmark>& all() const { return places_; }
  /// Adds the bookmarks of an opened scene.
  void add_of_scene(const std::vector<scene::Bookmark>& places);

 private:
  enum class Wish { kNone, kOpen, kAdd, kCopyCommand };
  struct Shown {
    render::ColourTexture picture;
    bool uploaded = false;
  };
  void act(ShellEdit& shell);
  void go_to_text(const std::string& text, ShellEdit& shell);
  void coordinates_rows();
  void place_list();
  bool place_row(std::size_t number, float width);
  void keep();
  void kept();

  std::unique_ptr<PlacesStage> stage_;
  Shortcuts<Wish> keys_;
  Wish wish_ = Wish::kNone;
  bool begin_ = false;
  bool open_ = false;
  bool to_picture_ = false;  ///< make a bookmark from the next frame
  bool paste_ = false;       ///< go to the position in the clipboard
  std::optional<std::size_t> go_;
  std::optional<std::size_t> forget_;  ///< delete it after this frame
  std::optional<std::string> go_text_;
  std::optional<std::filesystem::path> file_;  ///< a dropped file
  std::vector<scene::Bookmark> places_;
  std::vector<Shown> shown_;
  std::string name_;
  std::string coordinates_;
  bool typing_ = false;  ///< coordinates are being edited
  std::string problem_;
  std::string said_;
  Message message_;
  bool shows_dwells_ = false;
  std::map<std::string, Area, std::less<>> areas_;

  bool keeps_ = false;
  bool to_keep_ = false;
  bool failed_ = false;                  ///< the last attempt to save failed
  std::vector<scene::Bookmark> before_;  ///< content of the file when last read or written
  std::vector<scene::Bookmark> kept_;    ///< its new content; used by the worker while busy
  std::string keep_problem_;             ///< used by the worker while busy
  Worker worker_;                        ///< last member: must end before the members it uses
};

}  // namespace loom::app::places
