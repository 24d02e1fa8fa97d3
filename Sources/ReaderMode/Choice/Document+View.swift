package import DOM
package import Document
package import Formats

extension Document {
  /// Parses the bytes of a page: determines whether they are HTML, XHTML or plain text and in which
  /// encoding, and builds the document.
  ///
  /// `mediaType` and `charset` are from `Content-Type`; without a media type the content is
  /// sniffed. `url` is the absolute URL of the page, or empty; its extension may determine the text
  /// format (`TextFormat`). `styleSheet` is CSS of linked style sheets, which precedes the page's
  /// own; `flowedFormat` are the parameters of `format=flowed`. Documents other than HTML have no
  /// main content.
  package init(
    bytes: consuming [UInt8], mediaType: String? = nil, charset: String? = nil, url: String = "",
    view: PageViewMode = .page, styleSheet: [UInt8] = [], flowedFormat: FlowedFormat? = nil
  ) {
    let kind = Self.kind(of: bytes, mediaType: mediaType)
    let isMarkup = kind == .html || kind == .xhtml
    let encoding = CharacterEncoding.detect(bytes, charset: charset, isMarkup: isMarkup)
    let text = encoding.decode(bytes)
    if isMarkup, view != .source {
      // An XML declaration takes precedence over the media type.
      let isXML = kind == .xhtml || text.starts(with: "<?xml".utf8)
      var tree = DOMParser.parse(
        isXML ? text.expandingEntities.withoutHTMLPrefix : text, isXML: isXML, encoding: encoding)
      if !styleSheet.isEmpty { tree.styleSheet = styleSheet + tree.styleSheet }
      switch view {
      case .page, .source: self.init(tree: tree, url: url)
      case .reader(let options):
        self = ReaderViewBuilder.document(of: tree, url: url, options: options)
      }
    } else if kind == .text, view != .source {
      let format = TextFormat(mediaType: mediaType, name: url)
      self.init(text: text, format: format, url: url, flowedFormat: flowedFormat)
    } else {
      self.init(plainText: text)
      baseURL = url
    }
    self.encodingName = encoding.name
    if encoding.name == "ISO-8859-8", isMarkup, view != .source { reorderVisualHebrew() }
  }

  /// Builds the document of a parsed page.
  package init(tree: DOMTree, url: String = "") {
    self = DocumentBuilder.build(tree, url: url, hiding: HidingRules(of: tree))
  }
}
