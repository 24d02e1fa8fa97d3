import OfflineCache

/// Lists of pages as text in the format of `LinkLines`.
enum LinkList {
  /// Detects the format of a text; returns nil if no line contains a URL.
  static func format(of text: [UInt8]) -> ImportFormat? {
    var hasAddress = false
    for link in LinkLines(text).lazy.flatMap(\.links) {
      if link.isGemini { return .offpunk }
      hasAddress = hasAddress || WebURL(link.address)?.isWeb == true
    }
    return hasAddress ? .list : nil
  }

  /// Reads a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    for line in LinkLines(text) {
      for link in line.links {
        list.add(link.address, ImportedLink(url: "", title: link.title, tags: link.tags), of: line)
      }
      if line.links.isEmpty { list.skip(line) }
    }
  }
}
