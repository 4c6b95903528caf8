#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/shell/application.h"
#include "app/widgets/inputs.h"
#include "app/widgets/text.h"
#include "app/widgets/windows.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kStrokeWidth = 0.28f;
constexpr float kSpotlightRadius = 6;
constexpr float kLeastMove = 0.1f;  ///< between two points of a stroke

constexpr double kTapSeconds = 0.4;  ///< a key is pressed that long at most, or it is held

}  // namespace

void Annotations::spotlight() {
  spotlight_held_ = imgui_compat::is_down(GLFW_KEY_F8);
  spotlight_was_on_ = spotlight_;
  pressed_at_ = ImGui::GetTime();
  spotlight_ = spotlight_held_ || !spotlight_;
}

bool Annotations::undo() {
  if (!can_undo()) return false;
  strokes_.pop_back();
  drawing_ = false;
  return true;
}

bool Annotations::erase() {
  const bool any = pen_ || spotlight_ || !strokes_.empty();
  pen_ = drawing_ = spotlight_ = spotlight_held_ = false;
  strokes_.clear();
  return any;
}

// The window's name makes it a part of saved images.
void Annotations::draw(const Area& picture) {
  if (spotlight_held_ && !imgui_compat::is_down(GLFW_KEY_F8)) {
    const bool is_tap = ImGui::GetTime() - pressed_at_ < kTapSeconds;
    spotlight_ = is_tap && !spotlight_was_on_;
    spotlight_held_ = false;
  }
  if ((!pen_ && !spotlight_ && strokes_.empty()) || picture.empty()) return;
  ImGui::SetNextWindowPos(picture.corner);
  ImGui::SetNextWindowSize(picture.size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##pen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav | (pen_ ? 0 : ImGuiWindowFlags_NoInputs));
  ImGui::PopStyleVar();
  if (pen_) take_mouse(picture);
  draw_strokes(picture);
  if (spotlight_) draw_spotlight(picture);
  ImGui::End();
}

void Annotations::take_mouse(const Area& picture) {
  ImGui::InvisibleButton("##paper", picture.size);
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) {
    strokes_.emplace_back();
    drawing_ = true;
  }
  drawing_ = drawing_ && ImGui::IsItemActive();
  if (drawing_) {
    Stroke& stroke = strokes_.back();
    const auto on_screen = [&](glm::vec2 at) { return picture.corner + at * picture.size; };
    if (stroke.empty() || glm::distance(on_screen(stroke.back()), mouse) >= kLeastMove * ImGui::GetFontSize())
      stroke.push_back((mouse - picture.corner) / picture.size);
  }
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddCircleFilled(mouse, kStrokeWidth * ImGui::GetFontSize(), theme::kPen);
}

void Annotations::draw_strokes(const Area& picture) const {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float width = kStrokeWidth * ImGui::GetFontSize();
  for (const Stroke& stroke : strokes_) {
    if (stroke.size() == 1) {
      const glm::vec2 at = picture.corner + stroke.front() * picture.size;
      list.AddCircleFilled(at, width, theme::overlay(false).edge);
      list.AddCircleFilled(at, width * 0.7f, theme::kPen);
      continue;
    }
    for (const bool edge : {true, false}) {
      for (const glm::vec2& at : stroke) list.PathLineTo(picture.corner + at * picture.size);
      list.PathStroke(edge ? theme::overlay(false).edge : theme::kPen, 0, edge ? width * 1.6f : width);
    }
  }
}

// A ring from the light to beyond the corners; the window clips it.
void Annotations::draw_spotlight(const Area& picture) const {
  constexpr int kSegments = 96;
  const glm::vec2 mouse = ImGui::GetIO().MousePos;
  const float radius = kSpotlightRadius * ImGui::GetFontSize();
  const float width = 2 * glm::length(picture.size);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (!picture.contains(mouse)) return list.AddRectFilled(picture.corner, picture.end(), theme::kShade);
  list.AddCircle(mouse, radius + width / 2, theme::kShade, kSegments, width);
}

void Annotations::add_state(nlohmann::ordered_json& json) const {
  json["pen"] = {{"on", pen_},
                 {"strokes", strokes_.size()},
                 {"points", strokes_.empty() ? 0 : strokes_.back().size()},
                 {"spotlight", spotlight_}};
}

Text words_of(const BackendSelection& backend, const CudaStatus& cuda) {
  const Device& device = backend.device;
  if (device.kind == BackendKind::kCuda) {
    const Text count = backend.devices() > 1 ? format_text("{} × ", backend.devices()) : Text();
    return format_text("CUDA: {}{}", count, device.name);
  }
  if (backend.devices() > 1) return format_text("CPU: {} simulated devices", backend.devices());
  if (backend.reason.starts_with("selected")) return "CPU: selected";
  if (!cuda.devices.empty()) return "CPU: no such CUDA device";
  if (cuda.runtime_version == 0) return "CPU: built without CUDA";
  const bool driver_too_old = cuda.reason.starts_with("cudaErrorInsufficientDriver");
  if (cuda.driver_version != 0 && driver_too_old) return "CPU: NVIDIA driver too old";
  // "device 0 (its name): why it cannot be used"
  if (cuda.reason.starts_with("device ")) return "CPU: NVIDIA GPU not usable";
  return "CPU: no NVIDIA GPU";
}

