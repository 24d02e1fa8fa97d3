import OfflineCache

/// Lists of pages as text, as `LinkLines` reads them.
enum LinkList {
  /// Tells the format of a text; nil when no line of it is an address.
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
