/// The names of the options for the presentation of a page.
enum PageOption: String, CaseIterable {
  case width, base, color, format, links, images, reader, full, meta, explain, linear
  case comments = "with-comments"
  case failStale = "fail-stale"
}
