import CLibXML2

/// Receives the events of libxml2. Strings are only valid during the call.
///
/// A class, so that it can be passed through libxml2 as a pointer without overhead.
class MarkupReceiver {
  /// The current parser and its names. A constant pointer, so that accesses need no exclusivity
  /// checks.
  fileprivate final let sessionPointer = UnsafeMutablePointer<ParserSession>.allocate(capacity: 1)

  init() { sessionPointer.initialize(to: ParserSession()) }

  deinit {
    sessionPointer.deinitialize(count: 1)
    sessionPointer.deallocate()
  }

  /// Receives text, or a part of it.
  func receiveText(_ text: UnsafeBufferPointer<UInt8>) {}

  /// Receives a start tag.
  /// - Parameters:
  ///   - tag: Its name.
  ///   - attributes: Pairs of names and values as C strings, terminated by a null pointer.
  ///   - isSelfClosing: Whether the tag ends with `/>`.
  ///   - position: The index of the final `>` or `/>` in the input of libxml2.
  func receiveStartTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, position: Int
  ) {}

  /// Receives an end tag, or the end of an element that libxml2 closes by its own rules.
  /// `position` is the current index in the input of libxml2.
  func receiveEndTag(_ tag: TagName, position: Int) {}
}

/// The HTML push parser of libxml2, using only its public interface.
enum LibXML2 {
  /// The versions of the headers and of the loaded library, such as 20914 for 2.9.14.
  static let versions = (headers: Int(LIBXML_VERSION), running: Int(offread_xml_running_version()))

  /// The grammar that libxml2 uses: HTML 4, or the tokenizer of the HTML standard from version
  /// 2.14.
  static let grammar: MarkupPreparation.Grammar =
    min(versions.headers, versions.running) >= 21400 ? .html5 : .html4

  /// Parses a part of a page, which must be UTF-8 without NUL.
  static func parse(_ part: UnsafeBufferPointer<UInt8>, into receiver: MarkupReceiver) {
    var callbacks = callbacks
    let data = Unmanaged.passUnretained(receiver).toOpaque()
    let parser = htmlCreatePushParserCtxt(&callbacks, data, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
    guard let parser else { return }
    defer { htmlFreeParserCtxt(parser) }
    receiver.sessionPointer.pointee.setParser(parser)
    htmlCtxtUseOptions(parser, options)
    withExtendedLifetime(receiver) {
      part.withMemoryRebound(to: CChar.self) {
        _ = htmlParseChunk(parser, $0.baseAddress, Int32(clamping: $0.count), 1)
      }
    }
  }

  /// The parser options. `XML_PARSE_HUGE` has no HTML equivalent before 2.14, and without
  /// `XML_PARSE_HUGE` the rest of a deeply nested or long page is lost. 1 << 26 is
  /// `HTML_PARSE_HTML5`, which older headers do not declare.
  private static let options = Int32(
    bitPattern: XML_PARSE_HUGE.rawValue | HTML_PARSE_RECOVER.rawValue
      | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
      | (grammar == .html5 ? 1 << 26 : 0))

  nonisolated(unsafe) private static let callbacks: htmlSAXHandler = {
    var callbacks = htmlSAXHandler()
    // This value makes libxml2 report errors to `serror`.
    callbacks.initialized = XML_SAX2_MAGIC
    callbacks.startElement = { data, name, attributes in
      guard let name else { return }
      withReceiver(data) { receiver, parser in
        // At any other byte, the element is a paragraph that libxml2 inserted, or the tag is
        // truncated.
        let next = nextBytePointer(parser).pointee
        guard next == UInt8(ascii: ">") || next == UInt8(ascii: "/") else { return }
        receiver.receiveStartTag(
          receiver.sessionPointer.pointee.cachedTag(name), attributes: attributes,
          isSelfClosing: next == UInt8(ascii: "/"),
          position: nextByteIndex(parser))
      }
    }
    callbacks.endElement = { data, name in
      guard let name else { return }
      withReceiver(data) { receiver, parser in
        guard isClosedByEndTag(parser) else { return }
        receiver.receiveEndTag(
          receiver.sessionPointer.pointee.cachedTag(name), position: nextByteIndex(parser))
      }
    }
    callbacks.characters = { data, text, count in
      guard let text else { return }
      withReceiver(data) { receiver, _ in
        receiver.receiveText(UnsafeBufferPointer(start: text, count: Int(count)))
      }
    }
    callbacks.ignorableWhitespace = callbacks.characters
    callbacks.cdataBlock = callbacks.characters
    // libxml2 reports an end tag without an open element as an error rather than as an event.
    callbacks.serror = { data, error in
      guard let error = error?.pointee, error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue),
        let name = error.str1
      else { return }
      withReceiver(data) { receiver, parser in
        guard isClosedByEndTag(parser) else { return }
        let tag = name.withMemoryRebound(to: UInt8.self, capacity: 1) {
          TagName(UnsafeBufferPointer(cString: $0))
        }
        receiver.receiveEndTag(tag, position: nextByteIndex(parser))
      }
    }
    return callbacks
  }()

  /// Returns whether an end tag closes the element that libxml2 reports as closed; otherwise the
  /// start tag that is being parsed closes it.
  private static func isClosedByEndTag(_ parser: htmlParserCtxtPtr) -> Bool {
    nextBytePointer(parser)[-1] == UInt8(ascii: ">")
  }

  /// Returns a pointer to the next byte of the input.
  private static func nextBytePointer(_ parser: htmlParserCtxtPtr) -> UnsafePointer<UInt8> {
    UnsafePointer(parser.pointee.input.pointee.cur)
  }

  /// Returns the index of the next byte in the input.
  private static func nextByteIndex(_ parser: htmlParserCtxtPtr) -> Int {
    Int(xmlByteConsumed(parser))
  }

  /// Calls a function with the receiver that libxml2 passes back.
  @inline(__always)
  private static func withReceiver(
    _ data: UnsafeMutableRawPointer?, _ body: (MarkupReceiver, htmlParserCtxtPtr) -> Void
  ) {
    guard let data else { return }
    Unmanaged<MarkupReceiver>.fromOpaque(data)._withUnsafeGuaranteedRef { receiver in
      if let parser = receiver.sessionPointer.pointee.parser { body(receiver, parser) }
    }
  }
}

/// A parser, with a cache of tags by libxml2's pointers to their names, which it interns.
private struct ParserSession {
  private(set) var parser: htmlParserCtxtPtr?
  private var cachedNamePointers = [UnsafePointer<UInt8>?](repeating: nil, count: 64)
  private var cachedTags = [TagName](repeating: TagName(.other), count: 64)

  mutating func setParser(_ parser: htmlParserCtxtPtr) {
    self.parser = parser
    for index in cachedNamePointers.indices { cachedNamePointers[index] = nil }
  }

  /// Returns the tag with a name, from the cache if possible.
  mutating func cachedTag(_ name: UnsafePointer<UInt8>) -> TagName {
    let address = UInt(bitPattern: name)
    let index = Int(truncatingIfNeeded: (address ^ address >> 6) & 63)
    if cachedNamePointers[index] == name { return cachedTags[index] }
    let tag = TagName(UnsafeBufferPointer(cString: name))
    cachedNamePointers[index] = name
    cachedTags[index] = tag
    return tag
  }
}

extension DOMParser {
  /// The version of the loaded libxml2.
  package static var version: String {
    let number = LibXML2.versions.running
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
