#version 450 core

// Draws colours that the host computed, one texel per pixel, without filtering.
layout(binding = 0) uniform sampler2D colours;

uniform ivec2 corner;  // window pixel of the first texel (the top row: rows of the image go downwards)

out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  colour = texelFetch(colours, ivec2(pixel.x - corner.x, corner.y - pixel.y), 0);
}
