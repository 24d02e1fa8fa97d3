#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0;
}

#if __has_include(<turbojpeg.h>)
#include <turbojpeg.h>

static struct {
  __typeof__(tjInitDecompress) *init;
  __typeof__(tjDecompressHeader3) *header;
  __typeof__(tjGetScalingFactors) *factors;
  __typeof__(tjDecompress2) *decompress;
  __typeof__(tjGetErrorCode) *code;
  __typeof__(tjGetErrorStr2) *words;
  __typeof__(tjDestroy) *destroy;
} jpeg;

static int open_library(void) {
  void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  return library && OFFREAD_FIND(library, jpeg.init, "tjInitDecompress") &&
                 OFFREAD_FIND(library, jpeg.header, "tjDecompressHeader3") &&
                 OFFREAD_FIND(library, jpeg.factors, "tjGetScalingFactors") &&
                 OFFREAD_FIND(library, jpeg.decompress, "tjDecompress2") &&
                 OFFREAD_FIND(library, jpeg.code, "tjGetErrorCode") &&
                 OFFREAD_FIND(library, jpeg.words, "tjGetErrorStr2") &&
                 OFFREAD_FIND(library, jpeg.destroy, "tjDestroy")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

// Chooses the smallest size that the decoder supports and that is at least the requested size.
static void choose_size(int *width, int *height, uint32_t box_width, uint32_t box_height) {
  uint32_t least_width, least_height;
  offread_image_fit((uint32_t)*width, (uint32_t)*height, box_width, box_height, &least_width, &least_height);
  int count = 0;
  tjscalingfactor *factors = jpeg.factors(&count);
  int best_width = *width, best_height = *height;
  for (int i = 0; factors && i < count; i++) {
    int scaled_width = TJSCALED(*width, factors[i]), scaled_height = TJSCALED(*height, factors[i]);
    if (scaled_width >= (int)least_width && scaled_height >= (int)least_height && scaled_width < best_width) {
      best_width = scaled_width;
      best_height = scaled_height;
    }
  }
  *width = best_width;
  *height = best_height;
}

// Converts CMYK to RGB. Adobe stores inverted values: the share of light that each ink leaves.
static void mix_inks(struct offread_image *image) {
  for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
    uint8_t *pixel = image->pixels + i * 4;
    for (int ink = 0; ink < 3; ink++) pixel[ink] = (uint8_t)(pixel[ink] * pixel[3] / 255);
    pixel[3] = 255;
  }
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  tjhandle handle = jpeg.init();
  if (!handle) return OFFREAD_IMAGE_LARGE;
  int width = 0, height = 0, sampling = 0, space = 0;
  int status = OFFREAD_IMAGE_DAMAGED;
  int orientation = offread_jpeg_orientation(bytes, length);
  bool is_on_its_side = offread_is_on_its_side(orientation);
  if (jpeg.header(handle, bytes, length, &width, &height, &sampling, &space) == 0 && width > 0 && height > 0) {
    image->source_width = (uint32_t)width;
    image->source_height = (uint32_t)height;
    status = OFFREAD_IMAGE_LARGE;
    if (offread_image_fits((uint64_t)width, (uint64_t)height)) {
      choose_size(&width, &height, is_on_its_side ? box_height : box_width, is_on_its_side ? box_width : box_height);
      status = offread_image_begin(image, (uint64_t)width, (uint64_t)height);
    }
  }
  if (status == OFFREAD_IMAGE_DONE) {
    bool has_inks = space == TJCS_CMYK || space == TJCS_YCCK;
    int format = has_inks ? TJPF_CMYK : TJPF_RGBA;
    if (jpeg.decompress(handle, bytes, length, image->pixels, width, 0, height, format, 0) != 0 &&
        // Many files contain extraneous bytes between segments, which are harmless.
        (jpeg.code(handle) != TJERR_WARNING || !strstr(jpeg.words(handle), "extraneous")))
      status = OFFREAD_IMAGE_DAMAGED;
    if (has_inks) mix_inks(image);
  }
  if (status == OFFREAD_IMAGE_DONE) status = offread_image_turn(image, orientation);
  jpeg.destroy(handle);
  return status;
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_jpeg = {"JPEG", matches, open_library, decode};
