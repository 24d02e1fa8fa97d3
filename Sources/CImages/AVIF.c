#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 12 && memcmp(bytes + 4, "ftypavi", 7) == 0;
}

#if __has_include(<avif/avif.h>)
#include <avif/avif.h>

// The structures differ between versions, so only the library that matches the headers is used.
#if AVIF_VERSION_MAJOR >= 1
#define LIBRARY "libavif.so.16"
#elif AVIF_VERSION_MINOR == 11
#define LIBRARY "libavif.so.15"
#else
#define LIBRARY "libavif.so.13"
#endif

static struct {
  __typeof__(avifDecoderCreate) *create;
  __typeof__(avifDecoderDestroy) *destroy;
  __typeof__(avifDecoderSetIOMemory) *memory;
  __typeof__(avifDecoderParse) *parse;
  __typeof__(avifDecoderNextImage) *next;
  __typeof__(avifRGBImageSetDefaults) *defaults;
  __typeof__(avifImageYUVToRGB) *convert;
} avif;

static int open_library(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return library && OFFREAD_FIND(library, avif.create, "avifDecoderCreate") &&
                 OFFREAD_FIND(library, avif.destroy, "avifDecoderDestroy") &&
                 OFFREAD_FIND(library, avif.memory, "avifDecoderSetIOMemory") &&
                 OFFREAD_FIND(library, avif.parse, "avifDecoderParse") &&
                 OFFREAD_FIND(library, avif.next, "avifDecoderNextImage") &&
                 OFFREAD_FIND(library, avif.defaults, "avifRGBImageSetDefaults") &&
                 OFFREAD_FIND(library, avif.convert, "avifImageYUVToRGB")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

static int orientation_of(const avifImage *image) {
  int quarters = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
  int mirrored = 0;
  // Before 0.11 the value had another meaning, so mirroring is ignored.
#if AVIF_VERSION_MAJOR >= 1
  if (image->transformFlags & AVIF_TRANSFORM_IMIR) mirrored = image->imir.axis == 0 ? 1 : 2;
#elif AVIF_VERSION_MINOR == 11
  if (image->transformFlags & AVIF_TRANSFORM_IMIR) mirrored = image->imir.mode == 0 ? 1 : 2;
#endif
  return offread_turned_orientation(quarters, mirrored);
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  (void)box_width, (void)box_height;
  avifDecoder *decoder = avif.create();
  if (!decoder) return OFFREAD_IMAGE_LARGE;
  decoder->maxThreads = 1;
  int status = OFFREAD_IMAGE_DAMAGED;
  if (avif.memory(decoder, bytes, length) == AVIF_RESULT_OK && avif.parse(decoder) == AVIF_RESULT_OK) {
    image->source_width = decoder->image->width;
    image->source_height = decoder->image->height;
    status = offread_image_begin(image, image->source_width, image->source_height);
  }
  if (status == OFFREAD_IMAGE_DONE) {
    status = OFFREAD_IMAGE_DAMAGED;
    if (avif.next(decoder) == AVIF_RESULT_OK && decoder->image->width == image->width &&
        decoder->image->height == image->height) {
      avifRGBImage pixels;
      avif.defaults(&pixels, decoder->image);
      pixels.format = AVIF_RGB_FORMAT_RGBA;
      pixels.depth = 8;
      pixels.pixels = image->pixels;
      pixels.rowBytes = image->width * 4;
      if (avif.convert(decoder->image, &pixels) == AVIF_RESULT_OK)
        status = offread_image_turn(image, orientation_of(decoder->image));
    }
  }
  avif.destroy(decoder);
  return status;
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_avif = {"AVIF", matches, open_library, decode};
