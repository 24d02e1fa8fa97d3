import Document
import DOM

/// Sanitizes an SVG image so that it neither runs scripts nor loads anything: only elements and
/// attributes that draw are kept, references must be within the image, and raster images must be
/// embedded.
///
/// Everything unknown is removed: scripts, event handlers, animation, foreign objects, links,
/// entity declarations. The output is well-formed for any input. Takes time linear in the size,
/// without recursion.
package enum SVGSanitizer {
  /// Maximum number of elements and text nodes, and maximum nesting depth.
  private static let maxNodes = 200_000, maxDepth = 200

  /// Returns whether a text seems to be SVG: its first element is `svg`.
  package static func isSVG(_ bytes: [UInt8]) -> Bool {
    let beginning = bytes.prefix(8192)
    let start = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning
    guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return false }
    let tree = XMLTree(Array(start) + Array(">".utf8), maxNodes: 64)
    return tree.elements.first { _ in true }?.name == "svg"
  }

  /// Sanitizes an image.
  /// - Parameter bytes: The SVG image in any encoding.
  /// - Returns: The image in UTF-8; nil if it is not SVG, or too large.
  package static func sanitized(_ bytes: [UInt8]) -> [UInt8]? {
    guard isSVG(bytes) else { return nil }
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    let tree = XMLTree(encoding.decode(bytes), maxNodes: maxNodes)
    guard !tree.isTruncated,
      let root = tree.nodes.indices.dropFirst().first(where: { tree.nodes[$0].kind == .element })
    else { return nil }
    var writer = SVGWriter(tree: tree, rootIndex: Int32(root))
    writer.write(maxDepth: maxDepth)
    // A root with other letter case or another prefix, such as `<sVg>`, is not SVG and is removed.
    return writer.output.isEmpty ? nil : writer.output
  }

  /// Returns CSS without URLs outside the image; nil if it contains escapes, imports or functions
  /// that could load resources or run scripts.
  static func css(_ text: String) -> String? {
    var bytes = Array(text.utf8)
    let lowercasedBytes = bytes.map(\.lowercased)
    let contains = { (word: StaticString) in lowercasedBytes.firstRange(of: word) != nil }
    // A comment cannot be within a token, so keywords are matched literally; but an escape can.
    if lowercasedBytes.contains(UInt8(ascii: "\\")) || contains("@import") || contains("image(")
      || contains("image-set(") || contains("src(") || contains("expression(")
      || contains("script:") || contains("behavior") || contains("-moz-binding")
    {
      return nil
    }
    var result: [UInt8] = []
    var position = 0
    while let functionStart = lowercasedBytes[position...].firstRange(of: "url(") {
      result += bytes[position..<functionStart.lowerBound]
      let firstArgumentByte = lowercasedBytes[functionStart.upperBound...].first {
        !$0.isWhiteSpace && $0 != 0x22 && $0 != 0x27
      }
      let end =
        lowercasedBytes[functionStart.upperBound...].firstIndex(of: UInt8(ascii: ")"))
        ?? lowercasedBytes.count
      if firstArgumentByte == UInt8(ascii: "#") {
        result += bytes[functionStart.lowerBound..<min(end + 1, bytes.count)]
      } else {
        result += "none".utf8
      }
      position = min(end + 1, bytes.count)
    }
    bytes = result + bytes[position...]
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns whether a URL is a `data:` URL of a raster image, which cannot load anything.
  static func isRasterDataURL(_ url: String) -> Bool {
    let start = "data:image/"
    guard url.lowercased().hasPrefix(start) else { return false }
    let rest = url.dropFirst(start.count)
    let type = rest.prefix { $0 != ";" && $0 != "," }.lowercased()
    return ["png", "jpeg", "jpg", "gif", "webp"].contains(type)
  }

  /// The allowed elements, as spelled in SVG. The content of `a` is kept without the element.
  static let allowedElements: Set<String> = [
    "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "text", "tspan", "textPath", "title", "desc", "linearGradient", "radialGradient",
    "stop", "clipPath", "mask", "pattern", "marker", "image", "style", "switch", "filter",
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
    "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood",
    "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode",
    "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile",
    "feTurbulence",
  ]

  /// The removed attributes besides event handlers: they refer to external resources, or affect how
  /// the rest is parsed.
  static let removedAttributes: Set<String> = [
    "src", "srcset", "base", "ping", "target", "download", "action", "formaction", "poster", "data",
    "codebase", "xmlns", "from", "to", "by", "values", "begin", "attributename",
    "contentscripttype",
    "requiredextensions", "baseprofile", "version",
  ]
}

/// Writes the nodes of an image in order.
private struct SVGWriter {
  let tree: XMLTree
  let rootIndex: Int32
  var output: [UInt8] = []
  /// The open elements, each with the byte offset in the image at which its content ends.
  private var open: [(name: String, end: UInt32)] = []
  /// The end of the element that is the target of a `use`. Up to there `use` elements are removed
  /// if the image has more than `maxNestedUses` of them, because their expansion could be
  /// exponential.
  private var useTargetEnd: UInt32 = 0
  /// The ids of the targets of `use` elements; empty if these are few.
  private var useTargetIDs: Set<String> = []

  /// Maximum number of `use` elements that may be nested: at most 3^8 = 6561 copies, with eight
  /// levels of three.
  private static let maxNestedUses = 24

