import Document

/// The text roles of code for syntax colouring. Offsets must be queried in ascending order.
struct SyntaxRoles: Sendable {
  private var lexer: CodeLexer
  private var token: CodeLexer.Token?
  private var isAtEnd = false

  /// Creates the roles for a block of code; nil for plain text, or if the language is not known.
  init?(_ document: Document, _ block: Document.Block, _ language: String) {
    guard !block.runs.isEmpty, document.blocks.count > 1 || !language.isEmpty else { return nil }
    let range =
      Int(
        document.runs[Int(block.runs.lowerBound)].start)..<Int(
        document.runs[Int(block.runs.upperBound) - 1].end)
    let known =
      language.isEmpty
      ? CodeLanguage.detect(of: document.text, range) : CodeLanguage.named(language)
    guard let known else { return nil }
    lexer = CodeLexer(known, range)
  }

  /// Divides the last piece of the text at token boundaries and assigns the roles.
  mutating func dividePiece(_ inline: inout InlineText, in text: [UInt8]) {
    inline.divideLastPiece(&self, in: text)
  }

  /// Returns the role at an offset of the text, and the end of the range that has this role. The
  /// role is nil for code without syntax colouring, such as identifiers.
  mutating func role(at offset: Int, in text: [UInt8]) -> (role: TextRole?, end: Int) {
    while !isAtEnd, token.map({ $0.range.upperBound <= offset }) ?? true {
      token = lexer.next(in: text)
      isAtEnd = token == nil
    }
    guard let token else { return (nil, .max) }
    if offset < token.range.lowerBound { return (nil, token.range.lowerBound) }
    return (TextRole(token.kind), token.range.upperBound)
  }
}

extension TextRole {
  fileprivate init(_ kind: CodeLexer.Token.Kind) {
    self =
      switch kind {
      case .comment: .comment
      case .string: .string
      case .number: .number
      case .keyword: .keyword
      }
  }
}
