import DOM

// JSON is scanned rather than parsed: brackets, names and strings are found one after the other.
// This is linear, recursive only for JSON within strings, and accepts truncated data. Unquoted
// names of JavaScript objects are accepted too.

/// The texts in structured data or script state of a page, with the objects and arrays around them.
struct DataTexts {
  /// An object or an array; the first one contains all data.
  struct Container {
    /// The index of the parent; -1 for the first.
    var parentIndex: Int32
    /// The key of the container; elements of an array have the key of the array; nil for an unknown
    /// key.
    var key: DataKey?
    var role = DataRole.other
    var isArray = false
    var hasType = false
    /// Whether the container is an array that represents an element: `["$", "p", null, {…}]`.
    var isElement = false
    /// Whether the container is, or is within, a part that all pages of a site have.
    var isSiteWide = false
    /// The sum of the weights of the texts in the container; before `computeContainerWeights()`,
    /// only of those directly in it.
    var weight = 0
  }

  /// A string of human-readable text.
  struct Text {
    var bytes: [UInt8]
    var containerIndex: Int32
    var key: DataKey?
    /// The number of bytes; 0 for short texts, which do not indicate where the main text is.
    var weight: Int
  }

  /// The vocabulary of keys.
  enum Vocabulary {
    case linkedData, state
  }

  private(set) var containers = [Container(parentIndex: -1)]
  private(set) var texts: [Text] = []
  private let vocabulary: Vocabulary

  private static let maxDepth = 256
  /// The maximum depth of JSON within JSON strings.
  private static let maxNesting = 3
  /// The minimum length in bytes of a string under an unknown key that counts as text.
  private static let minProseStringLength = 100

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  /// Scans data.
  /// - Parameters:
  ///   - data: The bytes.
  ///   - outerIndex: The container of the data.
  ///   - nesting: The number of enclosing JSON strings.
  ///   - stopsAfterValue: Whether to stop at the bracket that closes the first value.
  /// - Returns: The index after the scanned data.
  @discardableResult
  mutating func scan(
    _ data: UnsafeBufferPointer<UInt8>, below outerIndex: Int32 = 0, nesting: Int = 0,
    stopsAfterValue: Bool = false
  ) -> Int {
    var open = [outerIndex]
    var tooDeep = 0
    var key = 0..<0
    var index = 0
    while index < data.count {
      switch data[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = data.endOfString(at: index) else { return data.count }
        let string = index + 1..<end
        index = end + 1
        if let valueIndex = data.indexAfterColon(from: index) {
          (key, index) = (string, valueIndex)
        } else {
          let name = UnsafeBufferPointer(rebasing: data[key])
          processString(
            UnsafeBufferPointer(rebasing: data[string]), name, in: open.last ?? 0, nesting)
        }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if open.count < Self.maxDepth {
          let name = UnsafeBufferPointer(rebasing: data[key])
          open.append(
            beginContainer(name, isArray: data[index] == UInt8(ascii: "["), in: open.last ?? 0))
        } else {
          tooDeep += 1
        }
        key = 0..<0
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        key = 0..<0
        if tooDeep > 0 { tooDeep -= 1 } else if open.count > 1 { open.removeLast() }
        if stopsAfterValue, open.count == 1 { return index + 1 }
      case UInt8(ascii: ","): key = 0..<0
      case let byte where byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$"):
        let end = data.endOfIdentifier(from: index)
        if let valueIndex = data.indexAfterColon(from: end) {
          (key, index) = (index..<end, valueIndex)
        } else {
          index = end
        }
        continue
      default: break
      }
      index += 1
    }
    return index
  }

  /// Scans the data of a kind in a page.
  mutating func scan(_ kind: DOMTree.StructuredData.Kind, of page: DOMTree) {
    page.bytes.withUnsafeBufferPointer { bytes in
      for script in page.structuredData where script.kind == kind {
        scan(UnsafeBufferPointer(rebasing: bytes[script.range]))
      }
    }
  }

