#include "Decoder.h"

static uint32_t number(const uint8_t *bytes, size_t count, bool is_little) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | bytes[is_little ? count - 1 - i : i];
  return value;
}

// Exif 2.32, 4.6: reads tag 0x112 in the first directory after the TIFF header.
static int orientation_in(const uint8_t *tiff, size_t length) {
  if (length < 8) return 1;
  bool is_little = tiff[0] == 'I';
  if (memcmp(tiff, is_little ? "II*\0" : "MM\0*", 4) != 0) return 1;
  uint32_t directory = number(tiff + 4, 4, is_little);
  if (directory > length || length - directory < 2) return 1;
  uint32_t count = number(tiff + directory, 2, is_little);
  const uint8_t *entry = tiff + directory + 2;
  for (size_t room = length - directory - 2; count > 0 && room >= 12; count--, entry += 12, room -= 12) {
    if (number(entry, 2, is_little) != 0x112) continue;
    // The type must be SHORT and the count 1.
    if (number(entry + 2, 2, is_little) != 3 || number(entry + 4, 4, is_little) != 1) return 1;
    uint32_t value = number(entry + 8, 2, is_little);
    return value >= 1 && value <= 8 ? (int)value : 1;
  }
  return 1;
}

int offread_exif_orientation(const uint8_t *part, size_t length) {
  // Some programs write the prefix used in JPEG here, too.
  bool is_named = length >= 6 && memcmp(part, "Exif\0\0", 6) == 0;
  return is_named ? orientation_in(part + 6, length - 6) : orientation_in(part, length);
}

int offread_jpeg_orientation(const uint8_t *bytes, size_t length) {
  size_t place = 2;
  while (place + 4 <= length && bytes[place] == 0xFF) {
    uint8_t marker = bytes[place + 1];
    if (marker == 0xFF) {
      place++;
      continue;
    }
    // These markers start the image data or end the file.
    if (marker == 0xDA || marker == 0xD9) break;
    size_t part = number(bytes + place + 2, 2, false);
    if (part < 2 || part > length - place - 2) break;
    if (marker == 0xE1 && part >= 8 && memcmp(bytes + place + 4, "Exif\0\0", 6) == 0)
      return orientation_in(bytes + place + 10, part - 8);
    place += 2 + part;
  }
  return 1;
}

int offread_png_orientation(const uint8_t *bytes, size_t length) {
  // After the signature, each chunk has a length, a name, data and a checksum.
  for (size_t place = 8; length >= 12 && place <= length - 12;) {
    size_t part = number(bytes + place, 4, false);
    if (part > length - place - 12) break;
    if (memcmp(bytes + place + 4, "eXIf", 4) == 0) return offread_exif_orientation(bytes + place + 8, part);
    place += part + 12;
  }
  return 1;
}

int offread_webp_orientation(const uint8_t *bytes, size_t length) {
  // After the RIFF header, each chunk has a name, a length and data, padded to an even length.
  for (size_t place = 12; length >= 8 && place <= length - 8;) {
    size_t part = number(bytes + place + 4, 4, true);
    if (part > length - place - 8) break;
    if (memcmp(bytes + place, "EXIF", 4) == 0) return offread_exif_orientation(bytes + place + 8, part);
    place += part + part % 2 + 8;
  }
  return 1;
}

int offread_turned_orientation(int quarters, int mirrored) {
  // Indexed by counterclockwise quarter turns, and by mirroring: none, top and bottom, left and
  // right.
  static const int orientations[4][3] = {{1, 4, 2}, {8, 5, 7}, {3, 2, 4}, {6, 7, 5}};
  return orientations[quarters & 3][mirrored];
}

bool offread_is_on_its_side(int orientation) { return orientation >= 5; }

int offread_image_turn(struct offread_image *image, int orientation) {
  if (orientation <= 1) return OFFREAD_IMAGE_DONE;
  bool is_on_its_side = offread_is_on_its_side(orientation);
  uint32_t width = is_on_its_side ? image->height : image->width;
  uint32_t height = is_on_its_side ? image->width : image->height;
  uint8_t *turned = malloc((size_t)width * height * 4);
  if (!turned) return OFFREAD_IMAGE_LARGE;
  // Whether the first column and row are read from the right and bottom of the image in the file.
  bool from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  bool from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      uint32_t column = is_on_its_side ? y : x, row = is_on_its_side ? x : y;
      if (from_right) column = image->width - 1 - column;
      if (from_bottom) row = image->height - 1 - row;
      memcpy(turned + ((size_t)y * width + x) * 4, image->pixels + ((size_t)row * image->width + column) * 4, 4);
    }
  }
  free(image->pixels);
  image->pixels = turned;
  image->width = width;
  image->height = height;
  if (is_on_its_side) {
    uint32_t side = image->source_width;
    image->source_width = image->source_height;
    image->source_height = side;
  }
  return OFFREAD_IMAGE_DONE;
}
