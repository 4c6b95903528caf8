#pragma once

#include "app/widgets/picture_legend.h"
#include "app/workspaces/life/picture/picture_view.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/tile_grid.h"
#include "render/palette.h"

namespace loom::app {

/// Draws the legend over the picture of a view: colours, overlay marks and launch counts.
void legend(PictureLegend& legend, const PictureView& view, const TileGrid& space, const LifeStats& report,
            const render::Palette& palette);

}  // namespace loom::app
