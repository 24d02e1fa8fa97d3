import DOM

/// The languages that a page declares for its preformatted text.
struct CodeLanguages {
  /// The languages so far; the same one is not repeated for consecutive texts.
  private(set) var all: [String] = []
  /// The language of the text that is being read, or empty.
  private var current = ""

  /// Begins preformatted text in a language; an empty string if it is unknown.
  mutating func begin(_ language: String) { current = language }

  /// Ends preformatted text.
  /// - Returns: The index of its language in `all`, or nil if it is unknown.
  mutating func end() -> OptionalIndex {
    guard !current.isEmpty else { return nil }
    if all.last != current { all.append(current) }
    return OptionalIndex(all.count - 1)
  }
}

extension DOMTree {
  /// Returns the language that a `pre`, a `code` in it or a wrapper of a highlighter declares, or
  /// an empty string. Names without an unambiguous class prefix (`hljs swift`), or on a distant
  /// ancestor, are used only if the language is known.
  func codeLanguage(of node: Int32) -> String {
    var candidate = node
    for _ in 0..<3 {
      if let name = declaredLanguage(of: candidate) { return name }
      guard let child = nodes[Int(candidate)].firstChild, nodes[Int(child)].name != .characters
      else { break }
      candidate = child
    }
    var next = nodes[Int(node)].parent
    for level in 0..<4 {
      guard let parent = next else { break }
      if let name = declaredLanguage(of: parent), level == 0 || CodeLanguage.named(name) != nil {
        return name
      }
      next = nodes[Int(parent)].parent
    }
    return ""
  }

  /// Returns whether a text is the name of the language that a `pre` declares, or an alias of it.
  package func isLanguage(_ name: String, ofCode node: Int32) -> Bool {
    let language = codeLanguage(of: node)
    guard !language.isEmpty else { return false }
    if name.lowercased() == language.lowercased() { return true }
    guard let own = CodeLanguage.named(language) else { return false }
    return CodeLanguage.named(name)?.names == own.names
  }

  /// Returns the language that the element itself declares; nil if it declares none.
  private func declaredLanguage(of node: Int32) -> String? {
    if let range = attribute(.class, of: node) {
      if let name = bytes[range].codeLanguage { return DocumentBuilder.cleanedLine(name) }
      for word in bytes[range].possibleLanguageNames
      where CodeLanguage.named(DocumentBuilder.cleanedLine(word)) != nil {
        return DocumentBuilder.cleanedLine(word)
      }
    }
    guard let range = attribute(.dataLang, of: node) else { return nil }
    let name = DocumentBuilder.cleanedLine(bytes[range])
    return CodeLanguage.named(name) == nil ? nil : name
  }
}

extension ArraySlice<UInt8> {
  /// The language in a class such as `language-swift`, `lang-swift` or `highlight-source-swift`;
  /// nil if there is none.
  fileprivate var codeLanguage: ArraySlice<UInt8>? {
    for word in split(whereSeparator: { $0.isWhiteSpace }) {
      for prefix in ["language-", "lang-", "highlight-source-"] where word.count > prefix.utf8.count
      {
        if word.starts(with: prefix.utf8) { return word.dropFirst(prefix.utf8.count) }
      }
    }
    return nil
  }

  /// Class names that may be the name of a language: those with the prefix `brush:`, `highlight-`
  /// or `lang:`, without it; and all others if one of them is a class name that highlighters use.
  fileprivate var possibleLanguageNames: [ArraySlice<UInt8>] {
    let classNames = split { $0.isWhiteSpace || $0 == UInt8(ascii: ";") }
    let isMarked = classNames.contains { word in
      ["hljs", "sourceCode", "prettyprint", "brush:", "code-block", "highlight", "shiki"].contains {
        word.elementsEqual($0.utf8)
      }
    }
    return classNames.compactMap { word in
      for prefix in ["brush:", "highlight-", "lang:"] where word.starts(with: prefix.utf8) {
        return word.count > prefix.utf8.count ? word.dropFirst(prefix.utf8.count) : nil
      }
      return isMarked ? word : nil
    }
  }
}
