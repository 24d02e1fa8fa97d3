#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0;
}

#if __has_include(<webp/decode.h>) && __has_include(<webp/demux.h>)
#include <webp/decode.h>
#include <webp/demux.h>

static struct {
  __typeof__(WebPGetFeaturesInternal) *features;
  __typeof__(WebPInitDecoderConfigInternal) *config;
  __typeof__(WebPDecode) *decode;
  // For animations; this separate library may be missing.
  __typeof__(WebPDemuxInternal) *parts;
  __typeof__(WebPDemuxGetI) *number;
  __typeof__(WebPDemuxGetFrame) *frame;
  __typeof__(WebPDemuxReleaseIterator) *end_frame;
  __typeof__(WebPDemuxDelete) *end_parts;
  bool shows_moving;
} webp;

static int open_library(void) {
  void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
  void *other = dlopen("libwebpdemux.so.2", RTLD_NOW | RTLD_LOCAL);
  webp.shows_moving = other && OFFREAD_FIND(other, webp.parts, "WebPDemuxInternal") &&
                      OFFREAD_FIND(other, webp.number, "WebPDemuxGetI") &&
                      OFFREAD_FIND(other, webp.frame, "WebPDemuxGetFrame") &&
                      OFFREAD_FIND(other, webp.end_frame, "WebPDemuxReleaseIterator") &&
                      OFFREAD_FIND(other, webp.end_parts, "WebPDemuxDelete");
  return library && OFFREAD_FIND(library, webp.features, "WebPGetFeaturesInternal") &&
                 OFFREAD_FIND(library, webp.config, "WebPInitDecoderConfigInternal") &&
                 OFFREAD_FIND(library, webp.decode, "WebPDecode")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

// Decodes the first frame of an animation to its position on the canvas; the rest of the canvas is
// transparent.
static int decode_first(const uint8_t *bytes, size_t length, struct offread_image *image) {
  WebPData data = {bytes, length};
  WebPDemuxer *parts = webp.parts(&data, 0, NULL, WEBP_DEMUX_ABI_VERSION);
  if (!parts) return OFFREAD_IMAGE_DAMAGED;
  uint32_t width = webp.number(parts, WEBP_FF_CANVAS_WIDTH), height = webp.number(parts, WEBP_FF_CANVAS_HEIGHT);
  image->source_width = width;
  image->source_height = height;
  int status = offread_image_begin(image, width, height);
  WebPIterator frame;
  memset(&frame, 0, sizeof frame);
  if (status == OFFREAD_IMAGE_DONE && (!webp.frame(parts, 1, &frame) || !frame.complete)) status = OFFREAD_IMAGE_DAMAGED;
  if (status == OFFREAD_IMAGE_DONE) {
    WebPDecoderConfig config;
    status = OFFREAD_IMAGE_DAMAGED;
    if (webp.config(&config, WEBP_DECODER_ABI_VERSION) && frame.x_offset >= 0 && frame.y_offset >= 0 &&
        webp.features(frame.fragment.bytes, frame.fragment.size, &config.input, WEBP_DECODER_ABI_VERSION) ==
            VP8_STATUS_OK &&
        config.input.width > 0 && config.input.height > 0 &&
        (uint64_t)frame.x_offset + (uint64_t)config.input.width <= width &&
        (uint64_t)frame.y_offset + (uint64_t)config.input.height <= height) {
      size_t place = ((size_t)frame.y_offset * width + (size_t)frame.x_offset) * 4;
      config.output.colorspace = MODE_RGBA;
      config.output.is_external_memory = 1;
      config.output.u.RGBA.rgba = image->pixels + place;
      config.output.u.RGBA.stride = (int)width * 4;
      config.output.u.RGBA.size = (size_t)width * height * 4 - place;
      if (webp.decode(frame.fragment.bytes, frame.fragment.size, &config) == VP8_STATUS_OK) status = OFFREAD_IMAGE_DONE;
    }
  }
  webp.end_frame(&frame);
  webp.end_parts(parts);
  return status;
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  WebPDecoderConfig config;
  if (!webp.config(&config, WEBP_DECODER_ABI_VERSION) ||
      webp.features(bytes, length, &config.input, WEBP_DECODER_ABI_VERSION) != VP8_STATUS_OK)
    return OFFREAD_IMAGE_DAMAGED;
  if (config.input.has_animation) return webp.shows_moving ? decode_first(bytes, length, image) : OFFREAD_IMAGE_MOVING;
  if (!offread_image_fits((uint64_t)config.input.width, (uint64_t)config.input.height)) return OFFREAD_IMAGE_LARGE;
  image->source_width = (uint32_t)config.input.width;
  image->source_height = (uint32_t)config.input.height;
  int orientation = offread_webp_orientation(bytes, length);
  bool is_on_its_side = offread_is_on_its_side(orientation);
  uint32_t width, height;
  offread_image_fit(image->source_width, image->source_height, is_on_its_side ? box_height : box_width,
                    is_on_its_side ? box_width : box_height, &width, &height);
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
  if (webp.decode(bytes, length, &config) != VP8_STATUS_OK) return OFFREAD_IMAGE_DAMAGED;
  return offread_image_turn(image, orientation);
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_webp = {"WebP", matches, open_library, decode};
