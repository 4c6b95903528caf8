#version 450 core

// As field.frag, for cells smaller than two pixels: an isolated living pixel is drawn as a square of 2 x 2 pixels
// (render/isolated_cells.h), so that it is seen from a distance.
layout(binding = 0) uniform usampler2D values;
layout(binding = 1) uniform sampler2D colours;  // 256 x 256, value = 256 * y + x

uniform ivec2 first_texel;

out vec4 colour;

uint value_at(ivec2 texel) {
  bool inside = all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, textureSize(values, 0)));
  return inside ? texelFetch(values, texel, 0).r : 0u;
}

bool is_isolated(ivec2 texel) {
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      if ((x != 0 || y != 0) && value_at(texel + ivec2(x, y)) > 1u) return false;
    }
  }
  return true;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 texel = ivec2(first_texel.x + pixel.x, first_texel.y - pixel.y);
  uint value = value_at(texel);
  if (value <= 1u) {
    for (int i = 1; i < 4; ++i) {
      ivec2 other = texel - ivec2(i & 1, i >> 1);
      uint living = value_at(other);
      if (living > value && living > 1u && is_isolated(other)) value = living;
    }
  }
  colour = texelFetch(colours, ivec2(value & 255u, value >> 8), 0);
}
