#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_base.cuh"

namespace loom::cuda {

/// The number of steps after which unfinished orbits are set aside and regrouped into full warps for the
/// first time; the number then doubles each time. Most orbits near the set end soon, and a few run to the
/// limit.
inline constexpr std::uint32_t kFirstSteps = 128;
/// Orbits are not tested for cycles before this number of steps: a comparison costs more than the few steps
/// that it would save at low dwell limits.
inline constexpr std::uint32_t kCirclesFrom = 8192;

/// Placeholders for an unknown dwell: of an orbit that was stopped early, and of one that was not started.
/// Dwells of 65535 and 65534 have the same values and are computed once more, with the same result.
inline constexpr std::uint32_t kUnfinished = 0xffff;
inline constexpr std::uint32_t kUnstarted = 0xfffe;

/// Added to the position of an open pixel if its tile has a pixel at the limit on its border: only there the
/// pixel is tested for known interior.
inline constexpr std::uint32_t kNearLimit = kPanel * kPanel;

/// Orbits that are set aside.
template <typename Real>
struct LateOrbits {
  /// Enough for the lines of a whole panel in single precision.
  static constexpr std::uint32_t kCapacity = 8704 / sizeof(Complex<Real>);
  Complex<Real> z[kCapacity];
  std::uint16_t position[kCapacity];  ///< in the panel
};

/// Shared memory of a thread block that processes regions.
template <typename Real>
struct RegionSpace : RegionAtWork {
  static constexpr std::uint32_t kMaxOpen = (kPanel / kTile) * (kPanel / kTile) * (kTile - 1) * (kTile - 1);
  alignas(16) std::uint16_t dwells[kPanel * kPanel];  ///< dwells of the current panel
  std::uint16_t open[kMaxOpen];                       ///< positions in the panel of pixels in open tiles
  std::uint32_t open_count;
  Real re[kPanel];  ///< the coordinates of the panel's columns and rows
  Real im[kPanel];
  LateOrbits<Real> late[2];     ///< the orbits of this stage, and those of the next one
  std::uint32_t late_count[3];  ///< of stage s at s % 3
  std::uint32_t reference[2];   ///< result of the border's first pixel, alternating between stages
};

/// Division of numbers below 4096 by a divisor from 1 to 64.
struct PanelDivisor {
  std::uint32_t multiplier;
  __device__ explicit PanelDivisor(std::uint32_t divisor)
      : multiplier(((1u << 20) + divisor - 1) / divisor) {}
  __device__ std::uint32_t divide(std::uint32_t i) const { return (i * multiplier) >> 20; }
};

/// The next free slot of a list for each of the calling threads, with one atomic operation for all of them.
__device__ __forceinline__ std::uint32_t append_slot(std::uint32_t* count) {
  const unsigned together = __activemask();
  const unsigned lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
  const int leader = __ffs(static_cast<int>(together)) - 1;
  std::uint32_t first = 0;
  if (static_cast<int>(lane) == leader) first = atomicAdd(count, __popc(together));
  return __shfl_sync(together, first, leader) + __popc(together & ((1u << lane) - 1));
}

/// The work of one thread block on regions with all optimisations. All of its threads must call every member
/// function together with the same arguments, unless the comment says otherwise. kBorderKnown: the dwells of
/// borders are in the image before they are explored.
template <typename Evaluator, typename Dwell, bool kBorderKnown = false>
class RegionBlock : public RegionBase<Evaluator, Dwell> {
  using Real = typename Evaluator::Value;
  using Base = RegionBase<Evaluator, Dwell>;
  using Base::border_pixels_;
  using Base::filled_pixels_;
  using Base::leaf_pixels_;
  using Base::rank_;
  using Base::task_;
  using Base::threads_;

 public:
  using Space = RegionSpace<Real>;
  __device__ RegionBlock(const DwellTask<Evaluator, Dwell>& task, Space& space) : Base(task), space_(space) {}

  /// Computes the border, and counts and lists the region. Returns its outcome; `dwell` is then the fill
  /// value. For a leaf, the border is in the image, where some dwells may be kUnfinished.
  __device__ RegionKind explore(const Region& region, std::uint32_t level, std::uint32_t& dwell) {
    all_stay_escaped_ = false;  // holds for one panel only
    const bool uniform = border_is_interior(region, dwell) || compute_border(region, dwell);
    const RegionKind kind = this->conclude(region, level, uniform, dwell);
    if (kind == RegionKind::kLeaf) mark_unstarted(region);
    return kind;
  }

