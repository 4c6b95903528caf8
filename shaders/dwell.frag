#version 450 core

// Colours an integer image of dwells by a table from the host. The colour of a smooth dwell, whose lowest
// bits are a fraction, is interpolated between two entries. An image with fewer pixels than its target is
// drawn in larger squares. Variants, since a software rasterizer computes both sides of a branch: TURNED, an
// image that is turned; SCALED, one whose texels are no pixels.
layout(binding = 0) uniform usampler2D dwells;
layout(binding = 1) uniform sampler2D colours;  // 256 x 256, entry = 256 * y + x

uniform ivec4
    image;  // window pixel of the first texel's corner (the top row: rows of the image run down), size
uniform vec2 turn;  // cosine and sine of the angle by which the image is turned clockwise about its middle
uniform int fraction_bits;  // of smooth dwells; 0: whole dwells
uniform int last;           // the last entry: the interior
// The scale of render/dwell_table.h.
uniform uint limit;
uniform uint first;
uniform uint shift;
uniform uint cycle;

out vec4 colour;

vec3 colour_of(int entry) {
  return texelFetch(colours, ivec2(entry & 255, entry >> 8), 0).rgb;
}

// value / divisor for value >= 0 and 0 < divisor < 2^16, without an integer division, which a software
// rasterizer does pixel by pixel. The first estimate leaves at most value / 2^21 + divisor, so that the
// second is off by at most one.
int quotient(int value, int divisor) {
  float reciprocal = 1.0 / float(divisor);
  int result = int(float(value) * reciprocal);
  result += int(floor(float(value - result * divisor) * reciprocal));
  int left = value - result * divisor;
  return left < 0 ? result - 1 : left < divisor ? result : result + 1;
}

int entry_of(uint dwell) {
  if (dwell >= limit || last == 0) return last;
  if (cycle > 0u) return int(dwell) - quotient(int(dwell), int(cycle)) * int(cycle);
  return dwell < first ? 0 : min(int((dwell - first) >> shift), last - 1);
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 place = ivec2(pixel.x - image.x, image.y - pixel.y);
#ifdef TURNED
  vec2 middle = 0.5 * vec2(image.zw);
  vec2 way = vec2(place) + 0.5 - middle;
  place = ivec2(floor(middle + vec2(way.x * turn.x + way.y * turn.y, way.y * turn.x - way.x * turn.y)));
  if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, image.zw))) discard;
#endif
#ifdef SCALED
  ivec2 scaled = place * textureSize(dwells, 0);
  place = ivec2(quotient(scaled.x, image.z), quotient(scaled.y, image.w));
#endif
  uint value = texelFetch(dwells, place, 0).r;
  uint dwell = value >> fraction_bits;
  int entry = entry_of(dwell);
  vec3 shown = colour_of(entry);
  // The interior colour is not a step of the scale, so there is no interpolation towards it.
  uint next = dwell + (1u << shift);
  if (fraction_bits > 0 && dwell >= first && next < limit && entry < last) {
    int next_entry = entry + 1;
    if (next_entry == last) next_entry = cycle > 0u ? 0 : last - 1;
    uint one = 1u << fraction_bits;
    uint in_entry = (dwell - first) & ((1u << shift) - 1u);
    float part = (float(in_entry) + float(value & (one - 1u)) / float(one)) / float(1u << shift);
    if (part > 0.0) shown = mix(shown, colour_of(next_entry), part);
  }
  colour = vec4(shown, 1.0);
}
