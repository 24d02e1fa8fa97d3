package import DOM
package import Document
package import Formats

extension Document {
  /// Reads the bytes of a page: decides whether they are HTML, XHTML or plain text and in which
  /// encoding, and builds the document.
  ///
  /// `mediaType` and `charset` are those of `Content-Type`; without a media type the bytes are looked at. `url` is
  /// the absolute address of the page, or empty: how it ends may tell the format of a text (`TextFormat`). What is
  /// not a page of HTML has no main content. `styleSheet` is CSS that the page links to and that comes before its
  /// own; `flow` holds the parameters of `format=flowed`.
  package init(
    bytes: consuming [UInt8], mediaType: String? = nil, charset: String? = nil, url: String = "",
    view: ReadingView = .page, styleSheet: [UInt8] = [], flow: LineFlow? = nil
  ) {
    let kind = Self.kind(of: bytes, mediaType: mediaType)
    let isMarkup = kind == .html || kind == .xhtml
    let encoding = CharacterEncoding.detect(bytes, charset: charset, isMarkup: isMarkup)
    let text = encoding.decode(bytes)
    if isMarkup, view != .source {
      // Whoever begins with an XML declaration means XML, whatever the server says.
      let isXML = kind == .xhtml || text.starts(with: "<?xml".utf8)
      var tree = DOMParser.parse(isXML ? text.expandingEntities : text, isXML: isXML)
      if !styleSheet.isEmpty { tree.styleSheet = styleSheet + tree.styleSheet }
      switch view {
      case .page, .source: self.init(tree: tree, url: url)
      case .reader(let options): self = ReaderView.document(of: tree, url: url, options: options)
      }
    } else if kind == .text, view != .source {
      let format = TextFormat(mediaType: mediaType, name: url)
      self.init(text: text, format: format, url: url, flow: flow)
    } else {
      self.init(plainText: text)
      base = url
    }
    self.encoding = encoding.name
  }

  /// Builds the document of a parsed page.
  package init(tree: DOMTree, url: String = "") {
    self = DocumentBuilder.build(tree, url: url, hiding: HidingRules(of: tree))
  }
}