  /// Computes the pixels of a leaf that explore() left.
  __device__ void compute_leaf(const Region& leaf) {
    for (std::uint32_t y = 0; y < leaf.height; y += kPanel) {
      for (std::uint32_t x = 0; x < leaf.width; x += kPanel) compute_panel(leaf, x, y);
    }
  }

  /// Computes the panel of a leaf that begins at (x, y) in the leaf.
  __device__ void compute_panel(const Region& leaf, std::uint32_t x, std::uint32_t y) {
    const Region panel{leaf.x + x, leaf.y + y, min(kPanel, leaf.width - x), min(kPanel, leaf.height - y)};
    if (rank_ == 0)
      space_.open_count = space_.late_count[0] = space_.late_count[1] = space_.late_count[2] = 0;
    for (std::uint32_t i = rank_; i < kPanel; i += threads_) {
      space_.re[i] = task_.grid.re.at(panel.x + i);
      space_.im[i] = task_.grid.im.at(panel.y + i);
    }
    __syncthreads();
    // If the condition holds for the corner furthest from 0, it holds for all points of the panel.
    const Complex<Real> furthest{max(abs(space_.re[0]), abs(space_.re[panel.width - 1])),
                                 max(abs(space_.im[0]), abs(space_.im[panel.height - 1]))};
    all_stay_escaped_ = task_.grid.stays_escaped_within(furthest);
    if (task_.optimisations.tiles) {
      compute_pixels<Pixels::kLines>(leaf, panel);
      close_tiles(panel);
      __syncthreads();
      compute_pixels<Pixels::kOpen>(leaf, panel);
    } else {
      compute_pixels<Pixels::kAll>(leaf, panel);
    }
    write_panel(panel);
    __syncthreads();
  }

 private:
  /// Called by one thread: continues an orbit. Returns whether it has ended, which is certain if `end` is the
  /// limit.
  template <std::uint32_t kSteps>
  __device__ bool run(Orbit<Real>& orbit, Complex<Real> c, std::uint32_t end) const {
    if constexpr (Evaluator::kKnowsInterior) {
      if ((task_.optimisations.regroup || task_.optimisations.periodicity) &&
          (all_stay_escaped_ || stays_escaped(c))) {
        return task_.optimisations.periodicity && orbit.count >= kCirclesFrom
                   ? run_staying_orbit<kSteps, true>(orbit, c, end, task_.limit)
                   : run_staying_orbit<kSteps, false>(orbit, c, end, task_.limit);
      }
      orbit.count = continue_dwell(orbit.z, c, orbit.count, task_.limit);
      return true;
    } else {  // the loops of all formulas in one function
      const MandelbrotOptimisations& optimisations = task_.optimisations;
      return task_.grid.run(orbit, c,
                            {.end = end,
                             .limit = task_.limit,
                             .strides = optimisations.regroup || optimisations.periodicity,
                             .stays = all_stay_escaped_,
                             .periodicity = optimisations.periodicity && orbit.count >= kCirclesFrom});
    }
  }

  /// Returns whether no pixel of the border needs iteration; all of them are then counted.
  __device__ bool border_is_interior(const Region& region, std::uint32_t& dwell) {
    if (!this->is_interior(task_.grid.at(region.x, region.y))) return false;
    const std::uint32_t size = border_size(region);
    bool all = true;
    std::uint32_t mine = 0;
    for (std::uint32_t i = rank_; i < size && all; i += threads_, ++mine) {
      const Coord32 pixel = border_pixel(region, i);
      all = this->is_interior(task_.grid.at(pixel.x, pixel.y));
    }
    all = __syncthreads_and(all) != 0;
    if (!all) return false;
    border_pixels_ += mine;
    border_rounds_ = (size + threads_ - 1) / threads_;
    dwell = task_.limit;
    // A fill covers the border too; without a fill, or in a leaf, the border must be written.
    for (std::uint32_t i = rank_; i < size; i += threads_) {
      const Coord32 pixel = border_pixel(region, i);
      task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(dwell);
    }
    return true;
  }

