import CLibXML2

/// Parses the bytes of a page, whole or in chunks, into a `DOMTree`.
///
/// The bytes are UTF-8 without NUL, as `CharacterEncoding` makes them. Parsing cannot fail: what is
/// not HTML is text.
package struct DOMParser: ~Copyable {
  /// How many bytes are mended before libxml2 gets them.
  static let window = 8192

  private var mender: MarkupMender
  /// Where libxml2's events go; at a fixed address, which libxml2 knows.
  private let sink: UnsafeMutablePointer<TreeSink>
  private let context: htmlParserCtxtPtr?
  /// Bytes of a token that is not complete yet.
  private var rest: [UInt8] = []
  /// How many bytes `rest` must have before the token is looked at again.
  private var patience = 0

  /// - Parameter isXML: The page is XHTML: CDATA sections and `<br/>` for any element.
  package init(isXML: Bool = false) {
    mender = MarkupMender(isXML: isXML)
    sink = .allocate(capacity: 1)
    sink.initialize(to: TreeSink())
    context = Self.makeContext(sink)
    feed("<html><body>")
  }

  deinit {
    if let context { htmlFreeParserCtxt(context) }
    sink.deinitialize(count: 1)
    sink.deallocate()
  }

  /// Parses a whole page.
  package static func parse(_ bytes: [UInt8], isXML: Bool = false) -> DOMTree {
    var parser = DOMParser(isXML: isXML)
    parser.sink.pointee.reserve(bytes.count)
    bytes.withUnsafeBufferPointer { _ = parser.parse($0, isLast: true) }
    return parser.tree()
  }

  /// Takes the next bytes of the page.
  package mutating func push(_ chunk: [UInt8]) {
    if rest.isEmpty {
      let taken = chunk.withUnsafeBufferPointer { parse($0, isLast: false) }
      rest.append(contentsOf: chunk[taken...])
      patience = 2 * rest.count
    } else {
      rest.append(contentsOf: chunk)
      if rest.count > patience { parseRest(isLast: false) }
    }
  }

  /// Ends the page.
  package consuming func finish() -> DOMTree {
    parseRest(isLast: true)
    return tree()
  }

  private mutating func parseRest(isLast: Bool) {
    let bytes = rest
    let taken = bytes.withUnsafeBufferPointer { parse($0, isLast: isLast) }
    rest.removeFirst(taken)
    patience = 2 * rest.count
  }

  private mutating func tree() -> DOMTree {
    if let context { htmlParseChunk(context, nil, 0, 1) }
    var tree = sink.pointee.take()
    tree.language = mender.language
    tree.styleSheet = mender.styleSheet
    return tree
  }

  /// Mends and parses window by window. A token longer than the window makes the window grow.
  /// - Returns: How many bytes were taken.
  private mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> Int {
    var start = 0
    var size = Self.window
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      let part = UnsafeBufferPointer(rebasing: bytes[start..<end])
      let taken = mender.mend(part, isLast: isLast && end == bytes.count)
      flush()
      start += taken
      if taken > 0 {
        size = Self.window
      } else if end == bytes.count {
        break
      } else {
        size *= 2
      }
    }
    return start
  }

  private mutating func flush() {
    if !mender.output.isEmpty, let context {
      mender.output.withUnsafeBytes { bytes in
        _ = htmlParseChunk(
          context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
      }
      mender.output.removeAll(keepingCapacity: true)
    }
    mender.nesting.update(depth: Int(context?.pointee.nameNr ?? 0))
  }

  private func feed(_ markup: StaticString) {
    guard let context else { return }
    markup.withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        _ = htmlParseChunk(context, bytes.baseAddress, Int32(bytes.count), 0)
      }
    }
  }

  private static func makeContext(_ sink: UnsafeMutablePointer<TreeSink>) -> htmlParserCtxtPtr? {
    var callbacks = htmlSAXHandler()
    callbacks.startElement = { context, name, attributes in
      guard let name else { return }
      sinkBehind(context)?.pointee.start(name, attributes)
    }
    callbacks.endElement = { context, _ in sinkBehind(context)?.pointee.end() }
    callbacks.characters = { context, text, count in
      sinkBehind(context)?.pointee.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    callbacks.ignorableWhitespace = callbacks.characters
    callbacks.cdataBlock = callbacks.characters
    let context = htmlCreatePushParserCtxt(
      &callbacks, UnsafeMutableRawPointer(sink), nil, 0, nil, XML_CHAR_ENCODING_UTF8)
    guard let context else { return nil }
    // There is no HTML_PARSE_HUGE; without the flag the rest of a deep or long page is lost.
    let options =
      XML_PARSE_HUGE.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue
      | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    _ = htmlCtxtUseOptions(context, Int32(bitPattern: options))
    return context
  }
}

/// The sink behind the pointer that libxml2 hands to its callbacks.
@inline(__always)
private func sinkBehind(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<TreeSink>? {
  context?.assumingMemoryBound(to: TreeSink.self)
}
