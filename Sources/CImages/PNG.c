#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 8 && memcmp(bytes, "\x89PNG\r\n\x1A\n", 8) == 0;
}

#if __has_include(<png.h>)
#include <png.h>

// The simplified interface of libpng, which does not need setjmp.
static struct {
  __typeof__(png_image_begin_read_from_memory) *begin;
  __typeof__(png_image_finish_read) *finish;
  __typeof__(png_image_free) *release;
} png;

static int open_library(void) {
  void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
  return library && OFFREAD_FIND(library, png.begin, "png_image_begin_read_from_memory") &&
                 OFFREAD_FIND(library, png.finish, "png_image_finish_read") &&
                 OFFREAD_FIND(library, png.release, "png_image_free")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  (void)box_width, (void)box_height;
  png_image file = {.version = PNG_IMAGE_VERSION};
  if (!png.begin(&file, bytes, length)) return OFFREAD_IMAGE_DAMAGED;
  image->source_width = file.width;
  image->source_height = file.height;
  int status = offread_image_begin(image, file.width, file.height);
  file.format = PNG_FORMAT_RGBA;
  // Treats 16-bit channels without colour information as sRGB, like 8-bit channels.
  file.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  if (status == OFFREAD_IMAGE_DONE && !png.finish(&file, NULL, image->pixels, 0, NULL)) status = OFFREAD_IMAGE_DAMAGED;
  png.release(&file);
  if (status == OFFREAD_IMAGE_DONE) status = offread_image_turn(image, offread_png_orientation(bytes, length));
  return status;
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_png = {"PNG", matches, open_library, decode};