  /// Adds a text that is not part of the data.
  mutating func add(_ text: [UInt8]) { append(text, .content, in: 0) }

  /// Adds up the weights of containers. Call it after all data is read.
  mutating func computeContainerWeights() {
    for index in containers.indices.dropFirst().reversed() {
      containers[Int(containers[index].parentIndex)].weight += containers[index].weight
    }
  }

  private mutating func beginContainer(
    _ name: UnsafeBufferPointer<UInt8>, isArray: Bool, in outerIndex: Int32
  ) -> Int32 {
    let outer = containers[Int(outerIndex)]
    let key = name.isEmpty && outer.isArray ? outer.key : self.key(name)
    let isChrome =
      outer.isSiteWide || outer.isElement && outer.role == .siteWide
      || vocabulary == .state && DataKey.isSiteWide(name)
    containers.append(
      Container(parentIndex: outerIndex, key: key, isArray: isArray, isSiteWide: isChrome))
    return Int32(containers.count - 1)
  }

  private func key(_ name: UnsafeBufferPointer<UInt8>) -> DataKey? {
    let name = UnsafeBufferPointer(rebasing: name.prefix(DataKey.maxLength))
    return switch vocabulary {
    case .linkedData: DataKey.rolesOfLinkedDataKeys.find(name)
    case .state: DataKey.rolesOfStateKeys.find(name)
    }
  }

