import DOM
package import Document

extension Document {
  /// Creates the document of a text in a format. Invalid content is shown as plain text, with a
  /// notice.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - format: The format of the text.
  ///   - url: The URL of the page, or empty.
  ///   - flowedFormat: The parameters of `format=flowed`; nil for text with fixed lines.
  package init(
    text: [UInt8], format: TextFormat, url: String, flowedFormat: FlowedFormat? = nil
  ) {
    switch format {
    case .json:
      self = NotebookFormatter.document(of: text, url: url) ?? JSONFormatter.document(of: text)
    case .commaSeparated: self = DelimitedFormatter.document(of: text, separator: nil)
    case .tabSeparated: self = DelimitedFormatter.document(of: text, separator: 0x09)
    case .markdown: self = MarkdownFormatter.document(of: text, url: url)
    case .gemtext: self = GemtextFormatter.document(of: text, url: url)
    case .xml:
      self =
        FictionBookFormatter.document(of: text, url: url)
        ?? OutlineFormatter.document(of: text, url: url) ?? XMLFormatter.document(of: text)
    case .calendar:
      self =
        CalendarFormatter.document(of: text, url: url) ?? PlainTextFormatter.document(of: text)
    case .contacts:
      self = ContactFormatter.document(of: text, url: url) ?? PlainTextFormatter.document(of: text)
    case .subtitles:
      self =
        SubtitleFormatter.document(of: text, url: url) ?? PlainTextFormatter.document(of: text)
    case .plain:
      self =
        flowedFormat.map { FlowedText.document(of: text, by: $0) }
        ?? PlainTextFormatter.document(of: text)
    }
    baseURL = url
  }
}
