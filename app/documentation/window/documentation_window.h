#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/documentation/page.h"
#include "app/gui/input_queue.h"
#include "app/gui/layout.h"
#include "app/tasks/task.h"
#include "render/colour_texture.h"

namespace loom::app::documentation {

/// The documentation in a window: contents or search hits at the left, a page at the right.
class DocumentationWindow {
 public:
  void open();
  /// Opens it with the pages that have these words.
  void search(std::string_view words);
  /// Opens a page of the documentation, "docs/how-to/teach-with-lessons.md#during-a-lesson".
  void open_page(std::string_view link);
  void close() { open_ = false; }
  /// Gives the search field the keyboard focus in the next frame that is drawn.
  void focus_search() { focuses_search_ = true; }
  bool is_open() const { return open_; }
  /// A picture of the page is being loaded.
  bool is_loading() const { return open_ && loading_.running(); }
  /// Handles all keys without Ctrl while the window is open, except the function keys: some scroll the page,
  /// go back or close the window.
  bool press(const KeyPress& press);
  /// Draws the window over `area` while it is open.
  void draw(const Area& area);
  /// What a click copied to the clipboard: "docs/results.md"; empty if nothing.
  std::string take_copied() { return std::exchange(copied_, {}); }
  void add_state(nlohmann::ordered_json& json) const;

 private:
  /// A visited page.
  struct Visit {
    std::size_t page = 0;
    float scroll = 0;
  };
  void go(std::size_t page, std::optional<std::size_t> block = std::nullopt);
  void go_back(int steps);
  void follow(std::string_view link);
  void bar(bool narrow);
  void contents();
  void hits();
  void page(float width);
  void runs(glm::vec2 corner, float top, float height);
  void picture(const PicturePlace& place, const Area& area);
  void take_picture();
  void copy_buttons(glm::vec2 corner);

  /// A picture that was loaded in a size, by its page and its link.
  struct Picture {
    glm::ivec2 size{0};
    render::ColourTexture texture;
  };
  using PictureKey = std::pair<std::size_t, int>;

  Library library_;
  bool open_ = false;
  bool focuses_search_ = false;
  bool shows_contents_ = true;  ///< in a narrow window, in place of the page
  std::vector<Visit> visits_;
  std::size_t visit_ = 0;  ///< the shown one
  std::string words_;      ///< of the search
  std::vector<SearchHit> hits_;
  PageLayout layout_;
  std::optional<std::size_t> laid_out_;  ///< the page of layout_
  float laid_out_width_ = 0;
  float laid_out_font_ = 0;
  std::optional<std::size_t> to_block_;  ///< scrolls there when the page is laid out
  std::optional<float> to_scroll_;
  float scrolled_ = 0;     ///< of the last frame
  float page_height_ = 0;  ///< visible part
  int hovered_link_ = -1;
  std::string copied_;
  std::map<PictureKey, Picture> pictures_;
  std::size_t pictures_shown_ = 0;  ///< of the last frame
  Task<std::vector<std::uint32_t>> loading_;
  PictureKey loading_key_;
  glm::ivec2 loading_size_{0};
  Area first_link_ = {};  ///< places for tests; the next members too
  Area search_ = {};
  std::vector<Area> hit_places_;
};

}  // namespace loom::app::documentation
