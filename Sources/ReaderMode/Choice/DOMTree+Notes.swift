import DOM

extension DOMTree {
  /// Returns whether a class or the role of an element names it as a note, a warning, a correction
  /// or a summary of a text, such as `admonition note`, `aside--caution` or `key-points`. The class
  /// `info` or `tip` alone does not count, because pages also use it for biographies and for calls
  /// to write to the editors.
  func isAdmonition(_ node: Int32) -> Bool {
    [AttributeName.class, .role].contains { attribute in
      let words = names(in: attribute, of: node)
      if attribute == .class, words.count == 1, ["info", "tip"].contains(words[0]) { return false }
      return words.contains { Self.isAdmonitionName($0) }
    }
  }

  /// Returns the words of an attribute in lower case.
  private func names(in attribute: AttributeName, of node: Int32) -> [String] {
    guard let value = self.attribute(attribute, of: node) else { return [] }
    return bytes[value].prefix(Self.maxNameBytes).split(whereSeparator: \.isWhiteSpace)
      .map { String(decoding: $0, as: UTF8.self).lowercased() }
  }

  private static let maxNameBytes = 400

  /// Returns whether a class only states that an element is a note, unlike `author-info` and
  /// `article-info`. Of a block with a modifier (`block--modifier`), only the modifier counts.
  private static func isAdmonitionName(_ name: String) -> Bool {
    let words = (name.split(separator: "--").last ?? "").split { !$0.isLetter }
    let mentionsArticle = words.contains { articleAndEditorNames.contains(String($0)) }
    return words.contains {
      admonitionNames.contains(String($0))
        && !(mentionsArticle && ambiguousNames.contains(String($0)))
    }
      && words.allSatisfy {
        admonitionNames.contains(String($0)) || boxNames.contains(String($0))
          || articleAndEditorNames.contains(String($0))
      }
  }

  private static let admonitionNames: Set<String> = [
    "note", "warning", "caution", "tip", "important", "admonition", "callout", "alert", "danger",
    "info", "notes", "correction", "corrections", "clarification", "update", "disclosure",
    "summary", "takeaway", "takeaways", "points", "keypoints", "fact", "facts", "factbox", "tldr",
  ]
  private static let boxNames: Set<String> = [
    "aside", "block", "box", "doc", "is", "key", "md", "message", "panel", "quick", "theme", "type",
  ]
  /// Words for the article and its editors, in a class such as `editors-note` or `article-summary`.
  private static let articleAndEditorNames: Set<String> = ["article", "editor", "editors", "story"]
  /// Words that do not state that an element is a note if they follow one of
  /// `articleAndEditorNames`: `article-info` has the author and the date, `story-alert` a form to
  /// subscribe.
  private static let ambiguousNames: Set<String> = ["info", "tip", "alert"]
}
