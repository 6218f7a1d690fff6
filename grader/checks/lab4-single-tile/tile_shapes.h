// The tiles that lab4-single-tile is tested with: entry.cu has a launcher made for each of them and
// the checks call it. A row is a multiple of 16 bytes of bfloat16, as a tensor map demands.
#pragma once

struct TileShape {
  int rows;
  int columns;
};

inline constexpr TileShape kTileShapes[] = {{64, 128}, {128, 64}, {32, 8},   {1, 8},
                                            {8, 256},  {3, 24},   {256, 16}, {2, 16},
                                            {17, 40},  {256, 64}, {96, 200}};
inline constexpr int kTileShapeCount = sizeof kTileShapes / sizeof kTileShapes[0];
