#pragma once
#include "CImages.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A format: how it is told by its first bytes, and the library that reads it, which is opened late, as most pages
// are read without their images.
struct offread_decoder {
  const char *name;
  bool (*matches)(const uint8_t *bytes, size_t length);
  int (*open)(void);
  // Fills in the image as the file has it, or smaller, if the library can do that while it decodes.
  int (*decode)(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                struct offread_image *image);
};

extern const struct offread_decoder offread_png, offread_jpeg, offread_gif, offread_webp, offread_avif;

// Takes the size, and memory for the pixels in `width` times `height`.
int offread_image_begin(struct offread_image *image, uint64_t width, uint64_t height);

// Whether an image of this size is decoded at all.
bool offread_image_fits(uint64_t width, uint64_t height);

// The size in a box, never larger than it is.
void offread_image_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height, uint32_t *fitting_width,
                       uint32_t *fitting_height);

// How a JPEG is to be turned by what the camera has written: 1 to 8 as Exif counts, 1 where there is nothing, or
// nonsense.
int offread_jpeg_orientation(const uint8_t *bytes, size_t length);
// The same of what Exif has written, and of the other formats that hold it.
int offread_exif_orientation(const uint8_t *part, size_t length);
int offread_png_orientation(const uint8_t *bytes, size_t length);
int offread_webp_orientation(const uint8_t *bytes, size_t length);
// The same of quarters of a turn against the clock, and of what is then mirrored: 0 nothing, 1 top and bottom, 2 left
// and right.
int offread_turned_orientation(int quarters, int mirrored);

// Whether what is as wide in the file is shown as high.
bool offread_is_on_its_side(int orientation);

// Turns and mirrors an image as its orientation says.
int offread_image_turn(struct offread_image *image, int orientation);

// Finds a function of an open library; the type is that of the pointer.
#define OFFREAD_FIND(library, pointer, name) ((pointer) = (__typeof__(pointer))dlsym((library), (name)))