  /// Returns whether the border has one dwell. It is computed in rounds of one pixel per thread. With early
  /// stop, each thread processes a contiguous stretch of the border, so that a round's pixels are spread over
  /// the whole border, and a round runs in stages, each twice as long as all before it: if some orbits have
  /// ended and others have not, the border is not uniform.
  __device__ bool compute_border(const Region& region, std::uint32_t& dwell) {
    const bool early = task_.optimisations.early_stop;
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    bool uniform = true;
    std::uint32_t turn = 0;
    for (border_rounds_ = 0; border_rounds_ < rounds;) {
      const std::uint32_t round = border_rounds_++;
      const std::uint32_t i = early ? rank_ * rounds + round : round * threads_ + rank_;
      const bool mine = i < size;
      const Coord32 pixel = border_pixel(region, mine ? i : 0);
      const Complex<Real> c = task_.grid.at(pixel.x, pixel.y);
      Orbit<Real> orbit{c, 0};
      bool ended = !mine;  // threads without a pixel only take part in barriers
      if (mine && this->is_interior(c)) {
        orbit.count = task_.limit;
        ended = true;
      }
      if constexpr (kBorderKnown) {  // as if the orbit had ended before the test
        if (!ended) orbit.count = task_.image.at(pixel.x, pixel.y);
        ended = true;
      }
      bool differs = false;
      border_pixels_ += mine;
      std::uint32_t expected = dwell;
      std::uint32_t found = dwell;
      for (std::uint32_t end = early ? min(task_.limit, kFirstSteps) : task_.limit;;
           end = min(task_.limit, 2 * end)) {
        if (!ended) ended = run<kStride>(orbit, c, end);
        const bool last = end == task_.limit;
        // An orbit that is known to be longer counts as unfinished as well: it does not differ from an
        // unfinished one.
        found = !last && (!ended || orbit.count > end) ? kUnfinished : orbit.count;
        if (round == 0) {
          if (i == 0) space_.reference[turn] = found;
          __syncthreads();
          expected = space_.reference[turn];
          turn = 1 - turn;  // the value may still be read while the next one is written
        } else {
          expected = !last && dwell > end ? kUnfinished : dwell;
        }
        differs = __syncthreads_or(mine && found != expected) != 0;
        if (differs || expected != kUnfinished || last) break;
      }
      if (mine) task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(found);
      if (round == 0) dwell = expected;
      uniform = uniform && !differs;
      if (early && !uniform) return false;
    }
    return uniform;
  }

  /// Leaves the border's pixels that early stop skipped to the panels.
  __device__ void mark_unstarted(const Region& region) {
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    for (; border_rounds_ < rounds; ++border_rounds_) {
      const std::uint32_t i = rank_ * rounds + border_rounds_;
      if (i >= size) continue;
      const Coord32 pixel = border_pixel(region, i);
      task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(kUnstarted);
    }
    __syncthreads();
  }

  /// Subsets of a panel's pixels.
  enum class Pixels {
    kAll,
    kLines,  ///< pixels on the tiles' lines
    kOpen,   ///< pixels that are listed as open
  };

  /// The positions of a panel's pixels, by number.
  template <Pixels kPixels>
  struct Places {
    PanelDivisor width;
    PanelDivisor columns;
    std::uint32_t across;      ///< pixels on horizontal lines
    std::uint32_t lines_down;  ///< vertical lines
    std::uint32_t count;
    __device__ Places(const Region& panel, std::uint32_t open)
        : width(panel.width),
          columns(tiles_on(panel.width) + 1),
          across((tiles_on(panel.height) + 1) * panel.width),
          lines_down(tiles_on(panel.width) + 1),
          count(open) {
      if (kPixels == Pixels::kAll) count = panel.width * panel.height;
      if (kPixels == Pixels::kLines) {
        count = across + (panel.height - tiles_on(panel.height) - 1) * lines_down;
      }
    }
  };

  /// Called by one thread: the position of pixel i in the panel, y * kPanel + x; for an open pixel, its list
  /// entry.
  template <Pixels kPixels>
  __device__ std::uint32_t position_of(const Places<kPixels>& places, const Region& panel,
                                       std::uint32_t i) const {
    if constexpr (kPixels == Pixels::kOpen) return space_.open[i];
    if (kPixels == Pixels::kAll || i < places.across) {
      const std::uint32_t row = places.width.divide(i);
      const std::uint32_t column = i - row * panel.width;
      return (kPixels == Pixels::kAll ? row : tile_line(panel.height, row)) * kPanel + column;
    }
    // Between two horizontal lines there are kTile - 1 rows, or fewer in the last tile.
    const std::uint32_t rest = i - places.across;
    const std::uint32_t between = places.columns.divide(rest);
    return (between + between / (kTile - 1) + 1) * kPanel +
           tile_line(panel.width, rest - between * places.lines_down);
  }

