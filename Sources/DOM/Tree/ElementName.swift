/// The vocabulary of elements: all elements that offread knows.
///
/// Any other element is `other`, of which only the content is shown.
@usableFromInline
package enum ElementName: String, CaseIterable, Sendable {
  // Sections and blocks.
  case html, head, body, main, article, section, nav, aside, header, footer, search
  case div, p, center, address, blockquote, pre, listing, xmp, plaintext, hr
  case h1, h2, h3, h4, h5, h6, hgroup
  case ul, ol, li, menu, dir, dl, dt, dd
  case figure, figcaption, details, summary, dialog, fieldset, legend, form, marquee
  case table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th
  // Text.
  case a, abbr, acronym, b, bdi, bdo, cite, code, data, del, dfn, em, font, i, ins, kbd, mark
  case q, s, samp, small, span, strike, strong, `subscript` = "sub", sup, time, tt, u
  case `var`, br, wbr, ruby, rb, rt, rp, rtc
  // Embedded content.
  case img, picture, source, track, iframe, frame, frameset, noframes, noembed, embed, object
  case param, audio, video, canvas, map, area
  // Players that a script loads when they are clicked.
  case youTube = "lite-youtube", vimeo = "lite-vimeo", ampFrame = "amp-iframe"
  case svg, image, desc, text, defs, symbol, foreignObject = "foreignobject"
  case svgSwitch = "switch"
  case math, mfrac, msup, msub, msubsup, msqrt, mroot, munder, mover, munderover, mtr, mtd
  case mfenced, mmultiscripts, mprescripts, mi, mo, mspace, mphantom, maction
  case annotation, annotationXML = "annotation-xml"
  // Alternatives in EPUB publications.
  case epubSwitch = "epub:switch", epubCase = "epub:case", epubDefault = "epub:default"
  // Forms.
  case input, button, select, optgroup, option, textarea, label, datalist, meter, output, progress
  // Metadata and scripting.
  case title, meta, base, link, style, script, template, noscript, slot
  case other = ""
  /// A text node.
  case characters = "#text"

  /// Whether the element has no content (a void element).
  var isVoid: Bool {
    switch self {
    case .area, .base, .br, .col, .embed, .frame, .hr, .img, .input, .link, .meta, .param, .source,
      .track, .wbr:
      true
    default: false
    }
  }

  /// Whether the element begins on a line of its own.
  package var isBlock: Bool {
    switch self {
    case .html, .head, .body, .main, .article, .section, .nav, .aside, .header, .footer, .search,
      .div, .p, .center, .address, .blockquote, .pre, .listing, .xmp, .plaintext, .hr,
      .h1, .h2, .h3, .h4, .h5, .h6, .hgroup, .ul, .ol, .li, .menu, .dir, .dl, .dt, .dd,
      .figure, .figcaption, .details, .summary, .dialog, .fieldset, .legend, .form,
      .table, .caption, .thead, .tbody, .tfoot, .tr, .td, .th, .frameset, .noframes, .marquee:
      true
    default: false
    }
  }

  /// The level of a heading, or 0.
  package var headingLevel: UInt8 {
    switch self {
    case .h1: 1
    case .h2: 2
    case .h3: 3
    case .h4: 4
    case .h5: 5
    case .h6: 6
    default: 0
    }
  }

  /// Returns the element with a name, regardless of case; `other` if it is unknown.
  package static func named(_ bytes: UnsafeBufferPointer<UInt8>) -> ElementName {
    elementsByName.find(bytes) ?? prefixed(bytes) ?? .other
  }

  /// Returns the MathML element that a name with a namespace prefix, such as `m:mfrac`, denotes.
  /// Nil if it denotes none. The prefix is not resolved. Names of elements whose content is not
  /// shown need one of the usual prefixes of MathML, because other vocabularies have elements such
  /// as `annotation`.
  private static func prefixed(_ bytes: UnsafeBufferPointer<UInt8>) -> ElementName? {
    guard let colon = bytes.prefix(maxPrefixLength).firstIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    let name = elementsByName.find(UnsafeBufferPointer(rebasing: bytes[(colon + 1)...]))
    guard let name, name.isMathML else { return nil }
    let prefix = bytes[..<colon].lazy.map(\.lowercased)
    let isUsual = mathPrefixes.contains { prefix.elementsEqual($0.utf8) }
    return isUsual || !name.mayHideContentInMath ? name : nil
  }

  private static let mathPrefixes = ["m", "mml", "math", "mathml"]

  /// Whether some or all of the content of the MathML element is not shown.
  private var mayHideContentInMath: Bool {
    switch self {
    case .annotation, .annotationXML, .mphantom, .maction: true
    default: false
    }
  }

  /// Maximum length in bytes of a namespace prefix, with its colon.
  private static let maxPrefixLength = 16

  private var isMathML: Bool {
    switch self {
    case .math, .mfrac, .msup, .msub, .msubsup, .msqrt, .mroot, .munder, .mover, .munderover, .mtr,
      .mtd, .mfenced, .mmultiscripts, .mprescripts, .mi, .mo, .mspace, .mphantom, .maction,
      .annotation, .annotationXML:
      true
    default: false
    }
  }

  private static let elementsByName = NameTable(
    allCases.filter { $0 != .other && $0 != .characters }.map { ($0.rawValue, $0) }
      // Images and players of AMP.
      + [
        ("amp-img", .img), ("amp-anim", .img), ("amp-video", .video), ("amp-audio", .audio),
        ("amp-youtube", .youTube), ("amp-vimeo", .vimeo),
      ]
      // A row with the number of an equation, before its cells.
      + [("mlabeledtr", .mtr)]
      + [("ops:switch", .epubSwitch), ("ops:case", .epubCase), ("ops:default", .epubDefault)])
}
