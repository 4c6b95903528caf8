#include <algorithm>
#include <array>
#include <utility>

#include "compute/cuda/bits/catalog_program.cuh"
#include "compute/cuda/bits/plane_patches.h"
#include "compute/geometry/plane_patch.h"

namespace loom::cuda {
namespace {

constexpr unsigned kMaxThreads = 288;

/// The planes whose words are read by other groups, each once.
struct EdgePlanes {
  int count = 0;
  int planes[kMaxPlanes] = {};
  constexpr int find(int plane) const {
    int at = 0;
    while (at < count && planes[at] != plane) ++at;
    return at;
  }
};
constexpr EdgePlanes edge_planes(const PlaneProgram& program) {
  EdgePlanes edges;
  for (int i = 0; i < program.halo_word_count; ++i) {
    const int plane = program.halo_words[i].plane;
    if (edges.find(plane) == edges.count) edges.planes[edges.count++] = plane;
  }
  return edges;
}
template <typename Of>
struct EdgesOf {
  static constexpr EdgePlanes kEdges = edge_planes(Of::kProgram);
};

/// The data about a patch that its threads need.
struct PatchGroups {
  std::uint32_t groups = 0;  ///< of the partition
  std::uint32_t first = 0;   ///< first patch of the launch
  std::uint32_t inside = 0;
  std::uint32_t members = 0;
  const std::uint16_t* beside = nullptr;
  const std::uint32_t* halo = nullptr;
  GroupNeighbours neighbours = {};
};

/// For a boundary that is the patch of a single thread block: its groups, and the words of inner groups that
/// are sent.
struct ListedPatch {
  const std::uint32_t* groups = nullptr;
  const std::uint32_t* sent = nullptr;  ///< inner members
  std::uint32_t sent_count = 0;
  void* messages = nullptr;  ///< send buffer, member after member
};

/// The rules that kernels are compiled for, which removes two fifths of the logic operations: the papers'
/// rule, Conway's rule, and any rule.
enum class KnownRule { kAny, kAuthors, kConway };
constexpr LifeRule kAuthorsRule{1u << 2, 1u << 2 | 1u << 3};
constexpr LifeRule kConwaysRule{1u << 3, 1u << 2 | 1u << 3};
template <KnownRule kRule>
__device__ __forceinline__ CountRule as_known(const CountRule& rule) {
  if constexpr (kRule == KnownRule::kAuthors) {
    return CountRule(kAuthorsRule);
  } else if constexpr (kRule == KnownRule::kConway) {
    return CountRule(kConwaysRule);
  } else {
    return rule;
  }
}

/// One group per thread, one patch per thread block. The results of halo threads are correct only as long as
/// they matter, and are not stored. `counts` may be null: a separate kernel for that case would gain at most
/// 0.00003 ms. kListed: the groups are those of a list, and the inner groups are written in the order of the
/// list.
template <typename Of, KnownRule kRule, bool kListed>
__global__ void __launch_bounds__(kMaxThreads)
    step_patches_kernel(const __grid_constant__ PatchGroups patch, const typename Of::Word* __restrict__ from,
                        typename Of::Word* __restrict__ to, std::uint16_t* __restrict__ counts,
                        const __grid_constant__ CountRule any_rule, int generations,
                        const __grid_constant__ ListedPatch listed) {
  const CountRule rule = as_known<kRule>(any_rule);
  using Word = typename Of::Word;
  constexpr int kEdges = EdgesOf<Of>::kEdges.count;
  // [generation % 2][edge][member]; the last member represents no group and has no living cells.
  extern __shared__ __align__(8) unsigned char shared[];
  Word* const edges = reinterpret_cast<Word*>(shared);
  const std::uint32_t member = threadIdx.x;
  const std::uint32_t row = patch.members + 1;
  const std::uint32_t first_group = (patch.first + blockIdx.x) * patch.inside;

  std::uint32_t group = GroupNeighbours::kNone;
  if constexpr (kListed) {
    if (member < patch.members) group = listed.groups[member];
  } else if (member < patch.inside) {
    group = first_group + member;
  } else if (member < patch.members) {
    const std::uint32_t at = patch.halo[member - patch.inside];
    group = patch.neighbours.beside(first_group + (at & 0xffffu), static_cast<int>(at >> 16));
  }
  const bool exists = kListed ? member < patch.members : group < patch.groups;
  std::uint32_t beside[kDirections];
  unroll<kDirections>([&](auto g) {
    if constexpr (Of::kProgram.halo_directions >> decltype(g)::value & 1u) {
      beside[g] = member < patch.members ? patch.beside[g * patch.members + member] : PlanePatch::kNone;
      if (beside[g] == PlanePatch::kNone) beside[g] = patch.members;
    }
  });
  const std::uint64_t base = first_word<Of::kPlanes>(group);
  Halves<Of> own[Of::kPlanes];
  unroll<Of::kPlanes>([&](auto p) { own[p] = halves_of<Of>(exists ? __ldg(from + base + p * 32) : 0); });
  // Missing groups stay empty for all threads that read them, even if the rule lets dead cells without
  // neighbours become alive.
  if (!exists && member < patch.members) {
    for (std::uint32_t i = member; i < 2 * kEdges * row; i += row) edges[i] = 0;
  }
  if (member == 0) {
    for (std::uint32_t i = patch.members; i < 2 * kEdges * row; i += row) edges[i] = 0;
  }

  const auto used = halves_of<Of>(static_cast<Word>(Of::kProgram.word_mask));
  Halves<Of> none;
  unroll<Of::kHalves>([&](auto h) { none.half[h] = rule.base[0][0] & used.half[h]; });
  for (int generation = 0; generation < generations; ++generation) {
    Word* const seen = edges + (generation & 1) * (kEdges * row);
    if (exists) {
      unroll<kEdges>([&](auto e) {
        constexpr int kPlane = EdgesOf<Of>::kEdges.planes[decltype(e)::value];
        seen[e * row + member] = whole<Of>(own[kPlane]);
      });
    }
    if constexpr (kEdges > 0) __syncthreads();
    Halves<Of> halo[Of::kHaloWords > 0 ? Of::kHaloWords : 1];
    unroll<Of::kHaloWords>([&](auto i) {
      constexpr PlaneProgram::HaloWord kHaloWord = Of::kProgram.halo_words[decltype(i)::value];
      constexpr int kEdge = EdgesOf<Of>::kEdges.find(kHaloWord.plane);
      halo[i] = halves_of<Of>(seen[kEdge * row + beside[kHaloWord.direction]]);
    });
    Halves<Of> next[Of::kPlanes];
    next_of_planes<Of>(rule, none, own, halo, [&](auto p, const Halves<Of>& word) { next[p] = word; });
    unroll<Of::kPlanes>([&](auto p) { own[p] = next[p]; });
  }
  if constexpr (kListed) {
    if (member < patch.inside)
      unroll<Of::kPlanes>([&](auto p) { to[first_word<Of::kPlanes>(member) + p * 32] = whole<Of>(own[p]); });
    __syncthreads();
    auto* const messages = static_cast<Word*>(listed.messages);
    for (std::uint32_t i = member; i < listed.sent_count * Of::kPlanes; i += blockDim.x)
      messages[i] = to[first_word<Of::kPlanes>(listed.sent[i / Of::kPlanes]) + i % Of::kPlanes * 32];
    return;
  }
  if (member >= patch.inside) return;
  std::uint32_t living[1] = {};
  unroll<Of::kPlanes>([&](auto p) {
    const Word word = whole<Of>(own[p]);
    to[base + p * 32] = word;
    add_living<1>(word, living);
  });
  if (counts != nullptr) counts[group] = static_cast<std::uint16_t>(living[0]);
}

struct PatchStep {
  PatchGroups patch;
  unsigned blocks;
  const void* now;
  void* next;
  std::uint16_t* counts;
  LifeRule rule;
  int generations;
  cudaStream_t stream;
  ListedPatch listed = {};
};

template <int kFractal>
void step_catalog(const PatchStep& step) {
  using Of = CatalogProgram<kFractal>;
  using Word = typename Of::Word;
  static_assert(Of::kProgram.groups_in_word == 1);
  const unsigned threads = (step.patch.members + 31) / 32 * 32;
  const unsigned shared = 2 * EdgesOf<Of>::kEdges.count * (step.patch.members + 1) * sizeof(Word);
  const auto launch = [&]<KnownRule kRule, bool kListed = false>() {
    step_patches_kernel<Of, kRule, kListed><<<step.blocks, threads, shared, step.stream>>>(
        step.patch, static_cast<const Word*>(step.now), static_cast<Word*>(step.next), step.counts,
        CountRule(step.rule), step.generations, step.listed);
  };
  if (step.listed.groups != nullptr) {
    launch.template operator()<KnownRule::kAny, true>();
  } else if (step.rule == kAuthorsRule) {
    launch.template operator()<KnownRule::kAuthors>();
  } else if (step.rule == kConwaysRule) {
    launch.template operator()<KnownRule::kConway>();
  } else {
    launch.template operator()<KnownRule::kAny>();
  }
}

template <int kFractal>
constexpr auto catalog_step() -> void (*)(const PatchStep&) {
  if constexpr (kCatalogShapes[kFractal].generations_per_launch > 1) {
    return &step_catalog<kFractal>;
  } else {
    return nullptr;
  }
}
template <std::size_t... kFractal>
constexpr auto catalog_steps(std::index_sequence<kFractal...>) {
  return std::array{catalog_step<static_cast<int>(kFractal)>()...};
}
constexpr auto kCatalogSteps = catalog_steps(std::make_index_sequence<kCatalogShapes.size()>{});

/// Of the patches that fit into a thread block, the one with the largest share of threads with inner groups;
/// the smallest of several equal ones.
PlanePatch best_patch(const BitPlanes& planes, int generations) {
  PlanePatch best;
  double best_use = 0;
  for (int levels = 0; small_power(planes.shape.k, levels) <= kMaxThreads; ++levels) {
    PlanePatch patch = make_plane_patch(planes, levels, generations, kMaxThreads);
    if (patch.members == 0) continue;
    const double use = static_cast<double>(patch.inside) / ((patch.members + 31) / 32 * 32);
    if (use <= best_use) continue;
    best_use = use;
    best = std::move(patch);
  }
  return best;
}

}  // namespace

PlanePatches::PlanePatches(const BitPlanes& planes, int catalog)
    : catalog_(catalog), groups_(planes.groups), steps_(steps_of_words(planes)) {
  if (catalog < 0) return;
  const int generations = kCatalogShapes[static_cast<std::size_t>(catalog)].generations_per_launch;
  if (generations < 2) return;
  const PlanePatch patch = best_patch(planes, generations);
  if (patch.members == 0) return;
  // a partition cuts some replicas.
  if (planes.first_group % patch.inside != 0 || planes.groups % patch.inside != 0) return;
  inside_ = patch.inside;
  members_ = patch.members;
  most_ = static_cast<std::uint32_t>(patch.generations);
  std::vector<std::uint32_t> halo;
  for (const PlanePatch::HaloMember& at : patch.halo)
    halo.push_back(std::uint32_t{at.direction} << 16 | at.inside);
  neighbours_.reserve(patch.beside.size());
  LOOM_CUDA(cudaMemcpy(neighbours_.data(), patch.beside.data(), patch.beside.size() * sizeof(std::uint16_t),
                       cudaMemcpyHostToDevice));
  if (halo.empty()) return;
  halo_.reserve(halo.size());
  LOOM_CUDA(
      cudaMemcpy(halo_.data(), halo.data(), halo.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
}

std::uint32_t PlanePatches::generations_per_launch(std::uint32_t times) const {
  return members_ == 0 ? std::min(times, 1u) : std::min(times, most_);
}

bool PlanePatches::can_hold(const PlaneBoundary& halo) const {
  return members_ > 0 && halo.listed.size() <= kMaxThreads;
}

std::vector<std::uint16_t> PlanePatches::patch_neighbours(const PlaneBoundary& halo) {
  std::vector<std::uint16_t> beside;
  for (const std::uint32_t place : halo.listed_neighbours)
    beside.push_back(place == GroupNeighbours::kNone ? PlanePatch::kNone : static_cast<std::uint16_t>(place));
  return beside;
}

void PlanePatches::step_boundary(const void* now, void* next, const BoundaryPatch& halo, LifeRule rule,
                                 std::uint32_t generations, const Stream& stream) const {
  PatchStep step{{.groups = groups_, .inside = halo.inside, .members = halo.members, .beside = halo.beside},
                 1,
                 now,
                 next,
                 nullptr,
                 rule,
                 static_cast<int>(generations),
                 stream.get()};
  step.listed = {halo.groups, halo.sent, halo.sent_count, halo.messages};
  kCatalogSteps[static_cast<std::size_t>(catalog_)](step);
  LOOM_CUDA(cudaGetLastError());
}

void PlanePatches::step(const void* now, void* next, std::uint16_t* counts, LifeRule rule,
                        std::uint32_t generations, const GroupNeighbours& neighbours,
                        const LaunchSlices& slices, const Stream& stream) const {
  slices.each_block(groups_ / inside_, steps_ * members_ * generations,
                    [&](std::uint64_t first, std::uint64_t end) {
                      kCatalogSteps[static_cast<std::size_t>(catalog_)](
                          {{groups_, static_cast<std::uint32_t>(first), inside_, members_, neighbours_.data(),
                            halo_.data(), neighbours},
                           static_cast<unsigned>(end - first),
                           now,
                           next,
                           counts,
                           rule,
                           static_cast<int>(generations),
                           stream.get()});
                      LOOM_CUDA(cudaGetLastError());
                    });
}

}  // namespace loom::cuda
