import CLibXML2

/// What libxml2 reports of a page, one call an event. Strings are valid during the call.
///
/// A class, so that libxml2 hands it back as a pointer, which costs nothing to use.
class MarkupReceiver {
  /// The parser that reports, and its names. Constant, so that no access to it has to be exclusive.
  fileprivate final let session = UnsafeMutablePointer<ParserSession>.allocate(capacity: 1)

  init() { session.initialize(to: ParserSession()) }

  deinit {
    session.deinitialize(count: 1)
    session.deallocate()
  }

  /// Text, or a part of one.
  func characters(_ text: UnsafeBufferPointer<UInt8>) {}

  /// A start tag.
  /// - Parameters:
  ///   - tag: Its name.
  ///   - attributes: Names and values, C strings in pairs up to a null pointer.
  ///   - isSelfClosing: The tag ends with `/>`.
  ///   - place: Where in what libxml2 was given the tag ends: the index of the `>` or `/>`.
  func startTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, place: Int
  ) {}

  /// An end tag, or an element that libxml2 ends by its own rules; `place` is where in what it was given
  /// it has come to.
  func endTag(_ tag: TagName, place: Int) {}
}

/// libxml2's push parser of HTML, with its public interface alone.
enum LibXML2 {
  /// The versions of the headers and of the library that runs, as 20914 for 2.9.14.
  static let versions = (headers: Int(LIBXML_VERSION), running: Int(offread_xml_running_version()))

  /// How it reads: as HTML 4, or, from 2.14 on, as the tokenizer of the HTML standard.
  static let grammar: MarkupPreparation.Grammar =
    min(versions.headers, versions.running) >= 21400 ? .html5 : .html4

  /// Parses a part of a page, which is UTF-8 without NUL.
  static func parse(_ part: UnsafeBufferPointer<UInt8>, into receiver: MarkupReceiver) {
    var callbacks = callbacks
    let data = Unmanaged.passUnretained(receiver).toOpaque()
    let parser = htmlCreatePushParserCtxt(&callbacks, data, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
    guard let parser else { return }
    defer { htmlFreeParserCtxt(parser) }
    receiver.session.pointee.begin(parser)
    htmlCtxtUseOptions(parser, options)
    withExtendedLifetime(receiver) {
      part.withMemoryRebound(to: CChar.self) {
        _ = htmlParseChunk(parser, $0.baseAddress, Int32(clamping: $0.count), 1)
      }
    }
  }

  /// `XML_PARSE_HUGE`: there is no such option of HTML before 2.14, and without it the rest of a deep
  /// or long page is lost. The name of `HTML_PARSE_HTML5`, 1 << 26, is missing in older headers.
  private static let options = Int32(
    bitPattern: XML_PARSE_HUGE.rawValue | HTML_PARSE_RECOVER.rawValue
      | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
      | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
      | (grammar == .html5 ? 1 << 26 : 0))

  nonisolated(unsafe) private static let callbacks: htmlSAXHandler = {
    var callbacks = htmlSAXHandler()
    // With this mark libxml2 reports errors to `serror`.
    callbacks.initialized = XML_SAX2_MAGIC
    callbacks.startElement = { data, name, attributes in
      guard let name else { return }
      withReceiver(data) { receiver, parser in
        // Before anything but the end of a tag, libxml2 puts a paragraph around text, or the page ends.
        let next = cursor(parser).pointee
        guard next == UInt8(ascii: ">") || next == UInt8(ascii: "/") else { return }
        receiver.startTag(
          receiver.session.pointee.tag(name), attributes: attributes,
          isSelfClosing: next == UInt8(ascii: "/"),
          place: place(parser))
      }
    }
    callbacks.endElement = { data, name in
      guard let name else { return }
      withReceiver(data) { receiver, parser in
        guard endsByTag(parser) else { return }
        receiver.endTag(receiver.session.pointee.tag(name), place: place(parser))
      }
    }
    callbacks.characters = { data, text, count in
      guard let text else { return }
      withReceiver(data) { receiver, _ in
        receiver.characters(UnsafeBufferPointer(start: text, count: Int(count)))
      }
    }
    callbacks.ignorableWhitespace = callbacks.characters
    callbacks.cdataBlock = callbacks.characters
    // An end tag of what libxml2 has not open, or ended before, is an error and no event.
    callbacks.serror = { data, error in
      guard let error = error?.pointee, error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue),
        let name = error.str1
      else { return }
      withReceiver(data) { receiver, parser in
        guard endsByTag(parser) else { return }
        let tag = name.withMemoryRebound(to: UInt8.self, capacity: 1) {
          TagName(UnsafeBufferPointer(cString: $0))
        }
        receiver.endTag(tag, place: place(parser))
      }
    }
    return callbacks
  }()

  /// Whether an element ends by its tag: behind anything else it ends for the start tag that is being read.
  private static func endsByTag(_ parser: htmlParserCtxtPtr) -> Bool {
    cursor(parser)[-1] == UInt8(ascii: ">")
  }

  /// The byte that is read next.
  private static func cursor(_ parser: htmlParserCtxtPtr) -> UnsafePointer<UInt8> {
    UnsafePointer(parser.pointee.input.pointee.cur)
  }

  /// The index of that byte in what was parsed.
  private static func place(_ parser: htmlParserCtxtPtr) -> Int { Int(xmlByteConsumed(parser)) }

  /// Calls a function with what libxml2 hands back.
  @inline(__always)
  private static func withReceiver(
    _ data: UnsafeMutableRawPointer?, _ body: (MarkupReceiver, htmlParserCtxtPtr) -> Void
  ) {
    guard let data else { return }
    Unmanaged<MarkupReceiver>.fromOpaque(data)._withUnsafeGuaranteedRef { receiver in
      if let parser = receiver.session.pointee.parser { body(receiver, parser) }
    }
  }
}

/// A parser, and the tags by the names that it has for them: it has each name once.
private struct ParserSession {
  private(set) var parser: htmlParserCtxtPtr?
  private var names = [UnsafePointer<UInt8>?](repeating: nil, count: 64)
  private var tags = [TagName](repeating: TagName(.other), count: 64)

  mutating func begin(_ parser: htmlParserCtxtPtr) {
    self.parser = parser
    for index in names.indices { names[index] = nil }
  }

  mutating func tag(_ name: UnsafePointer<UInt8>) -> TagName {
    let address = UInt(bitPattern: name)
    let index = Int(truncatingIfNeeded: (address ^ address >> 6) & 63)
    if names[index] == name { return tags[index] }
    let tag = TagName(UnsafeBufferPointer(cString: name))
    names[index] = name
    tags[index] = tag
    return tag
  }
}

extension DOMParser {
  /// The version of libxml2 that runs.
  package static var version: String {
    let number = LibXML2.versions.running
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
