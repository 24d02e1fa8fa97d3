// Pages that are filled by scripts often carry their text all the same, for search engines or for
// the script itself: JSON-LD has it as `articleBody`, the state of the script somewhere among much
// else. JSON is not parsed as a whole: strings are found one after the other, which is linear, needs
// no depth and reads what is broken off.

/// The text of a page that shows none, out of its data for programs.
package struct EmbeddedText {
  /// Where the text was found.
  package enum Source: Sendable, Equatable {
    /// JSON-LD: `articleBody`, or the description of a product.
    case linkedData
    /// The state of the page's own scripts.
    case state
    /// The description in the head, of a page that has nothing else.
    case description
  }

  /// The text as a page of its own, with the title of the original.
  package let tree: DOMTree
  /// Where it was found.
  package let source: Source

  /// Looks for text in a page; nil when there is no more than it shows.
  /// - Parameters:
  ///   - page: The page.
  ///   - shownWords: How many words it shows.
  package init?(in page: DOMTree, shownWords: Int) {
    let described = Self.texts(in: page, .linkedData) { key, text in
      Self.isText(key) && text.count >= Self.leastDescription
    }
    if !described.isEmpty {
      (tree, source) = (Self.tree(of: described, like: page), .linkedData)
      return
    }
    let state = Self.texts(in: page, .state) { _, text in Self.isProse(text) }
    // Beside nothing at all little is much.
    let least = shownWords == 0 ? Self.leastStateAlone : Self.leastState
    if state.reduce(0, { $0 + $1.count }) >= least {
      (tree, source) = (Self.tree(of: state, like: page), .state)
      return
    }
    guard let description = Self.description(of: page), description.count > shownWords * 8 else {
      return nil
    }
    (tree, source) = (Self.tree(of: [description], like: page), .description)
  }

  /// The longest description among the elements `meta`.
  private static func description(of page: DOMTree) -> [UInt8]? {
    var longest: [UInt8] = []
    for node in page.nodes.indices where page.nodes[node].name == .meta {
      let node = Int32(node)
      guard
        page.value(.name, of: node, contains: "description")
          || page.value(.property, of: node, contains: "og:description"),
        let content = page.attribute(.content, of: node), content.count > longest.count
      else { continue }
      longest = Array(page.bytes[content])
    }
    return longest.isEmpty ? nil : longest
  }

  private static let leastDescription = 200
  private static let leastState = 400
  private static let leastStateAlone = 150

  // MARK: What is text

  private static func isText(_ key: ArraySlice<UInt8>) -> Bool {
    ["articleBody", "text", "description", "reviewBody"].contains { key.elementsEqual($0.utf8) }
  }

  /// Whether a string reads as sentences, or as HTML with sentences in it.
  private static func isProse(_ text: [UInt8]) -> Bool {
    guard text.count >= 120, text[0] != UInt8(ascii: "{"), text[0] != UInt8(ascii: "[") else {
      return false
    }
    var (spaces, sentences, marks) = (0, 0, 0)
    for (index, byte) in text.enumerated() {
      switch byte {
      case 0x20, 0x0A: spaces += 1
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
        if index + 1 == text.count || text[index + 1] <= 0x20 || text[index + 1] == 0x3C {
          sentences += 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "="): marks += 1
      default: break
      }
    }
    return spaces * 12 > text.count && sentences > 0 && marks * 20 < text.count
  }

  // MARK: Strings of JSON

  /// The strings of all data of a kind that are wanted, each once, in their order.
  private static func texts(
    in page: DOMTree, _ kind: DOMTree.StructuredData.Kind,
    where isWanted: (_ key: ArraySlice<UInt8>, _ text: [UInt8]) -> Bool
  ) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    var texts: [[UInt8]] = []
    for data in page.structuredData where data.kind == kind {
      var strings = JSONStrings(page.bytes[data.range])
      while let string = strings.next() {
        guard string.value.count >= leastString else { continue }
        let text = JSONStrings.decoded(string.value)
        if isWanted(string.key, text), seen.insert(text).inserted { texts.append(text) }
      }
    }
    return texts
  }

  /// Shorter strings are not looked at.
  private static let leastString = 100

  // MARK: Page

  /// A page of texts: HTML as it is, other text as paragraphs.
  private static func tree(of texts: [[UInt8]], like page: DOMTree) -> DOMTree {
    var html: [UInt8] = []
    if let title = page.nodes.first(where: { $0.name == .title }), title.firstChild >= 0 {
      let text = page.nodes[Int(title.firstChild)]
      html += Array("<title>".utf8)
      html += escaped(page.bytes[Int(text.start)..<Int(text.end)])
      html += Array("</title>".utf8)
    }
    for text in texts {
      if text.contains("</", in: text.indices) || text.contains("<br", in: text.indices) {
        html += Array("<div>".utf8) + text + Array("</div>".utf8)
      } else {
        for line in text.split(separator: 0x0A) {
          html += Array("<p>".utf8) + escaped(line) + Array("</p>".utf8)
        }
      }
    }
    var tree = DOMParser.parse(html)
    tree.language = page.language
    return tree
  }

  private static func escaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    text.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      default: [byte]
      }
    }
  }
}
