#include "Decoder.h"

// Uses libchafa without its headers, because they need those of GLib, some of which are in an
// architecture-dependent directory. The functions used here have not changed since version 1.8.

enum { mode_all = 0, mode_256 = 1, mode_16 = 3, mode_own = 5, mode_8 = 6 };
enum { pixels_rgba = 4 };

static struct {
  void *(*map_new)(void);
  void (*map_add)(void *map, uint32_t first, uint32_t last);
  void *(*config_new)(void);
  void (*config_geometry)(void *config, int columns, int rows);
  void (*config_mode)(void *config, int mode);
  void (*config_map)(void *config, const void *map);
  void (*config_foreground)(void *config, uint32_t color);
  void (*config_background)(void *config, uint32_t color);
  void (*config_work)(void *config, float factor);
  void *(*canvas_new)(const void *config);
  void (*canvas_draw)(void *canvas, int type, const uint8_t *pixels, int width, int height, int stride);
  uint32_t (*canvas_character)(void *canvas, int x, int y);
  void (*canvas_colors)(void *canvas, int x, int y, int *foreground, int *background);
  void (*threads)(int count);
} chafa;

int offread_symbols_open(void) {
  void *library = dlopen("libchafa.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library || !OFFREAD_FIND(library, chafa.map_new, "chafa_symbol_map_new") ||
      !OFFREAD_FIND(library, chafa.map_add, "chafa_symbol_map_add_by_range") ||
      !OFFREAD_FIND(library, chafa.config_new, "chafa_canvas_config_new") ||
      !OFFREAD_FIND(library, chafa.config_geometry, "chafa_canvas_config_set_geometry") ||
      !OFFREAD_FIND(library, chafa.config_mode, "chafa_canvas_config_set_canvas_mode") ||
      !OFFREAD_FIND(library, chafa.config_map, "chafa_canvas_config_set_symbol_map") ||
      !OFFREAD_FIND(library, chafa.config_foreground, "chafa_canvas_config_set_fg_color") ||
      !OFFREAD_FIND(library, chafa.config_background, "chafa_canvas_config_set_bg_color") ||
      !OFFREAD_FIND(library, chafa.config_work, "chafa_canvas_config_set_work_factor") ||
      !OFFREAD_FIND(library, chafa.canvas_new, "chafa_canvas_new") ||
      !OFFREAD_FIND(library, chafa.canvas_draw, "chafa_canvas_draw_all_pixels") ||
      !OFFREAD_FIND(library, chafa.canvas_character, "chafa_canvas_get_char_at") ||
      !OFFREAD_FIND(library, chafa.canvas_colors, "chafa_canvas_get_colors_at"))
    return OFFREAD_IMAGE_SYMBOLS_MISSING;
  // One thread is enough, because several processes draw images at the same time.
  if (OFFREAD_FIND(library, chafa.threads, "chafa_set_n_threads")) chafa.threads(1);
  return OFFREAD_IMAGE_DONE;
}

static int mode_for(uint32_t colors) {
  if (colors == 0) return mode_own;
  return colors <= 8 ? mode_8 : colors <= 16 ? mode_16 : colors <= 256 ? mode_256 : mode_all;
}

// Memory is not released; the process ends after drawing.
int offread_symbols_make(const struct offread_image *image, const struct offread_symbol_options *options,
                         struct offread_symbol *symbols) {
  void *config = chafa.config_new();
  void *map = chafa.map_new();
  if (options->is_ascii) {
    chafa.map_add(map, 0x20, 0x7E);
  } else {
    // Block elements: halves, quarters and eighths; with one colour also shades.
    chafa.map_add(map, 0x20, 0x20);
    chafa.map_add(map, 0x2580, options->colors == 0 ? 0x259F : 0x2590);
    chafa.map_add(map, 0x2596, 0x259F);
  }
  chafa.config_geometry(config, (int)options->columns, (int)options->rows);
  chafa.config_mode(config, mode_for(options->colors));
  chafa.config_map(config, map);
  // With one colour, symbols are drawn in the colour of the text.
  chafa.config_foreground(config, options->background ^ 0xFFFFFF);
  chafa.config_background(config, options->background);
  chafa.config_work(config, 0.5F);
  void *canvas = chafa.canvas_new(config);
  chafa.canvas_draw(canvas, pixels_rgba, image->pixels, (int)image->width, (int)image->height, (int)image->width * 4);
  for (uint32_t row = 0; row < options->rows; row++) {
    for (uint32_t column = 0; column < options->columns; column++) {
      struct offread_symbol *symbol = symbols + (size_t)row * options->columns + column;
      int foreground = -1, background = -1;
      symbol->character = chafa.canvas_character(canvas, (int)column, (int)row);
      if (options->colors > 0) chafa.canvas_colors(canvas, (int)column, (int)row, &foreground, &background);
      symbol->foreground = foreground;
      symbol->background = background;
    }
  }
  return OFFREAD_IMAGE_DONE;
}
