#include "app/workspaces/life/document/packed_bits.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Higher levels take longer and hardly reduce the size of living cells.
constexpr int kCompression = 3;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

std::uint64_t frames_of(std::uint64_t cells) {
  return cells / kPackedCells + (cells % kPackedCells != 0 ? 1 : 0);
}

}  // namespace

std::vector<std::string> pack(const CellBits& bits, ProgressMonitor* watch) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  constexpr std::size_t kPart = kPackedCells / 8;
  std::vector<std::string> frames;
  const ProgressScope call(watch, bits.bytes.size());
  for (std::size_t at = 0; at < bits.bytes.size(); at += kPart) {
    call.check();
    const std::size_t size = std::min(kPart, bits.bytes.size() - at);
    std::string frame(ZSTD_compressBound(size), '\0');
    const std::size_t packed =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), bits.bytes.data() + at, size);
    if (ZSTD_isError(packed) != 0)
      throw std::bad_alloc();  // the output buffer is large enough, so only memory can be missing
    frame.resize(packed);
    frame.shrink_to_fit();
    frames.push_back(std::move(frame));
    call.advance(size);
  }
  return frames;
}

CellBits unpack(const std::vector<std::string>& frames, std::uint64_t count, ProgressMonitor* watch) {
  if (frames.size() != frames_of(count)) {
    throw InputError(fmt::format("{} parts of cells instead of {}", frames.size(), frames_of(count)));
  }
  CellBits bits{.count = count, .bytes = {}};
  bits.bytes.resize(static_cast<std::size_t>(bytes_of_bits(count)));
  const ProgressScope call(watch, bits.bytes.size());
  std::uint8_t* to = bits.bytes.data();
  for (const std::string& frame : frames) {
    call.check();
    const auto left = static_cast<std::uint64_t>(bits.bytes.data() + bits.bytes.size() - to);
    const auto size = static_cast<std::size_t>(std::min(kPackedCells / 8, left));
    const std::size_t unpacked = ZSTD_decompress(to, size, frame.data(), frame.size());
    if (ZSTD_isError(unpacked) != 0) {
      throw InputError(fmt::format("its cells cannot be unpacked: {}", ZSTD_getErrorName(unpacked)));
    }
    if (unpacked != size) {
      throw InputError(fmt::format("a part of its cells has {} bytes instead of {}", unpacked, size));
    }
    to += size;
    call.advance(size);
  }
  if (count % 8 != 0 && bits.bytes.back() >> (count % 8) != 0)
    throw InputError("it has bits that are not cells");
  return bits;
}

}  // namespace loom::app
