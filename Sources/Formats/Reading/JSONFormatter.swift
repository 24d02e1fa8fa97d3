package import Document
import DOM

/// Shows JSON (RFC 8259) indented, with one member on each line; short arrays are kept on one line.
/// Also supports texts with several values: JSON Lines and JSON text sequences (RFC 7464).
///
/// Reading and writing are a single pass without recursion. The depth of indentation is bounded, so
/// that the output is proportional to the input.
struct JSONFormatter {
  private let bytes: [UInt8]
  private var index = 0
  private var writer: DocumentWriter
  /// The open containers: true for objects, false for arrays.
  private var openContainers: [Bool] = []
  /// The number of open containers around a short array that is written on one line; nil if no such
  /// array is open.
  private var shortArrayDepth: Int?
  private var folds = JSONFolds()

  /// Maximum depth at which values begin on a new line.
  private static let maxLineBreakDepth = 32
  /// Maximum depth at which the indentation increases.
  private static let maxIndentDepth = 16
  /// Maximum number of columns of an array on one line.
  private static let maxShortArrayLength = 60

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    writer = DocumentWriter(capacity: bytes.count + bytes.count / 4)
  }

  /// Creates the document of a text. Invalid JSON is shown as text, with a notice that contains the
  /// position of the error.
  static func document(of text: [UInt8]) -> Document {
    var formatter = JSONFormatter(text)
    do throws(SyntaxError) {
      try formatter.read()
      formatter.writer.endLeaf(.preformatted(language: nil))
      formatter.writer.setFolds(formatter.folds.folds())
      return formatter.writer.document
    } catch {
      var document = PlainTextFormatter.document(of: text)
      if text.contains(where: { !$0.isWhiteSpace }) {
        document.notice = "not valid JSON, shown as text: " + error.message(in: text)
      }
      return document
    }
  }

  /// Returns whether a text is valid JSON that begins with an object or array.
  static func isJSON(_ text: [UInt8]) -> Bool {
    guard let first = text.first(where: { !$0.isWhiteSpace }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    var formatter = JSONFormatter(text)
    do throws(SyntaxError) { try formatter.read() } catch { return false }
    return true
  }

  /// A syntax error, with its position and reason.
  struct SyntaxError: Error, CustomStringConvertible {
    var offset: Int
    var reason: String

    var description: String { reason }

    /// Returns the error with its position: `line 3, column 7: a comma is missing`.
    func message(in text: [UInt8]) -> String {
      let before = text[..<min(offset, text.count)]
      let line = before.count { $0 == 0x0A } + 1
      let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
      return "line \(line), column \(column): \(reason)"
    }
  }

  /// The tokens that may come next.
  private enum ExpectedToken {
    /// A top-level value, or the end of the text.
    case document
    case value, firstElement, key, firstKey, separator
  }

  private mutating func read() throws(SyntaxError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    var expected = ExpectedToken.document
    var count = 0
    while true {
      skipSpace()
      guard index < bytes.count else {
        if expected == .document, count > 0 { return }
        throw syntaxError("the text ends before its last bracket is closed")
      }
      switch expected {
      case .document:
        if count > 0 { newLine() }
        count += 1
        expected = try readValue()
      case .value: expected = try readValue()
      case .firstElement, .firstKey:
        if bytes[index] == (expected == .firstKey ? 0x7D : 0x5D) {
          expected = try close(isEmpty: true)
        } else {
          if !isOnOneLine(depth: openContainers.count) {
            folds.begin(
              at: writer.length, depth: openContainers.count - 1, isObject: expected == .firstKey)
          }
          separateElement(isFirst: true)
          expected = expected == .firstKey ? .key : .value
        }
      case .key:
        try readKey()
        expected = .value
      case .separator: expected = try readSeparator()
      }
    }
  }

  // MARK: Values

  private mutating func readValue() throws(SyntaxError) -> ExpectedToken {
    switch bytes[index] {
    case UInt8(ascii: "{"):
      writer.write("{")
      return openContainer(isObject: true)
    case UInt8(ascii: "["):
      writer.write("[")
      if shortArrayDepth == nil, isShortArray { shortArrayDepth = openContainers.count }
      return openContainer(isObject: false)
    case UInt8(ascii: "\""):
      let string = try readString()
      writer.write("\"")
      write(string)
      writer.write("\"")
    default: try parseLiteral()
    }
    return tokenAfterValue
  }

  private mutating func openContainer(isObject: Bool) -> ExpectedToken {
    index += 1
    openContainers.append(isObject)
    return isObject ? .firstKey : .firstElement
  }

  private var tokenAfterValue: ExpectedToken { openContainers.isEmpty ? .document : .separator }

  private mutating func close(isEmpty: Bool) throws(SyntaxError) -> ExpectedToken {
    let isObject = openContainers.removeLast()
    if !isEmpty, !isOnOneLine(depth: openContainers.count + 1) {
      newLine(indent: indentation)
      folds.end(at: writer.length, depth: openContainers.count)
    }
    if isObject { writer.write("}") } else { writer.write("]") }
    index += 1
    if shortArrayDepth == openContainers.count { shortArrayDepth = nil }
    return tokenAfterValue
  }

  private mutating func readSeparator() throws(SyntaxError) -> ExpectedToken {
    let isObject = openContainers[openContainers.count - 1]
    switch bytes[index] {
    case UInt8(ascii: ","):
      index += 1
      writer.write(",")
      folds.addMember(depth: openContainers.count - 1)
      separateElement(isFirst: false)
      return isObject ? .key : .value
    case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
      return try close(isEmpty: false)
    default:
      throw syntaxError("a comma or the closing \(isObject ? "brace" : "bracket") is missing")
    }
  }

  private mutating func readKey() throws(SyntaxError) {
    guard bytes[index] == UInt8(ascii: "\"") else {
      throw syntaxError("a name in quotation marks is missing")
    }
    let name = try readString()
    writer.style = .strong
    write(name)
    writer.style = []
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
      throw syntaxError("a colon is missing")
    }
    index += 1
    writer.write(": ")
  }

  /// Reads a number, `true`, `false` or `null`.
  private mutating func parseLiteral() throws(SyntaxError) {
    let start = index
    while index < bytes.count,
      bytes[index].isLetter || bytes[index].isDigit
        || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains(bytes[index])
    {
      index += 1
    }
    let word = bytes[start..<index]
    let isNumber = word.first.map { $0.isDigit || $0 == UInt8(ascii: "-") } ?? false
    guard isNumber || Self.literals.contains(where: { word.elementsEqual($0.utf8) }) else {
      index = start
      throw syntaxError("a value is missing")
    }
    writer.write(bytes, start..<index)
  }

  /// Literal names; the last two are not JSON, but some programs write them.
  private static let literals = ["true", "false", "null", "NaN", "Infinity"]

  /// Reads a string.
  /// - Returns: The range between its quotation marks.
  private mutating func readString() throws(SyntaxError) -> Range<Int> {
    let start = index + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count else { throw syntaxError("the quotation mark is never closed") }
    index = end + 1
    return start..<end
  }

  private mutating func write(_ range: Range<Int>) {
    guard bytes[range].contains(UInt8(ascii: "\\")) else {
      return writer.writeLinkingURLs(bytes, range)
    }
    let text = JSONStrings.decoded(bytes[range])
    var start = 0
    while let end = text[start...].firstIndex(of: 0x0A) {
      writer.writeLinkingURLs(text, start..<end)
      let isEmpty = end + 1 < text.count && text[end + 1] == 0x0A
      writer.newLine(indent: isEmpty ? 0 : indentation + 2)
      folds.recordLineStart(at: nil)
      start = end + 1
    }
    writer.writeLinkingURLs(text, start..<text.count)
  }

  // MARK: Lines

  private var indentation: Int { 2 * min(openContainers.count, Self.maxIndentDepth) }

  private func isOnOneLine(depth: Int) -> Bool {
    shortArrayDepth.map { depth > $0 } ?? (depth > Self.maxLineBreakDepth)
  }

  private mutating func separateElement(isFirst: Bool) {
    if !isOnOneLine(depth: openContainers.count) {
      newLine(indent: indentation)
    } else if !isFirst {
      writer.write(" ")
    }
  }

  private mutating func newLine(indent columns: Int = 0) {
    writer.newLine(indent: columns)
    folds.recordLineStart(at: writer.length)
  }

  /// Whether the array at the current position contains no objects and fits on one line.
  private var isShortArray: Bool {
    var depth = 0
    var length = 0
    var position = index
    while position < bytes.count, length <= Self.maxShortArrayLength {
      switch bytes[position] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return true }
      case UInt8(ascii: "{"): return false
      case UInt8(ascii: "\""):
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
          length <= Self.maxShortArrayLength
        {
          if bytes[position] == UInt8(ascii: "\\") { return false }
          position += 1
          length += 1
        }
      case let byte where byte.isWhiteSpace:
        position += 1
        // White space takes no columns, but the search must be bounded.
        if position - index > 16 * Self.maxShortArrayLength { return false }
        continue
      default: break
      }
      position += 1
      length += 1
    }
    return false
  }

  private mutating func skipSpace() {
    while index < bytes.count,
      bytes[index].isWhiteSpace || openContainers.isEmpty && bytes[index] == 0x1E
    {
      index += 1
    }
  }

  private func syntaxError(_ reason: String) -> SyntaxError {
    SyntaxError(offset: index, reason: reason)
  }
}

extension Document {
  /// Returns whether UTF-8 text is a valid JSON object or array, so that JSON can be assumed
  /// without a media type.
  package static func isJSON(_ bytes: [UInt8]) -> Bool { JSONFormatter.isJSON(bytes) }
}