namespace {

// Draws a progress bar with a Cancel button. Returns its width.
float progress_bar(const Progress& progress, float room, ShellEdit& edit) {
  if (progress.what.empty()) return 0;
  const float font = ImGui::GetFontSize();
  const float button = button_width("Cancel");
  const float width = std::min(font * 26, room - button - font);
  if (width < font * 4) return 0;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  Text text = progress.share < 0 ? Text(progress.what)
                                 : format_text("{} {:.0f} %", progress.what, progress.share * 100);
  const glm::vec2 at = ImGui::GetCursorScreenPos();
  ImGui::ProgressBar(static_cast<float>(std::max(0.0, progress.share)), {width, ImGui::GetTextLineHeight()},
                     "");
  ImGui::GetWindowDrawList()->PushClipRect(at, {at.x + width, at.y + ImGui::GetTextLineHeight()}, true);
  ImGui::GetWindowDrawList()->AddText({at.x + theme::grid(2), at.y}, ImGui::GetColorU32(ImGuiCol_Text),
                                      text.c_str());
  ImGui::GetWindowDrawList()->PopClipRect();
  tooltip(text.append(". Runs in the background; the previous state stays until it is done. Esc cancels."));
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) edit.commands.cancel = true;
  ImGui::PopStyleVar();
  ImGui::SameLine();
  return width + button + 2 * ImGui::GetStyle().ItemSpacing.x;
}

}  // namespace

void status_line(const Area& area, ShellEdit& edit, const WorkspaceStatus& status, const CudaStatus& cuda,
                 std::optional<double> frames_per_second) {
  if (area.empty()) return;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float pad_y = std::max(0.0f, (area.size.y - ImGui::GetTextLineHeight()) / 2);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {style.WindowPadding.x, pad_y});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::colours().raised);
  begin_bar("##status", area, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const Text speed = frames_per_second ? format_text("{:.0f} FPS", *frames_per_second) : Text("idle");
  constexpr const char* lessons = "L lessons";
  constexpr const char* keys = "? keys";
  const float gap = ImGui::GetFontSize() * 1.5f;
  const float tail = text_width(speed) + gap + text_width(lessons) + gap + text_width(keys);
  float room = std::max(0.0f, ImGui::GetContentRegionAvail().x - tail - 2 * gap);
  room -= progress_bar(status.progress, room, edit);
  Text compute = words_of(status.backend, cuda);
  // The engine appends the state of its kernel to the device's name: still compiling, or why it failed.
  if (const std::size_t kernel = status.backend_name.find(", kernel "); kernel != std::string_view::npos)
    compute.append(status.backend_name.substr(kernel));
  const Text picture =
      format_text("Display: {}", status.picture_path.substr(0, status.picture_path.find(':')));
  const auto elided_with = [](std::string_view text, float width, std::string_view hint) {
    ImGui::BeginGroup();
    elided_text(text, width);
    ImGui::EndGroup();
    tooltip(hint);
  };
  // Each text may use the space that the other one leaves; if both are long, each gets half. What computes
  // comes first.
  const float compute_width = text_width(compute);
  const float picture_width = text_width(picture);
  const float half = std::max(room / 2, room - picture_width);
  const bool both = half >= std::min(compute_width, 8 * ImGui::GetFontSize());
  const float left = std::min(compute_width + 1, both ? half : room);
  if (room > ImGui::GetFontSize() * 4) {
    elided_with(compute, left, format_text("{} ({})", status.backend_name, status.backend.reason));
    ImGui::SameLine(0, gap);
    if (both)
      elided_with(picture, room - std::min(left, compute_width),
                  format_text("Display: {}", status.picture_path));
    ImGui::SameLine();
  }
  ImGui::SetCursorPosX(std::max(style.WindowPadding.x, area.size.x - style.WindowPadding.x - tail));
  ImGui::TextUnformatted(speed.c_str());
  tooltip("Frames per second. When idle, few frames are drawn");
  ImGui::SameLine(0, gap);
  const auto link = [](const char* text, const char* hint) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme::colours().accent);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    const bool clicked = ImGui::IsItemClicked();
    tooltip(hint);
    return clicked;
  };
  if (link(lessons, "Interactive lessons (L)")) edit.lessons.list = true;
  ImGui::SameLine(0, gap);
  if (link(keys, "All keys and mouse gestures (?)")) edit.settings.show_help = !edit.settings.show_help;
  ImGui::End();
}

}  // namespace loom::app
