#pragma once
#include "CImages.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// An image format: how to recognise it by its first bytes, and its library, which is opened on
// demand, because most pages are read without images.
struct offread_decoder {
  const char *name;
  bool (*matches)(const uint8_t *bytes, size_t length);
  int (*open)(void);
  // Decodes at full size, or smaller if the library can scale while decoding.
  int (*decode)(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                struct offread_image *image);
};

extern const struct offread_decoder offread_png, offread_jpeg, offread_gif, offread_webp, offread_avif;

// Sets the size and allocates the pixels.
int offread_image_begin(struct offread_image *image, uint64_t width, uint64_t height);

// Whether an image of this size is within the limit.
bool offread_image_fits(uint64_t width, uint64_t height);

// Computes the size of an image scaled to fit a box; it is never enlarged.
void offread_image_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height, uint32_t *fitting_width,
                       uint32_t *fitting_height);

// Returns the Exif orientation of a JPEG file, 1 to 8; 1 if it has none or an invalid one.
int offread_jpeg_orientation(const uint8_t *bytes, size_t length);
// Return the same for Exif data, and for PNG and WebP files that contain Exif data.
int offread_exif_orientation(const uint8_t *part, size_t length);
int offread_png_orientation(const uint8_t *bytes, size_t length);
int offread_webp_orientation(const uint8_t *bytes, size_t length);
// Returns the Exif orientation for a number of counterclockwise quarter turns, followed by
// mirroring: 0 none, 1 top and bottom, 2 left and right.
int offread_turned_orientation(int quarters, int mirrored);

// Whether width and height are swapped when the image is displayed.
bool offread_is_on_its_side(int orientation);

// Rotates and mirrors an image according to its orientation.
int offread_image_turn(struct offread_image *image, int orientation);

// Looks up a function of an open library and assigns it to a pointer of its type.
#define OFFREAD_FIND(library, pointer, name) ((pointer) = (__typeof__(pointer))dlsym((library), (name)))