  /// Called by one thread: whether the pixel already has its dwell, from the leaf's border. If not, it is
  /// counted.
  template <Pixels kPixels>
  __device__ bool is_known(const Region& leaf, const Region& panel, std::uint32_t position) {
    if constexpr (kPixels == Pixels::kOpen) {
      ++leaf_pixels_;
      return false;
    }
    const std::uint32_t x = panel.x + position % kPanel;
    const std::uint32_t y = panel.y + position / kPanel;
    const bool bordering = this->on_border(leaf, x, y);
    const std::uint32_t held = bordering ? task_.image.at(x, y) : kUnstarted;
    if (held < kUnstarted) {
      space_.dwells[position] = static_cast<std::uint16_t>(held);
      return true;
    }
    const bool counts = held == kUnstarted;
    (bordering || kPixels == Pixels::kLines ? border_pixels_ : leaf_pixels_) += counts;
    return false;
  }

  /// Called by one thread: runs an orbit of stage `stage` until `end`, and sets it aside if it has not ended.
  template <std::uint32_t kSteps>
  __device__ void run_stage(Orbit<Real> orbit, Complex<Real> c, std::uint32_t position, std::uint32_t end,
                            std::uint32_t stage) {
    if (run<kSteps>(orbit, c, end)) {
      space_.dwells[position] = static_cast<std::uint16_t>(orbit.count);
      return;
    }
    LateOrbits<Real>& late = space_.late[stage % 2];
    const std::uint32_t slot = append_slot(&space_.late_count[stage % 3]);
    late.z[slot] = orbit.z;
    late.position[slot] = static_cast<std::uint16_t>(position);
  }

  /// Computes pixels of a panel, as many at a time as can be set aside: all of them for kFirstSteps, the
  /// unfinished ones for as many steps again in full warps, and so on. Ends with a barrier.
  template <Pixels kPixels>
  __device__ void compute_pixels(const Region& leaf, const Region& panel) {
    const bool regroup = task_.optimisations.regroup;
    const Places<kPixels> places(panel, space_.open_count);
    constexpr std::uint32_t kAtATime = LateOrbits<Real>::kCapacity;
    for (std::uint32_t first = 0; first < places.count; first += kAtATime) {
      const std::uint32_t last = min(places.count, first + kAtATime);
      std::uint32_t end = regroup ? min(task_.limit, kFirstSteps) : task_.limit;
      for (std::uint32_t i = first + rank_; i < last; i += threads_) {
        const std::uint32_t listed = position_of(places, panel, i);
        const std::uint32_t position = listed % (kPanel * kPanel);
        if (is_known<kPixels>(leaf, panel, position)) continue;
        const Complex<Real> c =
            task_.grid.point_of({space_.re[position % kPanel], space_.im[position / kPanel]});
        if ((kPixels != Pixels::kOpen || listed >= kNearLimit) && this->is_interior(c)) {
          space_.dwells[position] = static_cast<std::uint16_t>(task_.limit);
        } else {
          run_stage<kStride>({c, 0}, c, position, end, 0);
        }
      }
      __syncthreads();
      for (std::uint32_t stage = 1; end < task_.limit; ++stage) {
        const std::uint32_t count = space_.late_count[(stage - 1) % 3];
        if (count == 0) break;
        if (rank_ == 0) space_.late_count[(stage + 1) % 3] = 0;  // all threads have finished with it
        const std::uint32_t done = end;
        // The orbits of a last single warp run to the end, since regrouping has no benefit.
        end = count <= 32 ? task_.limit : min(task_.limit, 2 * end);
        const LateOrbits<Real>& late = space_.late[(stage - 1) % 2];
        for (std::uint32_t i = rank_; i < count; i += threads_) {
          const std::uint32_t position = late.position[i];
          const Complex<Real> c =
              task_.grid.point_of({space_.re[position % kPanel], space_.im[position / kPanel]});
          run_stage<kLongStride>({late.z[i], done}, c, position, end, stage);
        }
        __syncthreads();
      }
      if (rank_ == 0) space_.late_count[0] = space_.late_count[1] = space_.late_count[2] = 0;
      __syncthreads();
    }
  }

