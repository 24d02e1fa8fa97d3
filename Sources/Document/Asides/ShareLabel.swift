import DOM

/// A classification of a short text by whether its words are about sharing a page.
enum ShareLabel: Equatable {
  /// The text has no words: it is, for example, a separator or a count.
  case noWords
  /// All words occur in share lists, as in "Facebook", "Email" or "Print".
  case shareListWords
  /// The text is a single verb that asks to share, such as "Share".
  case shareVerb
  /// The text is a verb that asks to share, with other words of share lists, as in "Share on
  /// Facebook" or "Pin it".
  case shareVerbWithService
  /// A word does not occur in share lists, or there are too many words.
  case unrelated

  /// Classifies a text in UTF-8.
  init(_ text: ArraySlice<UInt8>) {
    var (wordCount, verbCount, serviceCount) = (0, 0, 0)
    var rest = text
    // The words are found one by one, because the first word of a sentence is mostly unrelated.
    while let start = rest.firstIndex(where: Self.isInWord) {
      let end = rest[start...].firstIndex { !Self.isInWord($0) } ?? rest.endIndex
      let word = rest[start..<end]
      rest = rest[end...]
      guard word.contains(where: { $0.isLetter || $0 >= 0x80 }), !Self.isCount(word) else {
        continue
      }
      wordCount += 1
      guard wordCount <= Self.maxWordCount, word.count <= Self.maxWordLength,
        let kind = Self.kind(of: word)
      else {
        // Symbols such as bullets and arrows do not count as words.
        if word.allSatisfy({ $0 >= 0x80 }), Self.isSymbol(word) {
          wordCount -= 1
          continue
        }
        self = .unrelated
        return
      }
      switch kind {
      case .verb: verbCount += 1
      case .service: serviceCount += 1
      case .filler: break
      }
    }
    if wordCount == 0 {
      self = .noWords
    } else if verbCount > 0 {
      self = serviceCount > 0 || wordCount > 1 ? .shareVerbWithService : .shareVerb
    } else {
      self = .shareListWords
    }
  }

  private enum WordKind { case verb, service, filler }

  private static let maxWordCount = 14
  private static let maxWordLength = 24

  private static func isInWord(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80
  }

  /// Whether a word is a number with a unit, such as "1.2k".
  private static func isCount(_ word: ArraySlice<UInt8>) -> Bool {
    word.dropLast().allSatisfy(\.isDigit) && word.count > 1
      && [UInt8(ascii: "k"), UInt8(ascii: "m")].contains(word.last?.lowercased)
  }

  /// Returns whether a word has no letters: it is punctuation, an arrow, an emoji, or a glyph of an
  /// icon font.
  private static func isSymbol(_ word: ArraySlice<UInt8>) -> Bool {
    String(decoding: word, as: UTF8.self).unicodeScalars.allSatisfy {
      !$0.properties.isAlphabetic
    }
  }

  /// Returns the kind of a word of share lists, ignoring the case of ASCII letters; nil for other
  /// words.
  private static func kind(of word: ArraySlice<UInt8>) -> WordKind? {
    guard word.contains(where: { $0 >= 0x80 }) else {
      return word.withUnsafeBufferPointer(wordKinds.find)
    }
    // Only ASCII letters are compared regardless of case.
    return nonASCIIVerbs.contains { $0.elementsEqual(word.lazy.map(\.lowercased)) } ? .verb : nil
  }

  private static let wordKinds = NameTable<WordKind>(valuesWithNames: [
    (
      .verb,
      """
      share shares sharing tweet retweet pin teilen twittern partager partagez compartir comparte \
      compartilhar condividi condividere delen deel dela
      """
    ),
    (
      .service,
      """
      facebook fb twitter x linkedin pinterest reddit whatsapp telegram tumblr pocket flipboard \
      instapaper messenger email mail mailto hacker hackernews mastodon bluesky threads vk \
      vkontakte line wechat weibo xing buffer digg stumbleupon evernote google viber sms print \
      drucken imprimer imprimir stampa copy kopieren copier copiar link gmail skype lineit signal \
      outlook airdrop nextdoor instagram youtube tiktok discord hatena odnoklassniki e mail bsky
      """
    ),
    (
      .filler,
      """
      on via by to with this the a an it article story page post url me friend friends click opens \
      open in new window tab more options all your and or auf per sur en em por su of send save \
      like submit recommend forward bookmark plus news use social media network networks das den \
      diese diesen beitrag artikel seite lien cet cette als als seite now toolbar button buttons \
      text message clipboard
      """
    ),
  ])

  /// The verbs with letters that are not ASCII.
  private static let nonASCIIVerbs = ["udostępnij", "поделиться", "分享", "シェア", "共有"].map {
    Array($0.utf8)
  }
}
