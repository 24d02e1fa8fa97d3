#include "Decoder.h"

static const struct offread_decoder *const decoders[] = {&offread_png, &offread_jpeg, &offread_gif, &offread_webp,
                                                         &offread_avif};

static const struct offread_decoder *decoder_for(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
    if (decoders[i]->matches(bytes, length)) return decoders[i];
  return NULL;
}

int offread_image_open(const uint8_t *bytes, size_t length) {
  const struct offread_decoder *decoder = decoder_for(bytes, length);
  return decoder ? decoder->open() : OFFREAD_IMAGE_UNKNOWN;
}

const char *offread_image_format(size_t index, int *is_there) {
  if (index >= sizeof decoders / sizeof *decoders) return NULL;
  *is_there = decoders[index]->open() == OFFREAD_IMAGE_DONE;
  return decoders[index]->name;
}

bool offread_image_fits(uint64_t width, uint64_t height) {
  return width > 0 && height > 0 && width <= OFFREAD_IMAGE_LIMIT && height <= OFFREAD_IMAGE_LIMIT &&
         width * height <= OFFREAD_IMAGE_LIMIT;
}

int offread_image_begin(struct offread_image *image, uint64_t width, uint64_t height) {
  if (!offread_image_fits(width, height)) return OFFREAD_IMAGE_LARGE;
  image->width = (uint32_t)width;
  image->height = (uint32_t)height;
  image->pixels = calloc(width * height, 4);
  return image->pixels ? OFFREAD_IMAGE_DONE : OFFREAD_IMAGE_LARGE;
}

void offread_image_fit(uint32_t width, uint32_t height, uint32_t box_width, uint32_t box_height, uint32_t *fitting_width,
                       uint32_t *fitting_height) {
  double scale = 1;
  if (width > box_width) scale = (double)box_width / width;
  if (height * scale > box_height) scale = (double)box_height / height;
  *fitting_width = (uint32_t)(width * scale + 0.5);
  *fitting_height = (uint32_t)(height * scale + 0.5);
  if (*fitting_width == 0) *fitting_width = 1;
  if (*fitting_height == 0) *fitting_height = 1;
}

// Computes each pixel as the mean of the pixels that it replaces, weighted by their alpha.
int offread_image_scale(struct offread_image *image, uint32_t width, uint32_t height) {
  uint8_t *scaled = malloc((size_t)width * height * 4);
  if (!scaled) return OFFREAD_IMAGE_LARGE;
  for (uint32_t y = 0; y < height; y++) {
    uint32_t top = (uint32_t)((uint64_t)y * image->height / height);
    uint32_t bottom = (uint32_t)((uint64_t)(y + 1) * image->height / height);
    if (bottom == top) bottom++;
    for (uint32_t x = 0; x < width; x++) {
      uint32_t left = (uint32_t)((uint64_t)x * image->width / width);
      uint32_t right = (uint32_t)((uint64_t)(x + 1) * image->width / width);
      if (right == left) right++;
      uint64_t red = 0, green = 0, blue = 0, opacity = 0, count = 0;
      for (uint32_t row = top; row < bottom; row++) {
        const uint8_t *pixel = image->pixels + ((size_t)row * image->width + left) * 4;
        for (uint32_t column = left; column < right; column++, pixel += 4) {
          red += (uint64_t)pixel[0] * pixel[3];
          green += (uint64_t)pixel[1] * pixel[3];
          blue += (uint64_t)pixel[2] * pixel[3];
          opacity += pixel[3];
          count++;
        }
      }
      uint8_t *result = scaled + ((size_t)y * width + x) * 4;
      result[0] = opacity ? (uint8_t)(red / opacity) : 0;
      result[1] = opacity ? (uint8_t)(green / opacity) : 0;
      result[2] = opacity ? (uint8_t)(blue / opacity) : 0;
      result[3] = count ? (uint8_t)(opacity / count) : 0;
    }
  }
  free(image->pixels);
  image->pixels = scaled;
  image->width = width;
  image->height = height;
  return OFFREAD_IMAGE_DONE;
}

int offread_image_decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                         struct offread_image *image) {
  memset(image, 0, sizeof *image);
  const struct offread_decoder *decoder = decoder_for(bytes, length);
  if (!decoder) return OFFREAD_IMAGE_UNKNOWN;
  int status = decoder->decode(bytes, length, box_width, box_height, image);
  if (status == OFFREAD_IMAGE_DONE) {
    uint32_t width, height;
    offread_image_fit(image->source_width, image->source_height, box_width, box_height, &width, &height);
    if (width < image->width || height < image->height) {
      if (width > image->width) width = image->width;
      if (height > image->height) height = image->height;
      status = offread_image_scale(image, width, height);
    }
  }
  if (status != OFFREAD_IMAGE_DONE) {
    free(image->pixels);
    image->pixels = NULL;
  }
  return status;
}
