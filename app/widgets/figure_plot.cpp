#include "app/widgets/figure_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/gui/theme.h"
#include "app/plot/plot_area.h"
#include "app/plot/style.h"
#include "app/text/format.h"
#include "app/widgets/figure_marks.h"
#include "app/widgets/text.h"

namespace loom::app {
namespace {

// In font sizes.
constexpr float kMinPanelWidth = 12;
constexpr float kMinPanelHeight = 10;
constexpr float kPanelGap = 1.2f;
constexpr float kMarker = 0.26f;
constexpr float kReach = 0.8f;  ///< largest distance from the cursor to a hovered point
constexpr float kLegendGap = 1.4f;

constexpr ImU32 kMajorGrid = IM_COL32(255, 255, 255, 44);
constexpr ImU32 kMinorGrid = IM_COL32(255, 255, 255, 18);
constexpr ImU32 kFrame = IM_COL32(255, 255, 255, 120);
constexpr ImU32 kUnity = IM_COL32(255, 255, 255, 190);

ImU32 text_colour() {
  return ImGui::GetColorU32(ImGuiCol_Text);
}

ImU32 muted_colour() {
  return ImGui::ColorConvertFloat4ToU32(theme::kMuted);
}

float value_labels_width(const plot::LogAxis& axis) {
  float width = 0;
  for (const plot::Tick& tick : axis.ticks) width = std::max(width, text_width(tick.label));
  return width;
}

/// The screen positions of a series' points.
std::vector<ImVec2> places_of(const plot::PlotArea& plot_area, const plot::Series& series) {
  std::vector<ImVec2> places;
  for (const plot::Point& point : series.points) {
    places.push_back(
        {static_cast<float>(plot_area.x(point.level)), static_cast<float>(plot_area.y(point.value))});
  }
  return places;
}

class Drawing {
 public:
  Drawing(const plot::Figure& figure, ImVec2 corner, ImVec2 size)
      : figure_(figure), list_(*ImGui::GetWindowDrawList()), font_(ImGui::GetFontSize()), corner_(corner) {
    const plot::LogAxis axis = plot::make_axis(figure);
    const auto [first, last] = plot::level_range(figure);
    const float labels = value_labels_width(axis) + 0.5f * font_;
    const float legend = legend_width(figure) + kLegendGap * font_;
    const std::size_t panels = figure.panels.size();
    legend_beside_ = size.x - legend - labels >= kMinPanelWidth * 1.6f * font_;
    const float room = size.x - labels - 0.5f * font_ - (legend_beside_ ? legend : 0);
    const auto fitting =
        static_cast<std::size_t>(std::max(1.0f, room / ((kMinPanelWidth + kPanelGap) * font_)));
    columns_ = std::min({figure.columns, panels, fitting});
    const std::size_t rows = (panels + columns_ - 1) / columns_;

    const float line = ImGui::GetTextLineHeight();
    const float title = panels > 1 ? 1.4f * line : 0.4f * line;
    const float below = 1.4f * line;
    const float head = ImGui::CalcTextSize(figure.y_label.c_str(), nullptr, false, size.x).y + 0.5f * line;
    const float foot = line;  // label of the x axis
    const float legend_room = legend_beside_ ? 0 : legend_rows(figure, size.x) * 1.25f * line + 0.6f * line;
    const auto count = static_cast<float>(rows);
    const float each = (size.y - head - foot - legend_room) / count - title - below;
    const float height = std::max(each, kMinPanelHeight * font_);
    const float across = static_cast<float>(columns_);
    const float width = (room - (across - 1) * kPanelGap * font_) / across;
    for (std::size_t i = 0; i < panels; ++i) {
      const float left = corner.x + labels + static_cast<float>(i % columns_) * (width + kPanelGap * font_);
      const float top = corner.y + head + title + static_cast<float>(i / columns_) * (title + height + below);
      plot_areas_.push_back({left, top, width, height, first, last, axis});
    }
    bottom_ = corner.y + head + count * (title + height + below) + foot;
    legend_corner_ = legend_beside_
                         ? ImVec2{corner.x + labels + room + kLegendGap * font_, corner.y + head + title}
                         : ImVec2{corner.x, bottom_ + 0.6f * line};
    size_ = {size.x, std::max(size.y, bottom_ + legend_room - corner.y)};
  }

