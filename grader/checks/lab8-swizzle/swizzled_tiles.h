// The swizzled tiles that lab8-swizzle is tested with: entry.cu has a launcher made for each of
// them and the checks call it.
#pragma once

struct SwizzledTile {
  int rows;
  int columns;  // bytes; the swizzle's, too
  int offset;   // lines of 128 bytes past the array's beginning
};

inline constexpr SwizzledTile kSwizzledTiles[] = {
    {1, 64, 0},  {1, 64, 1},  {1, 64, 2},  {1, 64, 3},   {2, 64, 1},   {16, 64, 0}, {17, 64, 3},
    {1, 32, 0},  {1, 32, 1},  {1, 32, 3},  {3, 32, 2},   {32, 32, 0},  {1, 128, 0}, {1, 128, 1},
    {1, 128, 5}, {1, 128, 6}, {3, 128, 7}, {64, 128, 0}, {33, 128, 4},
};
inline constexpr int kSwizzledTileCount = sizeof kSwizzledTiles / sizeof kSwizzledTiles[0];