  init(tree: XMLTree, rootIndex: Int32) {
    self.tree = tree
    self.rootIndex = rootIndex
    let targets = tree.elements.filter { $0.name == "use" }.flatMap {
      [$0.attribute("href"), $0.attribute("xlink:href")].compactMap(\.self)
    }
    guard targets.count > Self.maxNestedUses else { return }
    useTargetIDs = Set(targets.map { String($0.trimmingXMLSpace.drop { $0 == "#" }) })
  }

  mutating func write(maxDepth: Int) {
    let rootEnd = tree.nodes[Int(rootIndex)].content.upperBound
    /// All nodes before this offset are removed.
    var removedEnd: UInt32 = 0
    for index in Int(rootIndex)..<tree.nodes.count {
      let node = tree.nodes[index]
      let start = node.nameOrTextRange.lowerBound
      if index > Int(rootIndex), start >= rootEnd { break }
      guard start >= removedEnd else { continue }
      close(before: start)
      switch node.kind {
      case .element:
        let element = XMLElement(tree: tree, index: Int32(index))
        let name = localName(node)
        if name == "a", element.prefix.isEmpty || element.prefix == "svg" { continue }
        let isKnown =
          SVGSanitizer.allowedElements.contains(name) && ["", "svg"].contains(element.prefix)
        if !useTargetIDs.isEmpty, element.attribute("id").map(useTargetIDs.contains) == true {
          useTargetEnd = max(useTargetEnd, node.content.upperBound)
        }
        guard isKnown, open.count < maxDepth, name != "image" || hasImage(element),
          name != "use" || start >= useTargetEnd
        else {
          removedEnd = max(removedEnd, node.content.upperBound)
          continue
        }
        writeStartTag(name, element, isRoot: index == Int(rootIndex))
        // A style sheet is sanitized as a whole.
        if name == "style" {
          if let css = SVGSanitizer.css(element.text) { add(css) }
          removedEnd = max(removedEnd, node.content.upperBound)
        }
        open.append((name, node.content.upperBound))
      case .text, .cdata:
        guard !open.isEmpty else { continue }
        writeText(node)
      }
    }
    close(before: .max)
  }

  private mutating func close(before position: UInt32) {
    while let last = open.last, last.end <= position {
      open.removeLast()
      output += "</\(last.name)>".utf8
    }
  }

  /// Returns the name as written, without its prefix.
  private func localName(_ node: XMLTree.Node) -> String {
    let name = tree.bytes[
      Int(node.nameOrTextRange.lowerBound)..<Int(node.nameOrTextRange.upperBound)]
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private func hasImage(_ element: XMLElement) -> Bool {
    (element.attribute("href") ?? element.attribute("xlink:href")).map(SVGSanitizer.isRasterDataURL)
      == true
  }

  private mutating func writeStartTag(_ name: String, _ element: XMLElement, isRoot: Bool) {
    output += "<\(name)".utf8
    if isRoot {
      output += " xmlns=\"http://www.w3.org/2000/svg\"".utf8
      output += " xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8
    }
    var seen: Set<String> = []
    for (name, value) in element.attributes {
      guard let (name, value) = sanitizedAttribute(name, value, of: element),
        seen.insert(name).inserted
      else { continue }
      output += " \(name)=\"".utf8
      add(value)
      output += "\"".utf8
    }
    output += ">".utf8
  }

  /// Returns the sanitized attribute, or nil if it is removed.
  private func sanitizedAttribute(
    _ name: String, _ value: String, of element: XMLElement
  ) -> (String, String)? {
    let lower = name.lowercased()
    switch lower {
    case "href", "xlink:href":
      let target = value.trimmingXMLSpace
      let isInside =
        target.hasPrefix("#") || element.name == "image" && SVGSanitizer.isRasterDataURL(target)
      return isInside ? ("xlink:href", target) : nil
    case "xml:space", "xml:lang": return (lower, value)
    default: break
    }
    let isPlain = name.utf8.allSatisfy {
      $0.isLetter || $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0)
    }
    guard isPlain, name.utf8.first?.isLetter == true, !lower.hasPrefix("on"),
      !SVGSanitizer.removedAttributes.contains(lower), let value = SVGSanitizer.css(value)
    else { return nil }
    return (name, value)
  }

  /// Writes text with character references decoded and escaped again.
  private mutating func writeText(_ node: XMLTree.Node) {
    let range = Int(node.nameOrTextRange.lowerBound)..<Int(node.nameOrTextRange.upperBound)
    let text = String(decoding: tree.bytes[range], as: UTF8.self)
    add(node.kind == .text ? text.withoutCharacterReferences : text)
  }

  private mutating func add(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: output += "&amp;".utf8
      case 0x3C: output += "&lt;".utf8
      case 0x3E: output += "&gt;".utf8
      case 0x22: output += "&quot;".utf8
      case 0x09, 0x0A, 0x0D: output.append(UInt8(truncatingIfNeeded: scalar.value))
      // Characters that XML does not allow.
      case 0..<0x20, 0xFFFE, 0xFFFF: break
      default: if let bytes = UTF8.encode(scalar) { output += bytes }
      }
    }
  }
}

extension String {
  fileprivate var trimmingXMLSpace: String {
    let start = drop { $0.isWhitespace }
    return String(
      start[
        ..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)
      ])
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the range of the first occurrence of a word; nil if there is none.
  fileprivate func firstRange(of word: StaticString) -> Range<Int>? {
    let count = word.utf8CodeUnitCount
    guard self.count >= count else { return nil }
    var index = startIndex
    while index <= endIndex - count {
      var length = 0
      while length < count, self[index + length] == word.utf8Start[length] { length += 1 }
      if length == count { return index..<index + count }
      index += 1
    }
    return nil
  }
}
