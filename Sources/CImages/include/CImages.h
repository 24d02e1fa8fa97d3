#pragma once
#include <stddef.h>
#include <stdint.h>

// Image decoders and libchafa, which are opened on demand; see Decoder.h.

// Results, which are also the exit statuses of the decoder process.
#define OFFREAD_IMAGE_DONE 0
#define OFFREAD_IMAGE_UNKNOWN 65
#define OFFREAD_IMAGE_DAMAGED 66
#define OFFREAD_IMAGE_LARGE 67
#define OFFREAD_IMAGE_MISSING 68
#define OFFREAD_IMAGE_MOVING 69
#define OFFREAD_IMAGE_SYMBOLS_MISSING 70

// The maximum number of pixels of an image.
#define OFFREAD_IMAGE_LIMIT 50000000

struct offread_image {
  // The size in the file.
  uint32_t source_width, source_height;
  // The size after scaling down.
  uint32_t width, height;
  // Red, green, blue and alpha, row by row; release with `free`.
  uint8_t *pixels;
};

// Opens the library for the format that the first bytes indicate.
int offread_image_open(const uint8_t *bytes, size_t length);

// Returns the name of the format at an index, and whether its library is installed; NULL after the
// last one.
const char *offread_image_format(size_t index, int *is_there);

// Decodes an image, or the first frame of an animation, and scales it down to fit the box.
int offread_image_decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                         struct offread_image *image);

// Scales an image to exactly this size.
int offread_image_scale(struct offread_image *image, uint32_t width, uint32_t height);

// A character with its colours, 0xRRGGBB, or -1 for the default colour of the terminal.
struct offread_symbol {
  uint32_t character;
  int32_t foreground, background;
};

// Options for drawing an image as symbols.
struct offread_symbol_options {
  uint32_t columns, rows;
  // The number of colours: 0, 8, 16 or 256; a larger number means true colour.
  uint32_t colors;
  int is_ascii;
  // The colour behind transparent pixels, 0xRRGGBB.
  uint32_t background;
};

// Opens libchafa.
int offread_symbols_open(void);

// Draws an image as columns × rows symbols.
int offread_symbols_make(const struct offread_image *image, const struct offread_symbol_options *options,
                         struct offread_symbol *symbols);
