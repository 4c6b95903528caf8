#include "app/document/image/window/save_image.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <string_view>

#include "app/document/scene/scene.h"
#include "app/files/file_kind.h"
#include "app/files/output_file.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/shell/shortcuts.h"
#include "app/text/format.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "compute/core/error.h"
#include "render/palette.h"

namespace loom::app::image {
namespace {

/// A choice of the size: `times` the size on screen, `pixels`, or neither: a typed size.
struct SizeChoice {
  const char* label;
  int times;
  glm::ivec2 pixels;
  const char* hint;
};
constexpr std::array kSizes = {
    SizeChoice{"screen", 1, {0, 0}, "Size on screen"},
    SizeChoice{"2×", 2, {0, 0}, "Twice the size on screen"},
    SizeChoice{"4×", 4, {0, 0}, "Four times the size on screen"},
    SizeChoice{"1080p", 0, {1920, 1080}, "1920 × 1080"},
    SizeChoice{"4K", 0, {3840, 2160}, "3840 × 2160"},
    SizeChoice{"8K", 0, {7680, 4320}, "7680 × 4320"},
    SizeChoice{"16384²", 0, {16384, 16384}, "16384 × 16384: every cell of a gasket at level 14"},
    SizeChoice{"other", 0, {0, 0}, "Type the size below"},
};
constexpr std::size_t kScreen = 0;
constexpr std::size_t kOther = kSizes.size() - 1;

/// "3840x2160"; nothing for anything else, or sides outside 1 .. kMostSide.
std::optional<glm::ivec2> read_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto side = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 1 || value > kMostSide)
      return std::nullopt;
    return value;
  };
  const auto width = side(text.substr(0, cross));
  const auto height = side(text.substr(cross + 1));
  if (!width || !height) return std::nullopt;
  return glm::ivec2{*width, *height};
}

/// Copies a part of an image.
render::RgbImage cut(const render::RgbImage& image, const render::Rect<int>& part) {
  render::RgbImage result{part.size, {}};
  for (int y = part.corner.y; y < part.end().y; ++y) {
    const auto at = image.rgb.begin() + (static_cast<std::ptrdiff_t>(y) * image.size.x + part.corner.x) * 3;
    result.rgb.insert(result.rgb.end(), at, at + static_cast<std::ptrdiff_t>(part.size.x) * 3);
  }
  return result;
}

}  // namespace

SaveImage::SaveImage(scene::SceneSource& source)
    : SaveDialog({.title = "Save image",
                  .key = "F12",
                  .help = "save an image of any size",
                  .what = "image",
                  .verb = "Save",
                  .doing = "drawing",
                  .state = "save_picture"},
                 key(GLFW_KEY_F12), source) {}

std::string SaveImage::on_open() {
  return plain_file_name(workspace().state(StateNeed::kDescribed)->file_stem()) + ".png";
}

void SaveImage::rows() {
  size_rows();
  over_row();
}

std::string SaveImage::remark() const {
  return content_text() + cost_text() +
         "Renders in the background. The image contains its scene and can be opened.";
}

// Several panes are copied from the screen; everything else is one picture, drawn anew.
std::string SaveImage::content_text() const {
  const bool panes = workspace().status().has_secondary_panes;
  std::string text = panes && has_overlays() ? "All panes with their overlays, as on screen. "
                     : panes                 ? "The active pane alone, without overlays. "
                     : has_overlays()        ? "The picture with its overlays and legend. "
                                             : "The picture without overlays and legend. ";
  if (has_overlays()) return text;
  const std::string left_out = workspace().state(StateNeed::kDescribed)->overlays_left_out();
  return left_out.empty() ? text : text + left_out + " are overlays and are left out. ";
}

bool SaveImage::has_overlays() const {
  return overlays_ && (size_ == kScreen || !workspace().status().has_secondary_panes);
}

std::optional<glm::ivec2> SaveImage::chosen_size() const {
  const glm::ivec2 screen =
      glm::max(to_pixels(workspace().picture_area().size, workspace().picture_scale()), 1);
  if (size_ == kOther) return read_size(other_size_);
  return kSizes[size_].times > 0 ? screen * kSizes[size_].times : kSizes[size_].pixels;
}

