#version 450 core

// Colours an integer image of a three-dimensional fractal. The lowest nine bits of a pixel select a colour from the host's
// table: state, face and ambient occlusion. The next eight, if not 0, select the colour of a density or a colouring instead, and
// the table its light. Translucent empty tiles lie in front of the cell, or of the background. The colour of the cell fades into the
// background with its depth. An image with fewer pixels than its target is drawn in larger squares.
layout(binding = 0) uniform usampler2D pixels;
layout(binding = 1) uniform sampler2D colours;  // 512 x 1, alpha the light
layout(binding = 2) uniform sampler2D values;   // 256 x 1, by colour value

uniform ivec4 image;  // window pixel of the first texel's corner (the top row: rows of the image run down), size
uniform float haze;   // how far the farthest point fades
uniform vec3 empty;   // colour of empty tiles
uniform vec3 top;     // the background at the top of the picture
uniform vec3 bottom;

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 place = ivec2(pixel.x - image.x, image.y - pixel.y);
  uint value = texelFetch(pixels, place * textureSize(pixels, 0) / image.zw, 0).r;
  vec3 background = mix(top, bottom, (float(place.y) + 0.5) / float(image.w));
  bool hit = (value & 1u) != 0u;
  vec4 shown = texelFetch(colours, ivec2(int(value & 511u), 0), 0);
  uint number = value >> 9 & 255u;
  if (number != 0u) shown.rgb = texelFetch(values, ivec2(int(number), 0), 0).rgb * shown.a;
  float depth = float(value >> 24) / 255.0;
  vec3 cell = mix(shown.rgb, background, hit ? haze * depth : 1.0);
  colour = vec4(mix(cell, empty, float(value >> 17 & 127u) / 127.0), 1.0);
}
