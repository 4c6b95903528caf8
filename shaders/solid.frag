#version 450 core

// Colours an integer image of a three-dimensional fractal. The lowest nine bits of a pixel select a colour from the host's
// table: state, face and ambient occlusion. The rest is the depth, with which the colour fades into the background. An
// image with fewer pixels than its target is drawn in larger squares.
layout(binding = 0) uniform usampler2D pixels;
layout(binding = 1) uniform sampler2D colours;  // 512 x 1; the first entry is the background

uniform ivec4 image;  // window pixel of the first texel's corner (the top row: rows of the image run down), size
uniform float haze;   // how far the farthest point fades

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  ivec2 place = ivec2(pixel.x - image.x, image.y - pixel.y);
  uint value = texelFetch(pixels, place * textureSize(pixels, 0) / image.zw, 0).r;
  vec3 background = texelFetch(colours, ivec2(0), 0).rgb;
  float depth = float(value >> 9) / 8388607.0;
  vec3 shown = texelFetch(colours, ivec2(int(value & 511u), 0), 0).rgb;
  colour = vec4(mix(shown, background, (value & 1u) == 0u ? 0.0 : haze * depth), 1.0);
}
