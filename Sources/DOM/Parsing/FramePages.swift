// Pages in the attributes of frames (HTML §4.8.5).

extension DOMTree {
  /// Returns the page in an attribute of a frame: its `srcdoc`, or else its `src` if that is a
  /// `data:` URL of a page in UTF-8; nil if there is none.
  func pageInAttributes(ofFrame frame: Int32) -> [UInt8]? {
    // Such a page is always UTF-8.
    if let range = attribute(.srcdoc, of: frame) {
      return range.isEmpty ? nil : Array(bytes[range])
    }
    guard let range = attribute(.src, of: frame), EmbeddedData.hasScheme(bytes[range]),
      let data = EmbeddedData(url: bytes[range]), data.mediaType.elementsEqual("text/html".utf8),
      !data.content.isEmpty
    else { return nil }
    let text = data.content.withUnsafeBufferPointer { UTF8Validation($0) }
    return text.isValid && !text.hasNUL ? data.content : nil
  }

  /// Limits the style sheets of a page to the frame that contains it, and those outside the frame
  /// to the rest.
  /// - Parameters:
  ///   - page: The page.
  ///   - frame: The frame.
  ///   - offset: The difference between the nodes in this tree and in that of the page.
  mutating func limitStyles(of page: DOMTree, toFrame frame: Int32, offset: Int32) {
    for index in page.nodes.indices.dropFirst() where page.nodes[index].name != .characters {
      let host = page.shadowHosts[Int32(index)]
      shadowHosts[Int32(index) + offset] = host.map { $0 + offset } ?? frame
    }
    if !page.styleSheet.isEmpty {
      shadowSheets.append(
        ShadowStyleSheet(
          host: frame, source: page.styleSheet,
          rootElements: page.rootElements ?? .withoutAttributes))
    }
    for var sheet in page.shadowSheets {
      sheet.host += offset
      shadowSheets.append(sheet)
    }
  }
}
