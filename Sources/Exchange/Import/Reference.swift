import OfflineCache

/// A publication in a list of references, such as those that Zotero and EndNote export. Its page on
/// the web is imported.
struct Reference {
  /// The addresses of the publication as written, the best first.
  var addresses: [String] = []
  /// The DOI (ISO 26324), with or without a prefix; empty if there is none.
  var doi = ""
  /// The page, without its URL.
  var link = ImportedLink(url: "")

  /// Adds the page to a list. A publication without an address gets the address to which its DOI
  /// leads.
  func add(to list: inout ImportedList) {
    let urls = (addresses + [Self.address(ofDOI: doi)]).lazy.compactMap { text in
      text.hasPrefix("www.") ? WebURL.forHost(text) : WebURL(text)
    }
    list.add(urls.first(where: \.isWeb)?.description ?? "", link)
  }

  /// Returns the address that a DOI leads to; empty if the text contains no DOI.
  static func address(ofDOI doi: String) -> String {
    guard let start = doi.firstRange(of: "10.")?.lowerBound else { return "" }
    return "https://doi.org/" + String(doi[start...]).replacing("#", with: "%23")
  }
}
