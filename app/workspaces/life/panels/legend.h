#pragma once

#include <optional>
#include <string_view>

#include "app/gui/layout.h"
#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "render/palette.h"

namespace loom::app {

/// Draws the legend over the picture of a view: colours, overlay marks and launch counts.
void legend(PictureLegend& legend, const PictureView& view, const TileGrid& space, const LifeStats& report,
            const render::Palette& palette);

/// Describes the cell, tile and thread under the cursor at the bottom of `area`. `state`: of the
/// hovered cell; `explained`: a sentence on the selected thread, shown instead unless it is empty;
/// `one_line`: for a lecture; `text` is set to what is shown. Returns the height used, 0 if the area is too
/// small.
float caption(const Area& area, const LifeStats& report, const std::optional<PointInfo>& hovered,
              std::uint8_t state, std::string_view explained, bool one_line, Text& text);

/// Draws a banner over the top of the picture that says why the picture is wrong; nothing if `text` is empty.
void inexact_result_banner(const Area& picture, std::string_view text);

}  // namespace loom::app
