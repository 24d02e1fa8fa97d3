import DOM
package import Document

extension Document {
  /// The document of a text in a format; what is not in its format is shown as it is, with a notice.
  /// - Parameters:
  ///   - text: valid UTF-8.
  ///   - format: what it is.
  ///   - url: the address of the page, or empty.
  ///   - flow: the parameters of `format=flowed`; nil for text with fixed lines.
  package init(
    text: [UInt8], format: TextFormat, url: String, flow: LineFlow? = nil
  ) {
    switch format {
    case .json: self = JSONView.document(of: text)
    case .commaSeparated: self = DelimitedView.document(of: text, separator: nil)
    case .tabSeparated: self = DelimitedView.document(of: text, separator: 0x09)
    case .markdown: self = MarkdownView.document(of: text, url: url)
    case .xml: self = XMLView.document(of: text)
    case .plain:
      self =
        flow.map { FlowedText.document(of: text, by: $0) } ?? PlainTextView.document(of: text)
    }
    base = url
  }
}