// The rows are written in bands, so that a large image needs no more memory than a small one.
std::string SaveImage::cost_text() const {
  const auto size = chosen_size();
  if (!size || size_ == kScreen) return {};
  const double pixels = static_cast<double>(size->x) * size->y;
  constexpr double kBytes = 3;
  const Text bytes = format_bytes(static_cast<std::uint64_t>(kBytes * pixels));
  std::string text = fmt::format("{} × {} pixels, at most {}", size->x, size->y, std::string_view(bytes));
  constexpr double kLong = 2;  // seconds
  const double seconds = pixels * workspace().status().pixel_ms / 1000;
  if (seconds >= 120) {
    text += fmt::format(", about {:.0f} minutes", seconds / 60);
  } else if (seconds >= kLong) {
    text += fmt::format(", about {:.0f} seconds", seconds);
  }
  return text + ". ";
}

std::string SaveImage::disabled_reason() const {
  const auto size = chosen_size();
  if (!size || size->x > kMostSide || size->y > kMostSide)
    return fmt::format("Type a size as WIDTHxHEIGHT, with sides from 1 to {}", kMostSide);
  return {};
}

void SaveImage::size_rows() {
  constexpr std::size_t kInRow = kSizes.size() / 2;
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    i % kInRow == 0 ? row_label(i == 0 ? "Size" : "") : ImGui::SameLine();
    if (choice_button(kSizes[i].label, size_ == i, equal_width(static_cast<int>(kInRow - i % kInRow)), {},
                      kSizes[i].hint))
      size_ = i;
    areas()[kSizes[i].label] = item_area();
  }
  if (size_ == kOther) {
    row_label("");
    ImGui::SetNextItemWidth(remaining_width());
    ImGui::InputText("##size", &other_size_);
    areas()["size"] = item_area();
  }
}

void SaveImage::over_row() {
  row_label("Overlays");
  const float half = equal_width(2);
  const std::string multiple_panes =
      size_ != kScreen && workspace().status().has_secondary_panes
          ? "Panes and overlays are saved at screen size. Another size has the active pane alone"
          : std::string();
  if (choice_button("on", has_overlays(), half, multiple_panes,
                    "Includes grids, regions, orbits and the legend. In a larger image they are enlarged."))
    overlays_ = true;
  areas()["with"] = item_area();
  ImGui::SameLine();
  if (choice_button("off", !has_overlays(), remaining_width(), {}, "The picture alone")) overlays_ = false;
  areas()["without"] = item_area();
}

void SaveImage::check() const {
  if (lower_extension(file()) != ".png") throw InputError("the name does not end with .png; allowed: .png");
}

void SaveImage::start() {
  Job job{.file = file(), .size = *chosen_size(), .overlays = has_overlays()};
  job.as_on_screen = job.overlays && size_ == kScreen;
  job_ = std::move(job);
  phase_ = Phase::kWaiting;
}

// Captures the overlays from a frame without the dialog.
void SaveImage::on_frame_rendered(const RenderedFrame& frame) {
  if (phase_ != Phase::kWaiting) return;
  Job& job = *job_;
  if (!std::exchange(job.closed, true)) return;  // this frame still contains the dialog
  if (job.as_on_screen && !frame.is_picture_unobstructed) return;
  job.area = workspace().picture_area();
  job.screen_scale = workspace().picture_scale();
  job.background = ImGui::GetColorU32(theme::colours().background);
  scene::Scene scene = source().describe(StateNeed::kExactView);
  if (job.as_on_screen) {
    const float scale = job.screen_scale;
    const glm::ivec2 size = frame.context.framebuffer_size();
    render::Rect<int> part{to_pixels(frame.picture.corner, scale), to_pixels(frame.picture.size, scale)};
    part.size = glm::min(part.size, size - part.corner);
    if (part.empty()) {
      return abort_save(Message::warning("There is no picture to save because the window is too small"));
    }
    job.screen = cut(render::read_framebuffer(frame.context.framebuffer(), size), part);
  } else if (job.overlays) {
    // What the proportions of the chosen size add around the picture is background.
    const glm::vec2 size(job.size);
    Area part = frame.picture;
    job.scale = std::min(size.x / part.size.x, size.y / part.size.y);
    part.corner -= (size / job.scale - part.size) / 2.0f;
    part.size = size / job.scale;
    job.overlay = std::make_shared<const Overlay>(*ImGui::GetDrawData(), *ImGui::GetIO().Fonts, part);
  }
  copy_data(std::move(scene));
}

