#include "Decoder.h"

static bool matches(const uint8_t *bytes, size_t length) {
  return length > 6 && (memcmp(bytes, "GIF87a", 6) == 0 || memcmp(bytes, "GIF89a", 6) == 0);
}

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>

static struct {
  __typeof__(DGifOpen) *open;
  __typeof__(DGifGetRecordType) *record;
  __typeof__(DGifGetImageDesc) *description;
  __typeof__(DGifGetLine) *line;
  __typeof__(DGifGetExtension) *extension;
  __typeof__(DGifGetExtensionNext) *next;
  __typeof__(DGifCloseFile) *close;
} gif;

static int open_library(void) {
  void *library = dlopen("libgif.so.7", RTLD_NOW | RTLD_LOCAL);
  return library && OFFREAD_FIND(library, gif.open, "DGifOpen") &&
                 OFFREAD_FIND(library, gif.record, "DGifGetRecordType") &&
                 OFFREAD_FIND(library, gif.description, "DGifGetImageDesc") &&
                 OFFREAD_FIND(library, gif.line, "DGifGetLine") &&
                 OFFREAD_FIND(library, gif.extension, "DGifGetExtension") &&
                 OFFREAD_FIND(library, gif.next, "DGifGetExtensionNext") &&
                 OFFREAD_FIND(library, gif.close, "DGifCloseFile")
             ? OFFREAD_IMAGE_DONE
             : OFFREAD_IMAGE_MISSING;
}

struct source {
  const uint8_t *bytes;
  size_t length;
};

static int read_bytes(GifFileType *file, GifByteType *buffer, int count) {
  struct source *source = file->UserData;
  size_t part = (size_t)count < source->length ? (size_t)count : source->length;
  memcpy(buffer, source->bytes, part);
  source->bytes += part;
  source->length -= part;
  return (int)part;
}

// Reads up to the first image, and the index of the transparent colour, which precedes it.
static int find_image(GifFileType *file, int *transparent) {
  GifRecordType type;
  while (gif.record(file, &type) == GIF_OK) {
    if (type == IMAGE_DESC_RECORD_TYPE)
      return gif.description(file) == GIF_OK ? OFFREAD_IMAGE_DONE : OFFREAD_IMAGE_DAMAGED;
    if (type != EXTENSION_RECORD_TYPE) break;
    int code;
    GifByteType *part;
    if (gif.extension(file, &code, &part) != GIF_OK) break;
    if (code == GRAPHICS_EXT_FUNC_CODE && part && part[0] >= 4 && part[1] & 1) *transparent = part[4];
    while (part && gif.next(file, &part) == GIF_OK) {}
    if (part) break;
  }
  return OFFREAD_IMAGE_DAMAGED;
}

// Returns the position of a row of an interlaced image, whose rows are stored in four passes.
static int interlaced_row(int number, int height) {
  static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  for (int pass = 0; pass < 4; pass++) {
    int rows = height > starts[pass] ? (height - starts[pass] + steps[pass] - 1) / steps[pass] : 0;
    if (number < rows) return starts[pass] + number * steps[pass];
    number -= rows;
  }
  return height - 1;
}

static int decode_image(GifFileType *file, int transparent, struct offread_image *image) {
  GifImageDesc *frame = &file->Image;
  ColorMapObject *colors = frame->ColorMap ? frame->ColorMap : file->SColorMap;
  if (!colors || frame->Width <= 0 || frame->Height <= 0) return OFFREAD_IMAGE_DAMAGED;
  if (!offread_image_fits((uint64_t)frame->Width, (uint64_t)frame->Height)) return OFFREAD_IMAGE_LARGE;
  GifPixelType *row = malloc((size_t)frame->Width);
  if (!row) return OFFREAD_IMAGE_LARGE;
  int status = OFFREAD_IMAGE_DONE;
  for (int number = 0; number < frame->Height; number++) {
    if (gif.line(file, row, frame->Width) != GIF_OK) {
      status = OFFREAD_IMAGE_DAMAGED;
      break;
    }
    int y = frame->Top + (frame->Interlace ? interlaced_row(number, frame->Height) : number);
    if (y < 0 || (uint32_t)y >= image->height) continue;
    for (int column = 0; column < frame->Width; column++) {
      int x = frame->Left + column;
      if (x < 0 || (uint32_t)x >= image->width || row[column] == transparent || row[column] >= colors->ColorCount)
        continue;
      GifColorType color = colors->Colors[row[column]];
      uint8_t *pixel = image->pixels + ((size_t)y * image->width + (size_t)x) * 4;
      pixel[0] = color.Red, pixel[1] = color.Green, pixel[2] = color.Blue, pixel[3] = 255;
    }
  }
  free(row);
  return status;
}

static int decode(const uint8_t *bytes, size_t length, uint32_t box_width, uint32_t box_height,
                  struct offread_image *image) {
  (void)box_width, (void)box_height;
  struct source source = {bytes, length};
  int error = 0, transparent = -1;
  GifFileType *file = gif.open(&source, read_bytes, &error);
  if (!file) return OFFREAD_IMAGE_DAMAGED;
  int status = OFFREAD_IMAGE_LARGE;
  if (file->SWidth <= 0 || file->SHeight <= 0) {
    status = OFFREAD_IMAGE_DAMAGED;
  } else if (offread_image_fits((uint64_t)file->SWidth, (uint64_t)file->SHeight)) {
    image->source_width = (uint32_t)file->SWidth;
    image->source_height = (uint32_t)file->SHeight;
    status = find_image(file, &transparent);
    if (status == OFFREAD_IMAGE_DONE) status = offread_image_begin(image, image->source_width, image->source_height);
    if (status == OFFREAD_IMAGE_DONE) status = decode_image(file, transparent, image);
  }
  gif.close(file, &error);
  return status;
}
#else
static int open_library(void) { return OFFREAD_IMAGE_MISSING; }
#define decode NULL
#endif

const struct offread_decoder offread_gif = {"GIF", matches, open_library, decode};