  ImVec2 size() const { return size_; }

  void draw() const {
    list_.AddText(nullptr, 0, corner_, text_colour(), figure_.y_label.c_str(), nullptr, size_.x);
    for (std::size_t i = 0; i < plot_areas_.size(); ++i) draw_panel(i);
    const plot::PlotArea& first = plot_areas_.front();
    const float middle = static_cast<float>(first.left + plot_areas_[columns_ - 1].right()) / 2;
    list_.AddText({middle - text_width(figure_.x_label) / 2, bottom_ - ImGui::GetTextLineHeight()},
                  text_colour(), figure_.x_label.c_str());
    legend_beside_ ? draw_legend_beside() : draw_legend_below();
  }

  /// Finds the point nearest to the cursor, and the last point of the figure.
  PlotState find(ImVec2 cursor) const {
    PlotState state;
    float nearest = kReach * font_;
    for (std::size_t i = 0; i < plot_areas_.size(); ++i) {
      const auto& lines = figure_.panels[i].series;
      for (std::size_t j = 0; j < lines.size(); ++j) {
        const auto places = places_of(plot_areas_[i], lines[j]);
        for (std::size_t k = 0; k < places.size(); ++k) {
          const PlotPoint point{i, j, k, places[k]};
          state.last = point;
          const float distance = std::hypot(places[k].x - cursor.x, places[k].y - cursor.y);
          if (distance >= nearest) continue;
          nearest = distance;
          state.hovered = point;
        }
      }
    }
    return state;
  }

  void mark(const PlotPoint& point) const {
    list_.AddCircle(point.at, kMarker * 2 * font_, text_colour(), 0, font_ * 0.12f);
  }

 private:
  static float swatch() { return 2.6f * ImGui::GetFontSize(); }

  static float item_width(const plot::LegendItem& item) {
    return swatch() + 0.4f * ImGui::GetFontSize() + text_width(item.text);
  }

  static float legend_width(const plot::Figure& figure) {
    float width = 0;
    for (const plot::LegendSection& section : figure.legend) {
      width = std::max(width, text_width(section.title));
      for (const plot::LegendItem& item : section.items) width = std::max(width, item_width(item));
    }
    return width;
  }

  /// Calls `use` with the position of every title (without an item) and item of a legend below the panels.
  template <typename Use>
  static int flow(const plot::Figure& figure, float width, Use&& use) {
    int row = -1;
    for (const plot::LegendSection& section : figure.legend) {
      float x = 0;
      ++row;
      use(section.title, nullptr, x, row);
      x += text_width(section.title) + ImGui::GetFontSize();
      for (const plot::LegendItem& item : section.items) {
        if (x > 0 && x + item_width(item) > width) {
          x = ImGui::GetFontSize();
          ++row;
        }
        use(item.text, &item, x, row);
        x += item_width(item) + ImGui::GetFontSize();
      }
    }
    return row + 1;
  }

  static float legend_rows(const plot::Figure& figure, float width) {
    return static_cast<float>(flow(figure, width, [](const auto&...) {}));
  }

  void draw_item(const plot::LegendItem& item, ImVec2 at) const {
    const float y = at.y + ImGui::GetTextLineHeight() / 2;
    const ImU32 colour = item.colour ? line_colour(*item.colour) : text_colour();
    const ImVec2 ends[] = {{at.x, y}, {at.x + swatch(), y}};
    dashed_line(list_, ends, colour, plot::series_dash(item.dash), font_);
    if (item.colour) {
      point_marker(list_, {at.x + swatch() / 2, y}, plot::series_marker(*item.colour), colour,
                   kMarker * font_);
    }
    list_.AddText({at.x + swatch() + 0.4f * font_, at.y}, text_colour(), item.text.c_str());
  }

  void draw_legend_beside() const {
    const float line = 1.25f * ImGui::GetTextLineHeight();
    ImVec2 at = legend_corner_;
    for (const plot::LegendSection& section : figure_.legend) {
      list_.AddText(at, muted_colour(), section.title.c_str());
      at.y += line;
      for (const plot::LegendItem& item : section.items) {
        draw_item(item, at);
        at.y += line;
      }
      at.y += 0.4f * line;
    }
  }