void SaveImage::begin(ShellEdit& shell) {
  SaveDialog::begin(shell);
  if (phase_ != Phase::kWaiting) return;
  shell.commands.close_overlays = true;
  shell.commands.hide_insets = job_->overlays && !job_->as_on_screen;
}

std::uint64_t SaveImage::run(const Job& job, const scene::Scene& scene, const BackendSelection& backend,
                             ProgressMonitor& watch) {
  // Only the rows report progress; the work before them can only be cancelled.
  const ProgressScope call(&watch, 1);
  const auto written = [&](ImageRows& rows) {
    const std::string stored = scene::bytes_of(scene, &watch);
    std::uint64_t bytes = 0;
    call.part(1, [&] { bytes = write_image(job.file, rows, stored, &watch); });
    return bytes;
  };
  if (job.screen) {
    StoredRows rows(*job.screen);
    return written(rows);
  }
  const auto renderer = [&](glm::ivec2 size, bool coloured) {
    return scene.shown().renderer({.size = size,
                                   .backend = backend,
                                   .palette = scene.palette,
                                   .custom_palettes = scene.custom_palettes,
                                   .coloured = coloured,
                                   .on_screen = glm::dvec2(job.area.size)},
                                  &watch);
  };
  if (!job.overlay) return written(renderer(job.size, false)->rows());
  const Area& part = job.overlay->part();
  const Area& area = job.area;
  render::Rect<int> at{glm::max(to_pixels(area.corner - part.corner, job.scale), 0), {}};
  at.size = glm::clamp(to_pixels(area.size, job.scale), glm::ivec2(1), job.size - at.corner);
  // A camera shows more at both sides; the height, the shorter side, decides the scale.
  if (scene.shown().has_turntable() && at.size.x >= at.size.y)
    at = {{0, at.corner.y}, {job.size.x, at.size.y}};
  const auto picture = renderer(at.size, true);
  FramedRows framed(picture->rows(), *job.overlay, job.scale, job.size, at, job.background);
  return written(framed);
}

void SaveImage::on_data_copied(scene::Scene scene) {
  work([job = std::make_shared<const Job>(std::move(*job_)),
        scene = std::make_shared<const scene::Scene>(std::move(scene)),
        backend = source().backend()](ProgressMonitor& watch) {
    return fmt::format(": {}", describe_bytes(run(*job, *scene, backend, watch)));
  });
  job_.reset();
}

void SaveImage::cancel() {
  SaveDialog::cancel();
  if (phase_ == Phase::kWaiting) phase_ = Phase::kNothing;
}

namespace {

bool belongs_to_picture(const char* owner) {
  constexpr std::array<std::string_view, 6> kOwners = {"##Background", "##legend", "##dwells",
                                                       "##pane ",      "##wrong",  "##pen"};
  const std::string_view name = owner == nullptr ? "" : owner;
  return std::ranges::any_of(kOwners, [&](std::string_view one) { return name.starts_with(one); });
}

float edge(glm::vec2 a, glm::vec2 b, glm::vec2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Top-left rule: a pixel on an edge shared by two triangles belongs to exactly one of them.
bool takes_edge(glm::vec2 a, glm::vec2 b) {
  return a.y != b.y ? b.y < a.y : b.x > a.x;
}

std::uint8_t part_of(std::uint32_t colour, int shift) {
  return static_cast<std::uint8_t>(colour >> shift & 255);
}

}  // namespace

/// The band of rows being drawn.
struct Overlay::Canvas {
  float scale = 1;
  int width = 0;
  int first_row = 0;
  int count = 0;
  std::uint8_t* rgb = nullptr;
};

Overlay::Overlay(const ImDrawData& drawn, ImFontAtlas& atlas, const Area& part) : part_(part) {
  std::vector<imgui_compat::FontTexture*> textures;
  for (int i = 0; i < drawn.CmdListsCount; ++i) {
    const ImDrawList& list = *drawn.CmdLists[i];
    if (!belongs_to_picture(list._OwnerName)) continue;
    const auto first_vertex = static_cast<std::uint32_t>(vertices_.size());
    vertices_.insert(vertices_.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback != nullptr) continue;
      imgui_compat::FontTexture* const texture = imgui_compat::font_texture(command, atlas);
      if (texture == nullptr) continue;
      const auto known = std::ranges::find(textures, texture);
      const auto number = static_cast<std::size_t>(known - textures.begin());
      if (known == textures.end()) textures.push_back(texture);
      commands_.push_back({command.ClipRect, indices_.size(), command.ElemCount, number});
      for (unsigned at = 0; at < command.ElemCount; ++at) {
        indices_.push_back(first_vertex + command.VtxOffset +
                           list.IdxBuffer[static_cast<int>(command.IdxOffset + at)]);
      }
    }
  }
  for (imgui_compat::FontTexture* const texture : textures) {
    Glyphs& glyphs = glyphs_.emplace_back();
    glyphs.alpha = imgui_compat::alpha_of(*texture, glyphs.size.x, glyphs.size.y);
  }
}

