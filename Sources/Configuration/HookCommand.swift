import Document
import OfflineCache

/// A command of the user, to which the URL and the title of an item are passed as arguments. No
/// shell interprets them.
package struct HookCommand: Sendable, Equatable {
  /// The name or path of the program, and its arguments, some of which may be placeholders.
  package let words: [String]

  /// The words that stand for the URL and for the title.
  private static let urlPlaceholder = "{url}", titlePlaceholder = "{title}"

  /// The characters that only a shell interprets, unless they are in quotes.
  private static let shellOperators: Set<Character> = ["|", ";", "<", ">"]
  /// The words that only a shell interprets, unless they are in quotes. As a part of a longer word,
  /// `&` is allowed, because URLs contain it.
  private static let shellWords: Set<String> = ["&", "&&"]

  /// Creates a command; nil if its first word is not the name or the absolute path of a program, or
  /// a placeholder is only a part of a word.
  package init?(words: [String]) {
    guard let program = words.first, !program.isEmpty, !program.hasPrefix("-"),
      !program.contains("/") || program.hasPrefix("/") || program.hasPrefix("~/")
    else { return nil }
    for (index, word) in words.enumerated() {
      let isPlaceholder = word == Self.urlPlaceholder || word == Self.titlePlaceholder
      let hasPlaceholder =
        word.contains(Self.urlPlaceholder) || word.contains(Self.titlePlaceholder)
      guard isPlaceholder ? index > 0 : !hasPlaceholder, !word.utf8.contains(0) else { return nil }
    }
    self.words = words
  }

  /// Creates a command from a command line, which is split once. Nil also if it has an unmatched
  /// quote, or an operator of the shell outside of quotes.
  package init?(line: String) {
    guard let (words, hasOperators) = Self.parse(line), !hasOperators else { return nil }
    self.init(words: words)
  }

  /// Splits a command line at white space. Text in single quotes is taken literally; outside of
  /// quotes, a backslash makes the next character literal, and in double quotes a dollar sign, a
  /// backquote, a double quote, a backslash or a line feed.
  /// - Returns: The words; nil if a quote has no end, or the last character is a backslash.
  static func split(_ line: String) -> [String]? { parse(line)?.words }

  /// Splits a command line.
  /// - Returns: The words, and whether the line has operators of the shell outside of quotes; nil
  ///   if a quote has no end, or the last character is a backslash.
  private static func parse(_ line: String) -> (words: [String], hasOperators: Bool)? {
    var words: [String] = []
    var word: String?
    var (isWordQuoted, hasOperators, isEscaped) = (false, false, false)
    var quote: Character?
    func add(_ text: String, isQuoted: Bool) {
      word = word ?? ""
      word?.append(text)
      if isQuoted { isWordQuoted = true }
    }
    func end() {
      guard let ended = word.take() else { return }
      if !isWordQuoted, shellWords.contains(ended) { hasOperators = true }
      isWordQuoted = false
      words.append(ended)
    }
    for character in line {
      if isEscaped {
        let keepsBackslash = quote == "\"" && !"$`\"\\\n".contains(character)
        add((keepsBackslash ? "\\" : "") + String(character), isQuoted: true)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote != nil {
        add(String(character), isQuoted: true)
      } else if character == "'" || character == "\"" {
        quote = character
        add("", isQuoted: true)
      } else if character.isWhitespace {
        end()
      } else {
        if shellOperators.contains(character) { hasOperators = true }
        add(String(character), isQuoted: false)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    end()
    return (words, hasOperators)
  }

  /// Returns the program and its arguments for an item. Without placeholders, the URL and the title
  /// are appended. Nil unless the URL is an absolute HTTP(S) URL without a user name.
  ///
  /// Both come from a page or a feed. The title is one line of limited length without control
  /// characters; see `argument(title:)`.
  package func arguments(url: String, title: String) -> [String]? {
    guard let parsed = WebURL(url), parsed.isWeb, parsed.credentials == nil else { return nil }
    let (url, title) = (parsed.description, Self.argument(title: title))
    let replaced = words.map { word in
      switch word {
      case Self.urlPlaceholder: url
      case Self.titlePlaceholder: title
      default: word
      }
    }
    return replaced == words ? words + [url, title] : replaced
  }

  /// The maximum number of characters of a title, and its maximum size in bytes.
  private static let maxTitleLength = 500, maxTitleSize = 2000

  /// Returns a title as an argument. A title that begins with ASCII punctuation gets a space before
  /// it, so that no program takes it for an option (`-x`) or for the name of a file (`@x`, `/x`).
  static func argument(title: String) -> String {
    let visibleScalars = title.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? " " : String(scalar)
    }.joined()
    let line = SafeText.line(visibleScalars).split(separator: " ").joined(separator: " ")
    let shortTitle = String(line.prefix(maxTitleLength)).prefix(maxUTF8Count: maxTitleSize)
    guard let first = shortTitle.unicodeScalars.first, first.isASCII,
      !first.properties.isAlphabetic,
      !("0"..."9").contains(first)
    else { return shortTitle }
    return " " + shortTitle
  }
}
