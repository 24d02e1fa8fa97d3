import DOM

/// Lists of the pages of a site for search engines (sitemaps.org), and lists of such lists.
enum Sitemap {
  /// Reads a sitemap: its pages, and the sitemaps that it names.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var isIndex = false
    for element in XMLTree(text).elements {
      switch element.name {
      case "sitemapindex", "sitemap": isIndex = true
      case "urlset", "url": isIndex = false
      // Images and videos have elements of that name, too.
      case "loc" where !["image", "video"].contains(element.prefix.lowercased()):
        let url = element.text.oneLine
        if isIndex { list.add(part: url) } else { list.add(url, ImportedLink(url: "")) }
      default: break
      }
    }
  }
}
