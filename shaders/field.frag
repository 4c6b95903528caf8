#version 450 core

// Colours the integer image that compute resolved: one texel per pixel, without filtering. A table that the host computed
// from the palette has the colour of each of the 65536 values, so that no arithmetic here can differ from the host's.
layout(binding = 0) uniform usampler2D values;
layout(binding = 1) uniform sampler2D colours;  // 256 x 256, value = 256 * y + x

// Texel of window pixel (0, 0). Rows of the image run down, rows of the window run up.
uniform ivec2 first_texel;

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 texel = ivec2(first_texel.x + pixel.x, first_texel.y - pixel.y);
  uint value = texelFetch(values, texel, 0).r;
  colour = texelFetch(colours, ivec2(value & 255u, value >> 8), 0);
}