// Bilinear filtering as in OpenGL, with clamping at the edges.
float Overlay::Glyphs::coverage(glm::vec2 uv) const {
  if (alpha.empty()) return 1;
  const glm::vec2 place = uv * glm::vec2(size) - 0.5f;
  const glm::vec2 corner = glm::floor(place);
  const auto texel = [&](int right, int down) {
    const glm::ivec2 at = glm::clamp(glm::ivec2(corner) + glm::ivec2{right, down}, glm::ivec2(0), size - 1);
    return static_cast<float>(alpha[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(size.x) +
                                    static_cast<std::size_t>(at.x)]);
  };
  const glm::vec2 share = place - corner;
  const float above = std::lerp(texel(0, 0), texel(1, 0), share.x);
  const float below = std::lerp(texel(0, 1), texel(1, 1), share.x);
  return std::lerp(above, below, share.y) / 255;
}

void Overlay::triangle(const Canvas& canvas, const Command& command,
                       const ImDrawVert* const (&corners)[3]) const {
  const Glyphs& glyphs = glyphs_[command.texture];
  std::array<glm::vec2, 3> at;
  for (std::size_t i = 0; i < 3; ++i) at[i] = (glm::vec2(corners[i]->pos) - part_.corner) * canvas.scale;
  std::array<std::size_t, 3> order = {0, 1, 2};
  float area = edge(at[0], at[1], at[2]);
  if (area == 0 || !std::isfinite(area)) return;
  if (area < 0) {
    std::swap(order[1], order[2]);
    area = -area;
  }
  const std::array<glm::vec2, 3> p = {at[order[0]], at[order[1]], at[order[2]]};
  const std::array<const ImDrawVert*, 3> c = {corners[order[0]], corners[order[1]], corners[order[2]]};
  glm::vec2 low = glm::min(glm::min(p[0], p[1]), p[2]) - 1.0f;
  glm::vec2 high = glm::max(glm::max(p[0], p[1]), p[2]) + 1.0f;
  low = glm::max(low, (glm::vec2(command.clip) - part_.corner) * canvas.scale);
  high = glm::min(high, (glm::vec2(command.clip.z, command.clip.w) - part_.corner) * canvas.scale);
  low = glm::max(low, glm::vec2(0, canvas.first_row));
  high = glm::min(high, glm::vec2(canvas.width, canvas.first_row + canvas.count));
  // Pixels whose centre is inside.
  const glm::ivec2 first(glm::ceil(low - 0.5f));
  const glm::ivec2 last = glm::ivec2(glm::ceil(high - 0.5f)) - 1;
  const bool flat = c[0]->col == c[1]->col && c[1]->col == c[2]->col;
  const std::array<glm::vec2, 3> uv = {c[0]->uv, c[1]->uv, c[2]->uv};
  const bool one_texel = uv[0] == uv[1] && uv[1] == uv[2];
  const float fixed = one_texel ? glyphs.coverage(uv[0]) : 0;
  const bool takes[3] = {takes_edge(p[1], p[2]), takes_edge(p[2], p[0]), takes_edge(p[0], p[1])};
  for (int y = first.y; y <= last.y; ++y) {
    std::uint8_t* const row = canvas.rgb + static_cast<std::size_t>(y - canvas.first_row) *
                                               static_cast<std::size_t>(canvas.width) * 3;
    for (int x = first.x; x <= last.x; ++x) {
      const glm::vec2 middle = glm::vec2(x, y) + 0.5f;
      const float w[3] = {edge(p[1], p[2], middle), edge(p[2], p[0], middle), edge(p[0], p[1], middle)};
      bool inside = true;
      for (int i = 0; i < 3; ++i) inside = inside && (w[i] > 0 || (w[i] == 0 && takes[i]));
      if (!inside) continue;
      const auto mixed = [&](auto&& value) {
        return (w[0] * value(*c[0]) + w[1] * value(*c[1]) + w[2] * value(*c[2])) / area;
      };
      const float cover =
          one_texel ? fixed : glyphs.coverage((w[0] * uv[0] + w[1] * uv[1] + w[2] * uv[2]) / area);
      const auto channel = [&](int shift) {
        if (flat) return static_cast<float>(part_of(c[0]->col, shift));
        return mixed([&](const ImDrawVert& v) { return static_cast<float>(part_of(v.col, shift)); });
      };
      const float alpha = channel(IM_COL32_A_SHIFT) / 255 * cover;
      if (alpha <= 0) continue;
      std::uint8_t* const pixel = row + static_cast<std::size_t>(x) * 3;
      const int shifts[3] = {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT};
      for (int i = 0; i < 3; ++i) {
        const float value = channel(shifts[i]) * alpha + static_cast<float>(pixel[i]) * (1 - alpha);
        pixel[i] = static_cast<std::uint8_t>(std::clamp(value + 0.5f, 0.0f, 255.0f));
      }
    }
  }
}

