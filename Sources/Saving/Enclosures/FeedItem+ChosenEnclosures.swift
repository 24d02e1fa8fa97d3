import Configuration
import Feeds
import Library

extension FeedItem {
  /// Returns the enclosures that the settings select. If several enclosures form a group, that is,
  /// the same content in different formats, only one of them is returned: the main one, or else the
  /// first that is not larger than `file_limit` according to the feed, or else the first.
  /// - Parameter policy: The policy for the feed.
  /// - Returns: The enclosures, in the order of the feed.
  func chosenEnclosures(for policy: EnclosurePolicy) -> [Enclosure] {
    let selected = enclosures.filter { $0.isFile && policy.selects($0.kind) }
    var groups: Set<Int> = []
    return selected.compactMap { enclosure -> Enclosure? in
      guard let group = enclosure.groupIndex else { return enclosure }
      guard groups.insert(group).inserted else { return nil }
      let forms = selected.filter { $0.groupIndex == group }
      return forms.first(where: \.isDefault)
        ?? forms.first { $0.length ?? 0 <= policy.fileLimit } ?? enclosure
    }
  }
}

extension FeedItem.Enclosure {
  fileprivate var kind: EnclosureRecord.Kind? {
    EnclosureRecord.kind(of: EnclosureRecord.mediaType(declared: mediaType, url: url))
  }

  /// Whether the enclosure is a file itself rather than a playlist, judged by its name.
  fileprivate var isFile: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return ![".m3u", ".m3u8", ".pls"].contains { path.hasSuffix($0) }
  }
}
