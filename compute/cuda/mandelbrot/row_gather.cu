#include <algorithm>

#include "compute/cuda/check.h"
#include "compute/cuda/distributed/copy_segments.h"
#include "compute/cuda/mandelbrot/row_gather.h"

namespace loom::cuda {
namespace {

/// Row blockIdx.y of the table: a contiguous range of rows, chunk by chunk.
template <typename Chunk>
__global__ void gather_rows_kernel(const Chunk* __restrict__ from, Chunk* __restrict__ to,
                                   const RowRange* rows, std::uint64_t chunks_of_row) {
  const RowRange range = rows[blockIdx.y];
  const std::uint64_t end = range.end * chunks_of_row;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = range.first * chunks_of_row + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < end; i += stride) {
    to[i] = from[i];
  }
}

constexpr unsigned kThreads = 256;
constexpr std::size_t kMaxPieces = 65535;  ///< per launch: the limit of the grid's y dimension

template <typename Chunk>
void launch_gather(const void* from, void* to, const RowRange* rows, std::size_t pieces,
                   std::uint64_t row_bytes, std::uint64_t rows_in_all, const Stream& stream) {
  const std::uint64_t chunks_of_row = row_bytes / sizeof(Chunk);
  // One thread per chunk, so that all transfers are in flight concurrently.
  const std::uint64_t of_piece = (rows_in_all * chunks_of_row + pieces - 1) / pieces;
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(of_piece / kThreads, 1, 1024));
  for (std::size_t first = 0; first < pieces; first += kMaxPieces) {
    const auto some = static_cast<unsigned>(std::min(pieces - first, kMaxPieces));
    gather_rows_kernel<Chunk><<<dim3(blocks, some), kThreads, 0, stream.get()>>>(
        static_cast<const Chunk*>(from), static_cast<Chunk*>(to), rows + first, chunks_of_row);
    LOOM_CUDA(cudaGetLastError());
  }
}

}  // namespace

bool RowGather::can_access_peer(int other) {
  if (other == device_ || std::ranges::find(peers_, other) != peers_.end()) return true;
  const bool reached = enable_peer_access({device_, other});
  LOOM_CUDA(cudaSetDevice(device_));
  if (reached) peers_.push_back(other);
  return reached;
}

RowGather::Source& RowGather::source(std::size_t number, int device) {
  if (sources_.size() <= number) sources_.resize(number + 1);
  Source& source = sources_[number];
  if (source.device == device) return source;
  source.written.reset();
  LOOM_CUDA(cudaSetDevice(device));
  source.written.emplace();
  LOOM_CUDA(cudaSetDevice(device_));
  source.device = device;
  return source;
}

void RowGather::gather(std::span<const PartitionImage> from, void* to, std::uint64_t row_bytes) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const ImageView& image = from[i].image;
    Source& source = this->source(i, image.stream.device);
    source.written->record(image.stream.handle);
    source.written->make_wait(stream_.get());
    if (from[i].rows.empty()) continue;
    if (!std::ranges::equal(source.rows, from[i].rows)) {
      source.table.reserve(from[i].rows.size());
      source.rows.assign(from[i].rows.begin(), from[i].rows.end());
      LOOM_CUDA(cudaMemcpyAsync(source.table.data(), source.rows.data(),
                                source.rows.size() * sizeof(RowRange), cudaMemcpyHostToDevice,
                                stream_.get()));
    }
    const std::uint64_t rows = count_rows(source.rows);
    const auto copy = row_bytes % sizeof(uint4) == 0      ? launch_gather<uint4>
                      : row_bytes % sizeof(uint32_t) == 0 ? launch_gather<std::uint32_t>
                                                          : launch_gather<std::uint16_t>;
    copy(image.pixels, to, source.table.data(), source.rows.size(), row_bytes, rows, stream_);
  }
  read_.record(stream_.get());
  for (const PartitionImage& part : from) read_.make_wait(part.image.stream.handle);
}

}  // namespace loom::cuda
