#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/shell/shell_settings.h"
#include "render/colour_texture.h"

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

}  // namespace loom::app
