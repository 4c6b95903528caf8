#include "app/workspaces/life/document/packed_bits.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Higher levels take longer and hardly reduce the size of living cells.
constexpr int kCompression = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

std::uint64_t parts_for(std::uint64_t cells) {
  return cells / kPackedCells + (cells % kPackedCells != 0 ? 1 : 0);
}

/// A result of Zstandard, unless it is an error.
std::size_t checked(std::size_t result) {
  if (ZSTD_isError(result) != 0)
    throw InputError(fmt::format("its cells cannot be unpacked: {}", ZSTD_getErrorName(result)));
  return result;
}

std::vector<std::string_view> parts_of(std::string_view frames) {
  std::vector<std::string_view> parts;
  while (!frames.empty()) {
    parts.push_back(frames.substr(0, checked(ZSTD_findFrameCompressedSize(frames.data(), frames.size()))));
    frames.remove_prefix(parts.back().size());
  }
  return parts;
}

}  // namespace

std::string pack(const CellBits& bits, ProgressMonitor* watch) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  constexpr std::size_t kPart = kPackedCells / 8;
  std::string frames;
  const ProgressScope call(watch, bits.bytes.size());
  for (std::size_t at = 0; at < bits.bytes.size(); at += kPart) {
    call.check();
    const std::size_t size = std::min(kPart, bits.bytes.size() - at);
    const std::size_t before = frames.size();
    frames.resize(before + ZSTD_compressBound(size));
    const std::size_t packed =
        ZSTD_compress2(context.get(), &frames[before], frames.size() - before, bits.bytes.data() + at, size);
    if (ZSTD_isError(packed) != 0)
      throw std::bad_alloc();  // the output buffer is large enough, so only memory can be missing
    frames.resize(before + packed);
    call.advance(size);
  }
  return frames;
}

CellBits unpack(std::string_view frames, std::uint64_t count, ProgressMonitor* watch) {
  const std::vector<std::string_view> parts = parts_of(frames);
  if (parts.size() != parts_for(count))
    throw InputError(fmt::format("{} parts of cells instead of {}", parts.size(), parts_for(count)));
  CellBits bits{.count = count, .bytes = {}};
  bits.bytes.resize(static_cast<std::size_t>(bytes_of_bits(count)));
  const ProgressScope call(watch, bits.bytes.size());
  std::size_t at = 0;
  for (const std::string_view part : parts) {
    call.check();
    const std::size_t size = std::min<std::size_t>(kPackedCells / 8, bits.bytes.size() - at);
    const std::size_t unpacked = checked(ZSTD_decompress(&bits.bytes[at], size, part.data(), part.size()));
    if (unpacked != size)
      throw InputError(fmt::format("a part of its cells has {} bytes instead of {}", unpacked, size));
    at += size;
    call.advance(size);
  }
  if (count % 8 != 0 && bits.bytes.back() >> (count % 8) != 0)
    throw InputError("it has bits that are not cells");
  return bits;
}

}  // namespace loom::app
