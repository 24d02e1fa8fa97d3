import CLibXML2

/// What libxml2 reports of a page, one call an event. Strings are valid during the call.
protocol MarkupReceiver {
  /// Text, or a part of one.
  func characters(_ text: UnsafeBufferPointer<UInt8>)

  /// A start tag.
  /// - Parameters:
  ///   - name: In lower case, a C string.
  ///   - attributes: Names and values, C strings in pairs up to a null pointer.
  ///   - isSelfClosing: The tag ends with `/>`.
  ///   - place: Where in what libxml2 was given the tag ends: the index of the `>` or `/>`.
  func startTag(
    _ name: UnsafePointer<UInt8>, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, place: Int)

  /// An end tag, or an element that libxml2 ends by its own rules; `place` is where in what it was given
  /// it has come to.
  func endTag(_ name: UnsafePointer<UInt8>, place: Int)
}

/// libxml2's push parser of HTML, with its public interface alone.
enum LibXML2 {
  /// The versions of the headers and of the library that runs, as 20914 for 2.9.14.
  static let versions = (headers: Int(LIBXML_VERSION), running: Int(offread_xml_running_version()))

  /// How it reads: as HTML 4, or, from 2.14 on, as the tokenizer of the HTML standard.
  static let grammar: MarkupPreparation.Grammar =
    min(versions.headers, versions.running) >= 21400 ? .html5 : .html4

  /// What libxml2 hands back with each event.
  private struct Session {
    let receiver: any MarkupReceiver
    let context: htmlParserCtxtPtr
  }

  /// Parses a part of a page, which is UTF-8 without NUL.
  static func parse(_ part: UnsafeBufferPointer<UInt8>, into receiver: some MarkupReceiver) {
    var callbacks = callbacks
    // The session is known only when its context is; nothing is parsed before.
    let data = UnsafeMutablePointer<Session>.allocate(capacity: 1)
    defer { data.deallocate() }
    let context = htmlCreatePushParserCtxt(&callbacks, data, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
    guard let context else { return }
    defer { htmlFreeParserCtxt(context) }
    data.initialize(to: Session(receiver: receiver, context: context))
    defer { data.deinitialize(count: 1) }
    htmlCtxtUseOptions(context, options)
    part.withMemoryRebound(to: CChar.self) {
      _ = htmlParseChunk(context, $0.baseAddress, Int32(clamping: $0.count), 1)
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
      guard let name, let session = session(data) else { return }
      let context = session.pointee.context
      // Before anything but the end of a tag, libxml2 puts a paragraph around text, or the page ends.
      let next = cursor(context).pointee
      guard next == UInt8(ascii: ">") || next == UInt8(ascii: "/") else { return }
      session.pointee.receiver.startTag(
        name, attributes: attributes, isSelfClosing: next == UInt8(ascii: "/"),
        place: place(context))
    }
    callbacks.endElement = { data, name in
      guard let name, let session = session(data) else { return }
      endTag(name, session)
    }
    callbacks.characters = { data, text, count in
      guard let text, let session = session(data) else { return }
      session.pointee.receiver.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    callbacks.ignorableWhitespace = callbacks.characters
    callbacks.cdataBlock = callbacks.characters
    // An end tag of what libxml2 has not open, or ended before, is an error and no event.
    callbacks.serror = { data, error in
      guard let error = error?.pointee, error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue),
        let name = error.str1, let session = session(data)
      else { return }
      name.withMemoryRebound(to: UInt8.self, capacity: 1) { endTag($0, session) }
    }
    return callbacks
  }()

  private static func endTag(
    _ name: UnsafePointer<UInt8>, _ session: UnsafeMutablePointer<Session>
  ) {
    let context = session.pointee.context
    // Behind anything but a tag, an element ends for the start tag that is being read.
    guard cursor(context)[-1] == UInt8(ascii: ">") else { return }
    session.pointee.receiver.endTag(name, place: place(context))
  }

  /// The byte that is read next.
  private static func cursor(_ context: htmlParserCtxtPtr) -> UnsafePointer<UInt8> {
    UnsafePointer(context.pointee.input.pointee.cur)
  }

  /// The index of that byte in what was parsed.
  private static func place(_ context: htmlParserCtxtPtr) -> Int { Int(xmlByteConsumed(context)) }

  private static func session(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Session>? {
    data?.assumingMemoryBound(to: Session.self)
  }
}
