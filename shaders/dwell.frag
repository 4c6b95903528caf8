#version 450 core

// Colours an integer image of dwells. A table from the host has the colour of every dwell; the colour of a smooth dwell,
// whose lowest bits are a fraction, is interpolated between two entries. An image with fewer pixels than its target is
// drawn in larger squares.
layout(binding = 0) uniform usampler2D dwells;
layout(binding = 1) uniform sampler2D colours;  // 256 x 256, dwell = 256 * y + x

uniform ivec4 image;        // window pixel of the first texel's corner (the top row: rows of the image run down), size
uniform int fraction_bits;  // 0, or 16 for smooth dwells
uniform int limit;          // the dwell limit: the interior

out vec4 colour;

vec3 colour_of(int dwell) {
  return texelFetch(colours, ivec2(dwell & 255, dwell >> 8), 0).rgb;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 place = ivec2(pixel.x - image.x, image.y - pixel.y);
  uint value = texelFetch(dwells, place * textureSize(dwells, 0) / image.zw, 0).r;
  int dwell = min(int(value >> fraction_bits), limit);
  uint one = 1u << fraction_bits;
  float part = float(value & (one - 1u)) / float(one);
  vec3 shown = colour_of(dwell);
  // The interior colour is not a step of the scale, so there is no interpolation towards it.
  if (part > 0.0 && dwell + 1 < limit) shown = mix(shown, colour_of(dwell + 1), part);
  colour = vec4(shown, 1.0);
}
