/// A media query list (Media Queries Level 5), evaluated for a wide, light screen with a pointing
/// device and without scripts: the appearance of a page in the window of a desktop browser, which
/// shows most of its text. Containers are as wide as the screen.
struct MediaQueryList {
  /// The width of the screen in CSS pixels.
  private static let screenWidth = 1280.0
  /// The height of the screen in CSS pixels.
  private static let screenHeight = 800.0
  /// The size of the initial font in CSS pixels, to which `em` and `rem` refer.
  private static let fontSize = 16.0

  /// Returns whether a list applies: any of its queries does. A query with an unknown feature does
  /// not.
  static func matches(_ list: StyleBytes) -> Bool {
    list.parts(separator: UInt8(ascii: ",")).contains { matchesQuery($0.trimmed) == true }
  }

  /// Returns whether the query of a container (CSS Conditional 5 §7) applies, which may begin with
  /// the name of the container.
  static func matchesContainer(_ query: StyleBytes) -> Bool {
    let query = query.trimmed
    let name = query.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "(") }
    return matches(name.isWord("not") ? query : query[name.endIndex...])
  }

  /// Returns whether a list applies only because of conditions on the size of the screen.
  static func dependsOnSize(_ list: StyleBytes) -> Bool {
    list.parts(separator: UInt8(ascii: ",")).allSatisfy { namesSize($0) || !matches($0) }
  }

  private static func namesSize(_ query: StyleBytes) -> Bool {
    query.split { !$0.isNameByte }.contains {
      $0.isWord("width") || $0.isWord("height") || $0.suffix(6).isWord("-width")
        || $0.suffix(7).isWord("-height")
    }
  }

  /// Returns whether a query applies; nil if it is invalid or contains an unknown feature.
  private static func matchesQuery(_ text: StyleBytes, depth: Int = 0) -> Bool? {
    guard depth < maxNestingDepth else { return nil }
    var (result, isNegated, isOr): (Bool?, Bool, Bool) = (nil, false, false)
    for word in text.mediaTokens {
      if word.isWord("only") || word.isWord("and") { continue }
      if word.isWord("not") {
        isNegated.toggle()
        continue
      }
      if word.isWord("or") {
        isOr = true
        continue
      }
      let isCondition = word.first == UInt8(ascii: "(")
      guard
        let value = isCondition
          ? matchesCondition(word, depth) : word.isWord("screen") || word.isWord("all")
      else { return nil }
      result = result.map { isOr ? $0 || value : $0 && value } ?? value
    }
    return (result ?? true) != isNegated
  }

  /// The maximum number of nested parentheses.
  private static let maxNestingDepth = 8

  /// Returns whether the condition in parentheses holds; nil if it is invalid or unknown.
  private static func matchesCondition(_ text: StyleBytes, _ depth: Int) -> Bool? {
    guard text.last == UInt8(ascii: ")") else { return nil }
    let feature = text.dropFirst().dropLast().trimmed
    if feature.first == UInt8(ascii: "(") || feature.prefix(3).isWord("not") {
      return matchesQuery(feature, depth: depth + 1)
    }
    guard let colon = feature.firstIndex(of: UInt8(ascii: ":")) else {
      return feature.contains { "<>=".utf8.contains($0) }
        ? matchesRange(feature) : matchesBooleanFeature(feature)
    }
    return matchesFeature(feature[..<colon].trimmed, feature[(colon + 1)...].trimmed)
  }

  /// Returns whether a feature without a value applies; nil if it is unknown.
  private static func matchesBooleanFeature(_ name: StyleBytes) -> Bool? {
    if name.isWord("scripting") { return false }
    let isKnown =
      name.isWord("hover") || name.isWord("any-hover") || name.isWord("pointer")
      || name.isWord("any-pointer") || name.isWord("width") || name.isWord("height")
      || name.isWord("color")
    return isKnown ? true : nil
  }

  /// Returns whether a feature has a value; nil if either is unknown.
  private static func matchesFeature(_ name: StyleBytes, _ value: StyleBytes) -> Bool? {
    if name.isWord("hover") || name.isWord("any-hover") { return value.isWord("hover") }
    if name.isWord("pointer") || name.isWord("any-pointer") { return value.isWord("fine") }
    if name.isWord("prefers-color-scheme") { return value.isWord("light") }
    if name.isWord("scripting") { return value.isWord("none") }
    if name.isWord("orientation") { return value.isWord("landscape") }
    let isMin = name.prefix(4).isWord("min-")
    let isMax = name.prefix(4).isWord("max-")
    let dimension = isMin || isMax ? name.dropFirst(4) : name
    guard let size = screenSize(of: dimension), let length = parseLength(value) else { return nil }
    return isMin ? size >= length : isMax ? size <= length : size == length
  }

  /// Returns whether a comparison such as `width >= 768px` or `400px <= width < 700px` holds; nil
  /// if it is invalid or unknown.
  private static func matchesRange(_ text: StyleBytes) -> Bool? {
    var operands: [Double] = []
    var signs: [[UInt8]] = []
    var rest = text
    while true {
      let operand = rest.prefix { !"<>=".utf8.contains($0) }
      guard let value = screenSize(of: operand.trimmed) ?? parseLength(operand.trimmed) else {
        return nil
      }
      operands.append(value)
      rest = rest[operand.endIndex...]
      let sign = rest.prefix { "<>=".utf8.contains($0) }
      if sign.isEmpty { break }
      signs.append(Array(sign))
      rest = rest[sign.endIndex...]
    }
    guard (1...2).contains(signs.count) else { return nil }
    for (index, sign) in signs.enumerated() {
      let (left, right) = (operands[index], operands[index + 1])
      switch String(decoding: sign, as: UTF8.self) {
      case "<": if left >= right { return false }
      case "<=": if left > right { return false }
      case ">": if left <= right { return false }
      case ">=": if left < right { return false }
      case "=": if left != right { return false }
      default: return nil
      }
    }
    return true
  }

  private static func screenSize(of dimension: StyleBytes) -> Double? {
    if ["width", "device-width", "inline-size"].contains(where: dimension.isWord) {
      return screenWidth
    }
    return ["height", "device-height", "block-size"].contains(where: dimension.isWord)
      ? screenHeight : nil
  }

  /// Returns a length in CSS pixels; nil if it is invalid or has another unit.
  private static func parseLength(_ text: StyleBytes) -> Double? {
    let number = text.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard let value = Double(String(decoding: number, as: UTF8.self)) else { return nil }
    let unit = text[number.endIndex...]
    if unit.isWord("px") || unit.isEmpty && value == 0 { return value }
    return unit.isWord("em") || unit.isWord("rem") ? value * fontSize : nil
  }
}

extension StyleBytes {
  /// The words between white space and the conditions in parentheses.
  fileprivate var mediaTokens: [Self] {
    var words: [Self] = []
    var (index, start, depth) = (startIndex, startIndex, 0)
    func word(to end: Int) -> Self { self[start..<end] }
    while index < endIndex {
      let byte = self[index]
      if byte == UInt8(ascii: "("), depth == 0, index > start {
        words.append(word(to: index))
        start = index
      }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      let isEnd = depth == 0 && (byte.isWhiteSpace || byte == UInt8(ascii: ")"))
      index += 1
      if isEnd {
        let end = byte.isWhiteSpace ? index - 1 : index
        if end > start { words.append(word(to: end)) }
        start = index
      }
    }
    if start < endIndex { words.append(word(to: endIndex)) }
    return words
  }
}
