#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

#if __has_include(<webp/decode.h>)
#include <webp/decode.h>

static struct {
  __typeof__(WebPGetFeaturesInternal) *features;
  __typeof__(WebPInitDecoderConfigInternal) *config;
  __typeof__(WebPDecode) *decode;
} webp;

static int open_library(void) {
  void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
  return library && OFFREAD_FIND(library, webp.features, "WebPGetFeaturesInternal") &&
                 OFFREAD_FIND(library, webp.config, "WebPInitDecoderConfigInternal") &&
                 OFFREAD_FIND(library, webp.decode, "WebPDecode")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  WebPDecoderConfig config;
  if (!webp.config(&config, WEBP_DECODER_ABI_VERSION) ||
      webp.features(bytes, length, &config.input, WEBP_DECODER_ABI_VERSION) != VP8_STATUS_OK)
    return OFFREAD_IMAGE_DAMAGED;
  if (config.input.has_animation) return OFFREAD_IMAGE_MOVING;
  if (!offread_image_fits((uint64_t)config.input.width, (uint64_t)config.input.height)) return OFFREAD_IMAGE_LARGE;
  image->source_width = (uint32_t)config.input.width;
  image->source_height = (uint32_t)config.input.height;
  uint32_t width, height;
  offread_image_fit(image->source_width, image->source_height, box_width, box_height, &width, &height);
  int status = offread_image_begin(image, width, height);
  if (status != OFFREAD_IMAGE_DONE) return status;
  config.options.use_scaling = width != image->source_width || height != image->source_height;
  config.options.scaled_width = (int)width;
  config.options.scaled_height = (int)height;
  config.output.colorspace = MODE_RGBA;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = image->pixels;
  config.output.u.RGBA.stride = (int)width * 4;
  config.output.u.RGBA.size = (size_t)width * height * 4;
  return webp.decode(bytes, length, &config) == VP8_STATUS_OK ? OFFREAD_IMAGE_DONE : OFFREAD_IMAGE_DAMAGED;
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_webp = {"WebP", matches, open_library, decode};