  void draw_legend_below() const {
    const float line = 1.25f * ImGui::GetTextLineHeight();
    flow(figure_, size_.x, [&](const std::string& text, const plot::LegendItem* item, float x, int row) {
      const ImVec2 at{legend_corner_.x + x, legend_corner_.y + static_cast<float>(row) * line};
      item == nullptr ? list_.AddText(at, muted_colour(), text.c_str()) : draw_item(*item, at);
    });
  }

  void draw_panel(std::size_t index) const {
    const plot::PlotArea& plot_area = plot_areas_[index];
    const plot::Panel& panel = figure_.panels[index];
    const float left = static_cast<float>(plot_area.left);
    const float right = static_cast<float>(plot_area.right());
    const float top = static_cast<float>(plot_area.top);
    const float bottom = static_cast<float>(plot_area.bottom());
    const float line = ImGui::GetTextLineHeight();
    const int step = plot_area.level_step(static_cast<double>(1.6f * font_));
    for (int level = plot_area.first_level; level <= plot_area.last_level; ++level) {
      const float x = std::round(static_cast<float>(plot_area.x(level)));
      list_.AddLine({x, top}, {x, bottom}, kMinorGrid);
      if (level % step != 0) continue;
      const std::string label = fmt::format("{}", level);
      list_.AddText({x - text_width(label) / 2, bottom + 0.2f * line}, text_colour(), label.c_str());
    }
    for (const plot::Tick& tick : plot_area.axis.ticks) {
      const float y = std::round(static_cast<float>(plot_area.y(tick.value)));
      list_.AddLine({left, y}, {right, y}, tick.label.empty() ? kMinorGrid : kMajorGrid);
      if (index % columns_ != 0) continue;
      list_.AddText({left - 0.4f * font_ - text_width(tick.label), y - line / 2}, text_colour(),
                    tick.label.c_str());
    }
    if (figure_.kind == plot::Quantity::kSpeedup) {
      const float y = std::round(static_cast<float>(plot_area.y(1)));
      list_.AddLine({left, y}, {right, y}, kUnity);
    }
    list_.AddLine({left, top}, {left, bottom}, kFrame);
    list_.AddLine({left, bottom}, {right, bottom}, kFrame);
    list_.AddText({(left + right - text_width(panel.title)) / 2, top - 1.2f * line}, text_colour(),
                  panel.title.c_str());
    for (const plot::Series& series : panel.series) draw_series(plot_area, series);
  }

  void draw_series(const plot::PlotArea& plot_area, const plot::Series& series) const {
    const auto places = places_of(plot_area, series);
    const ImU32 colour = line_colour(series.colour);
    dashed_line(list_, places, colour, plot::series_dash(series.dash), font_);
    for (const ImVec2& place : places) {
      point_marker(list_, place, plot::series_marker(series.colour), colour, kMarker * font_);
    }
  }

  const plot::Figure& figure_;
  ImDrawList& list_;
  float font_;
  ImVec2 corner_;
  ImVec2 size_;
  bool legend_beside_ = true;
  ImVec2 legend_corner_;
  std::size_t columns_ = 1;
  float bottom_ = 0;
  std::vector<plot::PlotArea> plot_areas_;
};

}  // namespace

PlotState figure_plot(const plot::Figure& figure, ImVec2 size) {
  const Drawing drawing(figure, ImGui::GetCursorScreenPos(), size);
  ImGui::InvisibleButton("##figure", drawing.size());
  const bool over = ImGui::IsItemHovered();
  const bool clicked = ImGui::IsItemClicked();
  drawing.draw();
  PlotState state = drawing.find(ImGui::GetIO().MousePos);
  if (!over) state.hovered.reset();
  state.clicked = clicked && state.hovered;
  if (state.hovered) drawing.mark(*state.hovered);
  return state;
}

std::string value_text(plot::Quantity kind, double value) {
  switch (kind) {
    case plot::Quantity::kSpeedup:
      return format_ratio(value) + " speedup over the bounding box";
    case plot::Quantity::kTime:
      return fmt::format("{:.3g} ms per generation", value);
    case plot::Quantity::kMemory:
      return format_bytes(static_cast<std::uint64_t>(value)) + " for cells";
    case plot::Quantity::kEfficiency:
      return format_percent(value) + " of the threads are active";
  }
  return "";
}

}  // namespace loom::app
