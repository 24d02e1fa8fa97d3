extension DOMTree {
  /// Percent-encodes the queries of all references in an encoding; see
  /// `CharacterEncoding.encodingQuery(of:)`.
  mutating func encodeQueries(in encoding: CharacterEncoding) {
    guard encoding.hasOwnQueries else { return }
    for node in nodes where node.name != .characters {
      for index in Int(node.start)..<Int(node.end) {
        guard let value = encodedValue(of: attributes[index], of: node, encoding) else { continue }
        attributes[index].start = UInt32(bytes.count)
        bytes += value
        attributes[index].end = UInt32(bytes.count)
      }
    }
  }

  /// Returns the value of an attribute with encoded queries; nil if nothing changes.
  private func encodedValue(
    of attribute: Attribute, of element: Node, _ encoding: CharacterEncoding
  ) -> [UInt8]? {
    let value = bytes[Int(attribute.start)..<Int(attribute.end)]
    switch attribute.name {
    case .href, .src, .dataSource, .dataOriginal, .formAction, .data:
      return encoding.encodingQuery(of: value)
    case .action:
      // In a link, the attribute is `download`, which contains a file name.
      return element.name == .form ? encoding.encodingQuery(of: value) : nil
    case .srcset, .dataSourceSet:
      return encoding.encodingQueries(ofSourceSet: value)
    case .content:
      // The delay and `url=` are neither a scheme nor a query.
      return isRefresh(element) ? encoding.encodingQuery(of: value) : nil
    default:
      return nil
    }
  }

  /// Whether an element is `<meta http-equiv=refresh>`.
  private func isRefresh(_ element: Node) -> Bool {
    attributes[Int(element.start)..<Int(element.end)].contains {
      $0.name == .httpEquiv && bytes.contains("refresh", in: Int($0.start)..<Int($0.end))
    }
  }
}
