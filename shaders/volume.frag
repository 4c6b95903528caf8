#version 450 core

// Colours an integer image of a set in space (compute/solid/volume_rays.h). The colour value selects from the host's table; the
// light is that of the sun and the sky, whose shadows are blue. The surface fades into the background with its depth. An image with
// fewer pixels than its target is drawn in larger squares.
layout(binding = 0) uniform usampler2D pixels;
layout(binding = 2) uniform sampler2D values;  // 256 x 1, by colour value

uniform ivec4 image;  // window pixel of the first texel's corner (the top row: rows of the image run down), size
uniform float haze;   // how far the farthest point fades
uniform vec3 top;     // the background at the top of the picture
uniform vec3 bottom;

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 place = ivec2(pixel.x - image.x, image.y - pixel.y);
  uint value = texelFetch(pixels, place * textureSize(pixels, 0) / image.zw, 0).r;
  vec3 background = mix(top, bottom, (float(place.y) + 0.5) / float(image.w));
  float light = float(value >> 1 & 255u) / 255.0;
  vec3 shown = texelFetch(values, ivec2(int(value >> 9 & 255u), 0), 0).rgb;
  shown *= light * mix(vec3(0.62, 0.78, 1.0), vec3(1.0), light);
  float depth = float(value >> 21) / 2047.0;
  shown = mix(shown, background, (value & 1u) != 0u ? haze * depth : 1.0);
  // The edge of a filled box, nearer ones clearer.
  uint box = value >> 17 & 15u;
  if (box != 0u) shown = mix(shown, texelFetch(values, ivec2(238 + int(box), 0), 0).rgb, 0.85 - 0.5 * depth);
  colour = vec4(shown, 1.0);
}
