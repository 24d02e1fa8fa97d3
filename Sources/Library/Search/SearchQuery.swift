package import Foundation
import OfflineCache

/// A search query: terms that a page must all contain, and filters.
///
/// `"two words"` in quotes must be adjacent; `word*` is a prefix (of at least three letters,
/// otherwise a whole word); `-word` and `NOT word` must not occur; of `one OR two`, one must occur;
/// `one AND two` is the same as `one two`. `site:example.org`, `tag:travel`, `tag:"to read"`,
/// `before:2026-11-01` and `after:2026-10` filter pages.
package struct SearchQuery: Sendable, Equatable {
  /// A word or a phrase of a query.
  package struct Term: Sendable, Equatable {
    /// The text as typed, without punctuation at its ends.
    package var text: String
    /// Whether the last word of the term is a prefix.
    package var isPrefix = false
    /// Whether the term must not occur.
    package var isExcluded = false
    /// Other words and phrases, any of which may occur instead.
    package var alternatives: [Term] = []

    /// The words and phrases of which one must occur.
    var choices: [Term] { [self] + alternatives }
  }

  package var terms: [Term] = []
  /// The sites to which the search is restricted: a page must belong to one of them. Empty for no
  /// restriction; `example.org` includes `www.example.org`.
  package var sites: [String] = []
  /// The tags that a page must have, all of them.
  package var tags: [String] = []
  /// The sites that must not match (`-site:`).
  package var excludedSites: [String] = []
  /// The tags that a page must not have (`-tag:`).
  package var excludedTags: [String] = []
  /// The exclusive end of the range of content dates that match; nil for no limit.
  package var before: Date?
  /// The inclusive start of the range of content dates that match; nil for no limit.
  package var after: Date?

  /// Creates a query that matches all pages.
  init() {}

  /// The reason why a text is not a valid query.
  package enum Mistake: Error, Sendable, Equatable, CustomStringConvertible {
    /// The query has no term that must occur, and does not consist of filters alone.
    case empty
    /// The text is not a date.
    case date(String)

    package var description: String {
      switch self {
      case .empty: "no words to find; symbols are not searched, and -word only excludes pages"
      case .date(let text): "\(text) is not a date"
      }
    }
  }

  /// Parses a query.
  /// - Parameters:
  ///   - text: The query as typed.
  ///   - timeZone: The time zone of dates.
  /// - Throws: `Mistake` if the text is not a valid query.
  package init(_ text: String, timeZone: TimeZone) throws(Mistake) {
    var rest = Substring(text)
    var isFirst = true
    var isAfterTerm = false
    while var word = Self.next(&rest) {
      if !isFirst, word.isOperator("AND"), rest.contains(where: { !$0.isWhitespace }) { continue }
      if !isFirst, word.isOperator("NOT"), let unwanted = Self.nextUnwanted(&rest) {
        word = unwanted
      }
      isFirst = false
      if isAfterTerm, word.isOperator("OR"), let alternative = Self.nextAlternative(&rest) {
        terms[terms.count - 1].alternatives.append(alternative)
        continue
      }
      let count = terms.count
      defer { isAfterTerm = terms.count > count && !word.isExcluded }
      let (name, value) = Self.filter(word.text)
      switch name {
      case _ where word.isQuoted: add(word)
      case "site" where word.isExcluded: excludedSites.append(Self.host(value))
      case "site": sites.append(Self.host(value))
      case "tag":
        guard let tag = LibraryAttribute.tag(value) else { continue }
        if word.isExcluded { excludedTags.append(tag) } else { tags.append(tag) }
      // A page that is not from before a time is from that time or later.
      case "before" where word.isExcluded, "after" where !word.isExcluded:
        after = try Self.date(value, timeZone)
      case "before", "after": before = try Self.date(value, timeZone)
      default: add(word)
      }
    }
    let isFilter =
      ![sites, tags, excludedSites, excludedTags].allSatisfy(\.isEmpty) || before != nil
      || after != nil
    guard terms.contains(where: { !$0.isExcluded }) || (terms.isEmpty && isFilter) else {
      throw .empty
    }
  }

  /// Returns the query for the arguments of a command. The shell has removed the quotation marks
  /// around an argument with spaces, so that argument becomes a phrase again, unless it has query
  /// syntax itself (`'tag:x hello'`).
  /// - Parameter arguments: The arguments.
  /// - Returns: The text of the query.
  package static func text(ofArguments arguments: [String]) -> String {
    arguments.map { argument in
      var rest = argument[...]
      var words: [Word] = []
      while let word = next(&rest) { words.append(word) }
      let isQuery =
        words.contains { word in
          word.isQuoted || word.isExcluded || word.isPrefix || isFilter(word.text)
        }
        || words.dropFirst().dropLast().contains { word in
          ["AND", "NOT", "OR"].contains(where: word.isOperator)
        }
      return words.count > 1 && !isQuery ? "\"\(argument)\"" : argument
    }.joined(separator: " ")
  }

  private static let filterNames = ["site", "tag", "before", "after"]

  private static func isFilter(_ word: String) -> Bool { filterNames.contains(filter(word).name) }

  /// The FTS5 expression; nil if there is no term that must occur.
  var expression: String? { expression(in: "") }

  /// The FTS5 expression for pages that match in their content, title or URL; nil if there is no
  /// term that must occur.
  var contentExpression: String? { expression(in: "- {rest} : ") }

  private func expression(in columns: String) -> String? {
    let wanted = phrases(isExcluded: false)
    guard !wanted.isEmpty else { return nil }
    var all = wanted.joined(separator: " AND ")
    let unwanted = phrases(isExcluded: true)
    if !unwanted.isEmpty { all = "(\(all)) NOT (\(unwanted.joined(separator: " OR ")))" }
    if !columns.isEmpty { all = "\(columns)(\(all))" }
    guard !sites.isEmpty else { return all }
    let hosts = sites.map { "\"\($0.filter { $0 != "\"" })\"" }.joined(separator: " OR ")
    return "(\(all)) AND {site} : (\(hosts))"
  }

  /// The FTS5 expression for pages that also have one of the terms in their title or URL; nil if
  /// there is no term that must occur.
  var headExpression: String? {
    contentExpression.map { all in
      let wantedPhrases = phrases(isExcluded: false)
      let headCondition = "{title url site} : (\(wantedPhrases.joined(separator: " OR ")))"
      // With a single term, a match in the title or URL is a complete match.
      return wantedPhrases.count == 1 && terms.count == 1 && sites.isEmpty
        ? headCondition : "(\(all)) AND \(headCondition)"
    }
  }

  /// The minimum length of a prefix in Unicode scalars; shorter prefixes would match nearly every
  /// page.
  private static let minPrefixLength = 3

  private func phrases(isExcluded: Bool) -> [String] {
    terms.filter { $0.isExcluded == isExcluded }.compactMap { term in
      let choices = term.choices.compactMap(Self.phrase)
      return choices.count > 1 ? "(\(choices.joined(separator: " OR ")))" : choices.first
    }
  }

  private static func phrase(_ term: Term) -> String? {
    SearchText.phrase(term.text).map { phrase, isSingle in
      let isLong = term.text.unicodeScalars.count >= minPrefixLength
      return phrase + (term.isPrefix && isLong || isSingle ? " *" : "")
    }
  }

  private struct Word {
    var text: String
    var isQuoted: Bool
    var isExcluded: Bool
    var isPrefix = false

    /// Returns whether the word can be an operator between terms.
    func isOperator(_ name: String) -> Bool {
      text == name && !isQuoted && !isExcluded && !isPrefix
    }
  }

  private mutating func add(_ word: Word) {
    if let term = Self.term(word) { terms.append(term) }
  }

  private static func term(_ word: Word) -> Term? {
    guard SearchText.phrase(word.text) != nil else { return nil }
    let text = word.text.trimmingCharacters(in: punctuation)
    return Term(text: text, isPrefix: word.isPrefix, isExcluded: word.isExcluded)
  }

  /// Removes the next term from the text and returns it; returns nil, and changes nothing, if the
  /// text does not continue with a term that must occur.
  private static func nextAlternative(_ rest: inout Substring) -> Term? {
    var end = rest
    guard let word = next(&end), !word.isExcluded, word.isQuoted || !isFilter(word.text),
      let term = term(word)
    else { return nil }
    rest = end
    return term
  }

  /// Removes the next word from the text and returns it as an excluded word; returns nil, and
  /// changes nothing, if no word follows or if the word is excluded already.
  private static func nextUnwanted(_ rest: inout Substring) -> Word? {
    var end = rest
    guard var word = next(&end), !word.isExcluded else { return nil }
    rest = end
    word.isExcluded = true
    return word
  }

  /// The characters that are removed from both ends of a word, because the index does not have them
  /// and the page may have others there. Signs that belong to names, as in `C++`, are kept.
  private static let punctuation = CharacterSet(
    charactersIn: ".,;:!?()[]{}\"'…«»‹›„“”‟‚‘’‛、。，；：！？（）「」『』【】《》〈〉")

  /// Removes the next word or quoted phrase from the text and returns it; nil if there is none.
  private static func next(_ rest: inout Substring) -> Word? {
    rest = rest.drop { $0.isWhitespace }
    guard !rest.isEmpty else { return nil }
    let isExcluded = rest.first == "-" && rest.count > 1
    if isExcluded { rest.removeFirst() }
    var word: Word
    if let text = quotedText(&rest) {
      word = Word(text: text, isQuoted: true, isExcluded: isExcluded)
    } else {
      let text = rest.prefix { !$0.isWhitespace && $0 != "\"" }
      rest = rest.dropFirst(text.count)
      word = Word(text: String(text), isQuoted: false, isExcluded: isExcluded)
      if text.last == ":", filterNames.contains(text.dropLast().lowercased()) {
        word.text += quotedText(&rest) ?? ""
      }
    }
    if word.text.hasSuffix("*") || rest.first == "*" {
      word.isPrefix = true
      if rest.first == "*" { rest.removeFirst() }
      while word.text.hasSuffix("*") { word.text.removeLast() }
    }
    return word
  }

  /// Removes the text in quotation marks at the start and returns it; nil if there is none.
  private static func quotedText(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else { return nil }
    rest.removeFirst()
    let text = rest.prefix { $0 != "\"" }
    rest = rest.dropFirst(text.count + 1)
    return String(text)
  }

  private static func filter(_ word: String) -> (name: String, value: String) {
    guard let colon = word.firstIndex(of: ":") else { return ("", word) }
    let value = String(word[word.index(after: colon)...])
    return value.isEmpty ? ("", word) : (word[..<colon].lowercased(), value)
  }

  /// Returns the host of a site filter.
  private static func host(_ text: String) -> String {
    var host = text.lowercased()
    if let scheme = host.range(of: "://") { host.removeSubrange(..<scheme.upperBound) }
    // An IPv6 address, whose colons do not precede a port.
    if host.hasPrefix("["), let address = WebURL("http://\(host)")?.host { return address }
    host = String(host.prefix { $0 != "/" && $0 != ":" }.drop { $0 == "." || $0 == "*" })
    // The index stores hosts with non-ASCII letters in Punycode.
    return host.utf8.allSatisfy { $0 < 0x80 } ? host : WebURL("http://\(host)/")?.host ?? host
  }

  /// Returns the start of a year, month or day given as `2026`, `2026-11` or `2026-11-01`.
  private static func date(_ text: String, _ timeZone: TimeZone) throws(Mistake) -> Date {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    guard (1...3).contains(parts.count), numbers.count == parts.count,
      (1990...9999).contains(numbers[0])
    else { throw .date(text) }
    let components = DateComponents(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1,
      day: numbers.count > 2 ? numbers[2] : 1)
    guard let date = calendar.date(from: components),
      calendar.dateComponents([.month, .day], from: date)
        == DateComponents(month: components.month, day: components.day)
    else { throw .date(text) }
    return date
  }
}
