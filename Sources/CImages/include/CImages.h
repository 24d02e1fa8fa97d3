#pragma once
#include <stddef.h>
#include <stdint.h>

// Decoders of images and libchafa, each opened when it is needed; see Decoder.h.

// What came of it: also what the process that decodes exits with.
#define OFFREAD_IMAGE_DONE 0
#define OFFREAD_IMAGE_UNKNOWN 65
#define OFFREAD_IMAGE_DAMAGED 66
#define OFFREAD_IMAGE_LARGE 67
#define OFFREAD_IMAGE_MISSING 68
#define OFFREAD_IMAGE_MOVING 69
#define OFFREAD_IMAGE_SYMBOLS_MISSING 70

// The most pixels of an image.
#define OFFREAD_IMAGE_LIMIT 50000000

struct offread_image {
  // As the file has it.
  uint32_t source_width, source_height;
  // As it was scaled down.
  uint32_t width, height;
  // Red, green, blue and opacity, row by row; `free` gives it back.
  uint8_t *pixels;
};

// Opens the library for what the first bytes show.
int offread_image_open(const uint8_t *bytes, size_t length);

// The name of a format, counted from 0, and whether its library is there; NULL past the last one.
const char *offread_image_format(size_t index, int *is_there);

// Decodes an image, the first of several, and makes it no larger than the box.
int offread_image_decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                         struct offread_image *image);

// Makes an image exactly as large.
int offread_image_scale(struct offread_image *image, uint32_t width, uint32_t height);

// A character with its colours, 0xRRGGBB, or -1 for the terminal's own.
struct offread_symbol {
  uint32_t character;
  int32_t foreground, background;
};

// What symbols are made with.
struct offread_symbol_options {
  uint32_t columns, rows;
  // 0 is none; 8, 16, 256; more are all.
  uint32_t colors;
  int is_ascii;
  // What is behind what is transparent, 0xRRGGBB.
  uint32_t background;
};

// Opens libchafa.
int offread_symbols_open(void);

// Makes symbols, columns times rows of them.
int offread_symbols_make(const struct offread_image *image, const struct offread_symbol_options *options,
                         struct offread_symbol *symbols);
