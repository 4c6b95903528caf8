#version 450 core

// As field.frag, for cells smaller than two pixels: an isolated living pixel is drawn as a square of 2 x 2 pixels
// (render/isolated_cells.h), so that it is seen from a distance.
layout(binding = 0) uniform usampler2D values;  // 0 outside
layout(binding = 1) uniform sampler2D colours;  // 256 x 256, value = 256 * y + x

uniform ivec2 first_texel;

out vec4 colour;

// The values of texels (x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y).
uvec4 four(ivec2 texel) {
  return textureGather(values, vec2(texel + 1) / vec2(textureSize(values, 0)));
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 texel = ivec2(first_texel.x + pixel.x, first_texel.y - pixel.y);
  // 4 x 4 texels, from two before to one after the pixel's.
  uvec4 a = four(texel + ivec2(-2, -2));
  uvec4 b = four(texel + ivec2(0, -2));
  uvec4 c = four(texel + ivec2(-2, 0));
  uvec4 d = four(texel);
  uint value = d.w;
  // A living neighbour before it, if no other texel around that one is living.
  uint left = max(max(max(a.x, a.y), max(b.x, c.w)), max(max(c.x, c.y), max(d.w, d.x)));
  uint above = max(max(max(a.z, a.y), max(b.w, b.z)), max(max(b.y, c.z), max(d.w, d.z)));
  uint before = max(max(max(a.w, a.z), max(b.w, a.x)), max(max(b.x, c.w), max(c.z, d.w)));
  uint enlarged = 0u;
  if (left <= 1u) enlarged = c.z;
  if (above <= 1u) enlarged = max(enlarged, b.x);
  if (before <= 1u) enlarged = max(enlarged, a.y);
  if (value <= 1u && enlarged > 1u) value = enlarged;
  colour = texelFetch(colours, ivec2(value & 255u, value >> 8), 0);
}
