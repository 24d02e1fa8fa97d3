import DOM

/// Sitemaps: lists of the pages of a site for search engines (sitemaps.org), and sitemap indexes.
enum Sitemap {
  /// Returns whether a file with this beginning is a sitemap, whose elements may have a namespace
  /// prefix.
  static func matches(_ start: String) -> Bool {
    XMLTree(Array(start.utf8), maxNodes: maxFirstNodes).elements.contains {
      ["urlset", "sitemapindex"].contains($0.name)
    }
  }

  /// The maximum number of nodes up to the first element of a sitemap.
  private static let maxFirstNodes = 20

  /// Reads the pages and sitemaps in a sitemap.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    var isIndex = false
    for element in XMLTree(text).elements {
      switch element.name {
      case "sitemapindex", "sitemap": isIndex = true
      case "urlset", "url": isIndex = false
      // Images and videos also have elements with this name.
      case "loc" where !["image", "video"].contains(element.prefix.lowercased()):
        let url = element.text.oneLine
        if isIndex { list.add(sitemap: url) } else { list.add(url, ImportedLink(url: "")) }
      default: break
      }
    }
  }
}