void Overlay::blend(float scale, int width, int first_row, int count, std::vector<std::uint8_t>& rgb) const {
  const Canvas canvas{scale, width, first_row, count, rgb.data()};
  for (const Command& command : commands_) {
    for (std::size_t i = 0; i + 2 < command.count; i += 3) {
      const std::uint32_t* const at = indices_.data() + command.first + i;
      const ImDrawVert* const corners[3] = {&vertices_[at[0]], &vertices_[at[1]], &vertices_[at[2]]};
      const auto [low, high] = std::minmax({corners[0]->pos.y, corners[1]->pos.y, corners[2]->pos.y});
      const float top = (low - part_.corner.y) * scale;
      const float bottom = (high - part_.corner.y) * scale;
      if (bottom < static_cast<float>(first_row) || top > static_cast<float>(first_row + count)) continue;
      triangle(canvas, command, corners);
    }
  }
}

FramedRows::FramedRows(ImageRows& picture, const Overlay& overlay, float scale, glm::ivec2 size,
                       render::Rect<int> at, std::uint32_t background)
    : picture_(picture), overlay_(overlay), scale_(scale), size_(size), at_(at), background_(background) {}

void FramedRows::rows(int first, int count, std::vector<std::uint8_t>& rgb, ProgressMonitor* watch) {
  const std::size_t row_bytes = static_cast<std::size_t>(size_.x) * 3;
  rgb.resize(row_bytes * static_cast<std::size_t>(count));
  const std::uint8_t background[3] = {part_of(background_, IM_COL32_R_SHIFT),
                                      part_of(background_, IM_COL32_G_SHIFT),
                                      part_of(background_, IM_COL32_B_SHIFT)};
  for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = background[i % 3];
  const int begin = std::max(first, at_.corner.y);
  const int end = std::min(first + count, at_.end().y);
  if (begin < end) {
    picture_.rows(begin - at_.corner.y, end - begin, inner_, watch);
    const std::size_t inner_bytes = static_cast<std::size_t>(at_.size.x) * 3;
    const std::size_t shown = static_cast<std::size_t>(std::min(at_.size.x, size_.x - at_.corner.x)) * 3;
    for (int y = begin; y < end; ++y) {
      std::memcpy(rgb.data() + static_cast<std::size_t>(y - first) * row_bytes +
                      static_cast<std::size_t>(at_.corner.x) * 3,
                  inner_.data() + static_cast<std::size_t>(y - begin) * inner_bytes, shown);
    }
  }
  overlay_.blend(scale_, size_.x, first, count, rgb);
}

}  // namespace loom::app::image
