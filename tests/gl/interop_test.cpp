#include <cuda_runtime_api.h>
#include <glad/gl.h>

#include <cstdint>
#include <random>
#include <vector>

#include "gl_fixture.h"
#include "render/display_texture.h"

namespace loom::render {
namespace {

#define ASSERT_CUDA(call) ASSERT_EQ(cudaSuccess, call)

/// Copies device memory into the texture through CUDA-OpenGL interop and reads it back through OpenGL.
/// Skipped if OpenGL does not render on a CUDA device; otherwise, a failed registration is an error.
class InteropTest : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(error);
    }
    context_ = make_offscreen({64, 64}, 0);
    if (context_->cuda_device() < 0) {
      GTEST_SKIP() << "OpenGL is drawn by " << context_->info().renderer << ", not by a CUDA device";
    }
    ASSERT_CUDA(cudaSetDevice(context_->cuda_device()));
    ASSERT_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  void TearDown() override {
    if (stream_ != nullptr) {
      EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
    }
    if (context_ == nullptr) return;
    for (const std::string& message : take_gl_messages()) ADD_FAILURE() << message;
  }

  /// Fills device memory of the given pitch with random values, copies it into the texture and compares.
  void copy_and_compare(DisplayTexture& texture, std::size_t pitch_pixels, unsigned seed) {
    const glm::ivec2 size = texture.size();
    std::vector<std::uint16_t> rows(pitch_pixels * static_cast<std::size_t>(size.y));
    std::mt19937 random(seed);
    for (std::uint16_t& value : rows) value = static_cast<std::uint16_t>(random());
    void* device = nullptr;
    ASSERT_CUDA(cudaMalloc(&device, rows.size() * 2));
    ASSERT_CUDA(cudaMemcpyAsync(device, rows.data(), rows.size() * 2, cudaMemcpyHostToDevice, stream_));
    texture.copy_from_cuda(device, pitch_pixels * 2, stream_);
    ASSERT_CUDA(cudaStreamSynchronize(stream_));
    const auto milliseconds = texture.take_copy_milliseconds();
    ASSERT_TRUE(milliseconds.has_value());
    EXPECT_GT(*milliseconds, 0);
    EXPECT_LT(*milliseconds, 1000);
    EXPECT_FALSE(texture.take_copy_milliseconds().has_value()) << "the time can be taken only once";
    ASSERT_CUDA(cudaFree(device));

    std::vector<std::uint16_t> read(static_cast<std::size_t>(size.x) * size.y);
    glPixelStorei(GL_PACK_ALIGNMENT, 2);
    glGetTextureImage(texture.gl_name(), 0, GL_RED_INTEGER, GL_UNSIGNED_SHORT,
                      static_cast<GLsizei>(read.size() * 2), read.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x) {
        ASSERT_EQ(read[static_cast<std::size_t>(y) * size.x + x], rows[y * pitch_pixels + x])
            << size.x << " x " << size.y << " at " << x << ", " << y;
      }
    }
  }

  std::unique_ptr<GraphicsContext> context_;
  cudaStream_t stream_ = nullptr;
};

TEST_F(InteropTest, CopiesEveryIntegerAtEverySizeAndPitch) {
  DisplayTexture texture(context_->cuda_device());
  unsigned seed = 1;
  for (const glm::ivec2 size :
       {glm::ivec2{1, 1}, glm::ivec2{7, 5}, glm::ivec2{97, 61}, glm::ivec2{1280, 720}, glm::ivec2{3, 200}}) {
    texture.resize(size);
    ASSERT_TRUE(texture.interop()) << texture.interop_reason();
    EXPECT_TRUE(texture.interop_reason().empty());
    for (const std::size_t padding : {0u, 1u, 64u}) {
      copy_and_compare(texture, static_cast<std::size_t>(size.x) + padding, seed++);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(InteropTest, HostUploadsAndCopiesTakeTurns) {
  DisplayTexture texture(context_->cuda_device());
  texture.resize({33, 9});
  ASSERT_TRUE(texture.interop()) << texture.interop_reason();
  for (unsigned round = 0; round < 5; ++round) {
    const std::vector<std::uint16_t> host(33 * 9, static_cast<std::uint16_t>(round));
    texture.upload(host.data(), 66);
    copy_and_compare(texture, 33, 100 + round);
    if (HasFatalFailure()) return;
  }
}

TEST_F(InteropTest, ADeviceThatIsNotThereIsRefusedInWords) {
  DisplayTexture texture(4711);
  EXPECT_FALSE(texture.interop());
  EXPECT_EQ(texture.interop_reason().rfind("CUDA device 4711 does not draw this OpenGL context: ", 0), 0u)
      << texture.interop_reason();
}

TEST_F(InteropTest, RowsThatAreTooShortAreRefused) {
  DisplayTexture texture(context_->cuda_device());
  texture.resize({16, 16});
  ASSERT_TRUE(texture.interop()) << texture.interop_reason();
  EXPECT_THROW(texture.copy_from_cuda(nullptr, 31, stream_), std::invalid_argument);
}

TEST_F(InteropTest, CopyErrorsThrowAndTheTextureStaysUsable) {
  DisplayTexture texture(context_->cuda_device());
  texture.resize({16, 16});
  ASSERT_TRUE(texture.interop()) << texture.interop_reason();
  EXPECT_THROW(texture.copy_from_cuda(nullptr, 32, stream_), std::runtime_error);
  copy_and_compare(texture, 16, 5);
}

}  // namespace
}  // namespace loom::render
