package import Pages
package import Formats

extension PageContent {
  /// Creates the content of a page from bytes that may be a mail, a mailbox, an MHTML page or a PDF
  /// file, also compressed. The text of a PDF file is extracted by `pdftotext`.
  /// - Parameters:
  ///   - content: the bytes.
  ///   - type: the declared media type.
  ///   - limit: the maximum size in bytes after decompression.
  ///   - title: the title for a page without one.
  /// - Throws: `Problem` if the content cannot be shown.
  package init(
    document content: [UInt8], type: MediaType, limit: Int64, title: String
  ) throws(Problem) {
    var isTruncated = false
    let file = try Self.unpackedLayers(of: content, limit: limit, isTruncated: &isTruncated)
    // The archives of mailing lists are compressed texts.
    let isCompressed = file.count != content.count
    let mayBeMail =
      type.essence == "text/plain" || Self.compressedTypes.contains(type.essence)
    let messageType = isCompressed && mayBeMail ? MediaType(nil) : type
    if let mail = DocumentFile.item(ofMessage: file, type: messageType, title: title) {
      try self.init(mail.bytes, type: mail.type, limit: limit)
      base = mail.base
      styleSheet = mail.styleSheet
      warnings = mail.notices
    } else {
      do throws(Problem) {
        try self.init(file, type: type, limit: limit)
      } catch {
        guard error == .notText(mediaType: PDFText.mediaType),
          let markup = PDFText.markup(of: file, title: title)
        else { throw error }
        try self.init(markup, type: MediaType("text/html"), limit: limit)
      }
    }
    self.isTruncated = self.isTruncated || isTruncated
  }
}