  /// Fills the tiles with a uniform border and lists the pixels of the others. One warp processes a tile, one
  /// lane a border pixel: there are at most 32.
  __device__ void close_tiles(const Region& panel) {
    static_assert(4 * kTile <= 32);
    constexpr std::uint32_t kInside = kTile - 1;
    const std::uint32_t columns = tiles_on(panel.width);
    const PanelDivisor by_columns(max(columns, 1u));
    const std::uint32_t tiles = columns * tiles_on(panel.height);
    const std::uint32_t lane = rank_ % 32;
    // All tiles have the same size, except those of the last column and of the last row.
    const Coord32 border_of_whole = border_pixel({0, 0, kTile + 1, kTile + 1}, lane);
    const PanelDivisor by_whole(kInside);
    const PanelDivisor by_last(max(tile_line(panel.width, columns) - (columns - 1) * kTile, 2u) - 1);
    for (std::uint32_t i = rank_ / 32; i < tiles; i += threads_ / 32) {
      const std::uint32_t row = by_columns.divide(i);
      const std::uint32_t column = i - row * columns;
      const std::uint32_t x = column * kTile;
      const std::uint32_t y = row * kTile;
      const Region tile{x, y, tile_line(panel.width, column + 1) - x + 1,
                        tile_line(panel.height, row + 1) - y + 1};
      const Region inside = inside_of(tile);
      if (inside.empty()) continue;
      const bool whole = inside.width == kInside && inside.height == kInside;
      const Coord32 pixel = whole ? Coord32{x + border_of_whole.x, y + border_of_whole.y}
                                  : border_pixel(tile, lane < border_size(tile) ? lane : 0);
      const std::uint32_t dwell = space_.dwells[pixel.y * kPanel + pixel.x];
      const std::uint32_t first = __shfl_sync(0xffffffffu, dwell, 0);
      const bool uniform =
          __all_sync(0xffffffffu, dwell == first) && may_fill(task_.fill, first, task_.limit);
      const bool near_limit = __any_sync(0xffffffffu, dwell == task_.limit);
      const std::uint32_t area = inside.width * inside.height;
      std::uint32_t slot = 0;
      if (lane == 0 && !uniform) slot = atomicAdd(&space_.open_count, area);
      slot = __shfl_sync(0xffffffffu, slot, 0);
      if (lane == 0 && uniform) filled_pixels_ += area;
      const PanelDivisor& by_width = inside.width == kInside ? by_whole : by_last;
      const std::uint32_t corner = inside.y * kPanel + inside.x;
      for (std::uint32_t k = lane; k < area; k += 32) {
        const std::uint32_t v = by_width.divide(k);
        const std::uint32_t position = corner + v * kPanel + k - v * inside.width;
        if (uniform) {
          space_.dwells[position] = static_cast<std::uint16_t>(first);
        } else {
          space_.open[slot + k] = static_cast<std::uint16_t>(position + (near_limit ? kNearLimit : 0));
        }
      }
    }
  }

  __device__ void write_panel(const Region& panel) {
    constexpr std::uint32_t kInVector = sizeof(uint4) / sizeof(std::uint16_t);
    const bool vectors = sizeof(Dwell) == sizeof(std::uint16_t) && panel.width == kPanel &&
                         task_.image.width % kInVector == 0 && panel.x % kInVector == 0;
    if (vectors) {  // the image itself begins at such a boundary
      constexpr std::uint32_t kOfRow = kPanel / kInVector;
      for (std::uint32_t i = rank_; i < panel.height * kOfRow; i += threads_) {
        const std::uint32_t y = i / kOfRow;
        const std::uint32_t x = i % kOfRow * kInVector;
        *reinterpret_cast<uint4*>(&task_.image.at(panel.x + x, panel.y + y)) =
            *reinterpret_cast<const uint4*>(&space_.dwells[y * kPanel + x]);
      }
      return;
    }
    for (std::uint32_t y = rank_ / 32; y < panel.height; y += threads_ / 32) {
      Dwell* row = &task_.image.at(panel.x, panel.y + y);
      for (std::uint32_t x = rank_ % 32; x < panel.width; x += 32) {
        row[x] = static_cast<Dwell>(space_.dwells[y * kPanel + x]);
      }
    }
  }

  Space& space_;
  std::uint32_t border_rounds_ = 0;
  bool all_stay_escaped_ = false;  ///< for the points of the current panel
};

}  // namespace loom::cuda
