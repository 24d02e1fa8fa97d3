import Formats

extension PageContent {
  /// The same of content that may be a document of another kind, whose text another program finds.
  /// - Parameters:
  ///   - content: the content.
  ///   - type: what is said of it.
  ///   - limit: the most bytes that it may have unpacked.
  ///   - title: what a page is called that has no title.
  /// - Throws: `Problem` when it is not to be read.
  init(
    document content: [UInt8], type: MediaType, limit: Int64, title: String
  ) throws(Problem) {
    if let mail = DocumentFile.item(ofMessage: content, type: type, title: title) {
      try self.init(mail.bytes, type: mail.type, limit: limit)
      base = mail.base
      warnings = mail.notices
      return
    }
    do throws(Problem) {
      try self.init(content, type: type, limit: limit)
    } catch {
      guard error == .notText(mediaType: PDFText.mediaType) else { throw error }
      var isCut = false
      let file = try Self.unpackedLayers(of: content, limit: limit, isCut: &isCut)
      guard let markup = PDFText.markup(of: file, title: title) else { throw error }
      try self.init(markup, type: MediaType("text/html"), limit: limit)
    }
  }
}
