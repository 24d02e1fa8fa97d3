import OfflineCache

/// Lists of pages as text in the format of `LinkLines`.
enum LinkList {
  /// Detects the format of a text; returns nil if no line contains a URL.
  static func format(of text: [UInt8]) -> ImportFormat? {
    var hasAddress = false
    for case let link? in LinkLines(text).lazy.map(\.link) {
      if link.isGemini { return .offpunk }
      hasAddress = hasAddress || WebURL(link.address)?.isWeb == true
    }
    return hasAddress ? .list : nil
  }

  /// Reads a list.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    for line in LinkLines(text) {
      if let link = line.link {
        list.add(link.address, ImportedLink(url: "", title: link.title), of: line)
      } else {
        list.skip(line)
      }
    }
  }
}