  private func role(_ type: UnsafeBufferPointer<UInt8>, isElement: Bool) -> DataRole {
    // Types may be URLs: `https://schema.org/Article`.
    let start = (type.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
    let name = UnsafeBufferPointer(rebasing: type[start...].prefix(DataKey.maxLength))
    let known =
      switch vocabulary {
      case .linkedData: DataRole.rolesOfLinkedDataTypes.find(name)
      // Components of a framework take the place of elements.
      case .state where name.first == UInt8(ascii: "$"): DataRole.inline
      case .state:
        isElement ? DataRole.rolesOfElementNames.find(name) : DataRole.rolesOfStateTypes.find(name)
      }
    return known ?? .other
  }

  // MARK: Strings

  /// Handles an undecoded string if it is text or nested data.
  private mutating func processString(
    _ string: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>,
    in containerIndex: Int32,
    _ nesting: Int
  ) {
    let container = containers[Int(containerIndex)]
    guard !string.isEmpty, !container.isSiteWide else { return }
    if container.isArray, !container.hasType, vocabulary == .state {
      if container.isElement { return setType(string, of: containerIndex) }
      if string.count == 1, string[0] == UInt8(ascii: "$") {
        containers[Int(containerIndex)].isElement = true
        return
      }
    }
    let key = name.isEmpty && container.isArray ? container.key : self.key(name)
    if key == .type { return setType(string, of: containerIndex) }
    guard key != nil || vocabulary == .state && string.count >= Self.minProseStringLength else {
      return
    }
    if vocabulary == .state, DataKey.isSiteWide(name) { return }
    let text = JSONStrings.decoded(string)
    if text.looksLikeJSON {
      guard nesting < Self.maxNesting else { return }
      let nestedContainer = beginContainer(name, isArray: false, in: containerIndex)
      text.withUnsafeBufferPointer { _ = scan($0, below: nestedContainer, nesting: nesting + 1) }
    } else if isRelevantText(text, key) {
      append(text, key, in: containerIndex)
    }
  }

  private mutating func setType(_ type: UnsafeBufferPointer<UInt8>, of index: Int32) {
    guard !containers[Int(index)].hasType else { return }
    containers[Int(index)].hasType = true
    containers[Int(index)].role = role(type, isElement: containers[Int(index)].isElement)
  }

  private mutating func append(_ text: [UInt8], _ key: DataKey?, in index: Int32) {
    let isLine =
      text.count >= Self.minLineLength && (text.contains(0x20) || text.usesUnspacedScript)
    let weight = isLine ? text.count : 0
    texts.append(Text(bytes: text, containerIndex: index, key: key, weight: weight))
    containers[Int(index)].weight += weight
  }

  /// The minimum length in bytes of a text that has a weight.
  private static let minLineLength = 12

  private func isRelevantText(_ text: [UInt8], _ key: DataKey?) -> Bool {
    if vocabulary == .linkedData || text.isProse { return true }
    switch key {
    case .text: return text.mayBeLineOfText
    case .content: return text.mayBeLineOfText && (text.contains(0x20) || text.usesUnspacedScript)
    default: return false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the closing quotation mark of the string that begins at `start`; nil if
  /// it is truncated.
  func endOfString(at start: Int) -> Int? {
    let marker = self[start]
    var end = firstIndex(of: marker, or: UInt8(ascii: "\\"), from: start + 1)
    while end < count, self[end] != marker {
      end = firstIndex(of: marker, or: UInt8(ascii: "\\"), from: Swift.min(count, end + 2))
    }
    return end < count ? end : nil
  }

  /// Returns the index of the first byte at or after `start` that is not white space.
  func indexAfterSpace(from start: Int) -> Int {
    var index = start
    while index < count, self[index].isWhiteSpace { index += 1 }
    return index
  }

  /// Returns the index after a colon; nil if the next byte other than white space is not one.
  fileprivate func indexAfterColon(from start: Int) -> Int? {
    let index = indexAfterSpace(from: start)
    return index < count && self[index] == UInt8(ascii: ":") ? index + 1 : nil
  }

  fileprivate func endOfIdentifier(from start: Int) -> Int {
    var index = start
    while index < count,
      self[index].isLetter || self[index].isDigit || self[index] == 0x5F
        || self[index] == 0x24
    { index += 1 }
    return index
  }
}

extension [UInt8] {
  /// Whether the text looks like JSON, judging by its start.
  var looksLikeJSON: Bool {
    guard count >= 40, let first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return false
    }
    guard let second = self[1...].first(where: { !$0.isWhiteSpace }) else { return false }
    return [UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(second)
  }

  /// Whether most of the text is in a script without spaces between words.
  fileprivate var usesUnspacedScript: Bool {
    reduce(0) { $0 + (0xE3...0xE9 ~= $1 ? 1 : 0) } * 6 > count
  }

  /// Whether the text consists of sentences, possibly as HTML.
  fileprivate var isProse: Bool {
    guard count >= 100, self[0] != UInt8(ascii: "{"), self[0] != UInt8(ascii: "[") else {
      return false
    }
    var (spaces, markers) = (0, 0)
    for byte in self {
      switch byte {
      case 0x20, 0x0A: spaces += 1
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "="): markers += 1
      default: break
      }
    }
    return (spaces * 12 > count || usesUnspacedScript) && sentenceEndCount > 0
      && markers * 20 < count
  }

  /// Whether the text is a line that can be part of a text, rather than a URL or an identifier.
  fileprivate var mayBeLineOfText: Bool {
    guard let first, let last, contains(where: { $0.isLetter || $0 >= 0x80 }) else { return false }
    if [UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "{"), UInt8(ascii: "$")].contains(first)
    {
      return contains(0x20)
    }
    if contains(0x20) { return last != UInt8(ascii: "}") }
    // One word, optionally followed by a punctuation mark.
    return dropLast().allSatisfy { $0.isLetter || $0 >= 0x80 || $0 == UInt8(ascii: "'") }
  }

  var sentenceEndCount: Int {
    var sentences = 0
    for (index, byte) in enumerated() {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"):
        if index + 1 == count || self[index + 1] <= 0x22 || self[index + 1] == 0x3C {
          sentences += 1
        }
      // `。`, `！` and `？`.
      case 0x82 where index > 1 && self[index - 1] == 0x80 && self[index - 2] == 0xE3:
        sentences += 1
      case 0x81, 0x9F:
        if index > 1, self[index - 1] == 0xBC, self[index - 2] == 0xEF { sentences += 1 }
      default: break
      }
    }
    return sentences
  }
}
