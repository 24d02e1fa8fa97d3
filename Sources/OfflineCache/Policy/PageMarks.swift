/// What the beginning of a page shows at a glance: enough to tell an article from a sign-in form in
/// its place. One pass over bytes; markup is read as loosely as browsers read it.
struct PageMarks: Sendable, Equatable {
  /// The bytes of visible text that are no white space.
  private(set) var textLength = 0
  /// Whether a field asks for a password.
  private(set) var hasPasswordField = false
  /// Whether there is a form or a button.
  private(set) var hasForm = false
  /// Whether there is something to be seen that is no text.
  private(set) var hasMedia = false
  /// Whether it speaks of signing in.
  private(set) var namesSignIn = false
  /// Whether it speaks of a network that wants something first.
  private(set) var namesNetwork = false
  /// Whether it is hardly more than a form by which a network lets somebody in.
  private(set) var asksForNetwork = false
  /// Whether it speaks of consent or cookies.
  private(set) var namesConsent = false
  /// Whether its title, its buttons or its fields do.
  private(set) var labelsConsent = false
  /// Whether its title is that of an error page, or of a check of who asks.
  private(set) var isTitledFailure = false
  /// Where it goes by itself, as written.
  private(set) var refresh: String?
  /// Whether it has the mark of a network's gateway (WISPr).
  private(set) var hasGatewayMark = false
  /// Where the page goes or sends what is typed, as written: refresh, frames, forms, scripts.
  private(set) var targets: [String] = []

  /// Where a page with hardly any text goes on to at once, as written: by refresh, frames, a form that a script
  /// submits, or a script. Such a page is a redirect.
  private(set) var departures: [String] = []
  /// Its title in lower case.
  private(set) var title: [UInt8] = []
  /// Its title and its visible text in lower case.
  private(set) var text: [UInt8] = []

  /// Whether the end tag of the page or of its body is among the last bytes: all of it is here.
  private(set) var isEnded = false

  /// Reads the beginning of a page.
  init(_ bytes: [UInt8]) {
    let tail = bytes.suffix(Self.tailLength).map { ByteCase.lower($0) }
    isEnded = ["</html", "</body"].contains { Self.contains($0, in: tail) }
    var scan = MarkupScan(bytes)
    scan.run()
    textLength = scan.text.count { $0 > 0x20 }
    hasPasswordField = scan.hasPasswordField
    hasForm = scan.hasForm
    hasMedia = scan.hasMedia
    (targets, refresh, title) = (scan.targets, scan.refresh, scan.title)
    text = scan.title + [0x20] + scan.text
    if textLength <= Self.longestForwarding {
      departures += refresh.map { [$0] } ?? []
      if scan.submitsItself { departures += scan.forms }
      if textLength <= Self.longestFrameText { departures += scan.frames + scan.scriptTargets }
    }
    isTitledFailure = PageTopics(of: scan.title).contains(.failure)
    let topics = PageTopics(of: scan.text + scan.labels)
    namesSignIn = topics.contains(.signIn)
    namesNetwork = topics.contains(.network)
    namesConsent = topics.contains(.consent)
    labelsConsent = namesConsent && PageTopics(of: scan.labels).contains(.consent)
    asksForNetwork = Self.asksForNetwork(scan, textLength: textLength, topics)
    hasGatewayMark = Self.contains("<wispaccessgatewayparam", in: bytes)
  }

  /// Returns whether a page consists of a few words, some of them about networks, and has a button that signs in,
  /// agrees or connects. Articles about networks are longer and have more links; cookie banners have buttons, too.
  private static func asksForNetwork(
    _ scan: MarkupScan, textLength: Int, _ topics: PageTopics
  ) -> Bool {
    guard scan.hasForm, textLength <= longestGate, scan.links <= mostGateLinks,
      !topics.contains(.cookies),
      scan.hasPasswordField || !PageTopics(of: scan.actions).isDisjoint(with: [.signIn, .entry])
    else { return false }
    return topics.contains(.network)
      || textLength <= longestGate / 2 && topics.contains([.internet, .terms])
  }

  /// Whether it asks the reader to sign in.
  var asksToSignIn: Bool { hasPasswordField || hasForm && namesSignIn }

  /// Whether it asks the reader to agree to something.
  var asksForConsent: Bool { hasForm && namesConsent }

  /// Returns the share of another page's different words that this page has too, from 0 to 1.
  func share(of other: PageMarks) -> Double {
    let theirs = other.words
    guard !theirs.isEmpty else { return 0 }
    return Double(words.intersection(theirs).count) / Double(theirs.count)
  }

  /// The most bytes of text of a page that only forwards to another: a link to it, and a few words.
  private static let longestForwarding = 400
  /// The same where it forwards by frames or a script, which longer pages use for other things.
  private static let longestFrameText = 100

  /// So many bytes of comments, scripts and measurements may stand behind the end tag.
  private static let tailLength = 1024

  /// So much text, in bytes, has the page of a network at most, and so many links.
  private static let longestGate = 1200
  private static let mostGateLinks = 4
  /// Hashes of the different words of the visible text: words of at least four bytes, and pairs of ideographs.
  var words: Set<UInt64> {
    let text = text.dropFirst(title.count + 1)
    var words: Set<UInt64> = []
    var hash = Hash.start
    var count = 0
    var ideograph = Hash.start
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      // U+3000 and above, without spaces between words: pairs of characters stand for them.
      if byte >= 0xE3, index + 2 < text.endIndex {
        let pair = [text[index], text[index + 1], text[index + 2]]
        let own = pair.reduce(Hash.start, Hash.add)
        words.insert(ideograph &* 31 &+ own)
        ideograph = own
        index += 3
        continue
      }
      if byte >= 0x80 || Hash.isAlphanumeric(byte) {
        hash = Hash.add(hash, byte)
        count += 1
      } else {
        if count >= 4 { words.insert(hash) }
        (hash, count) = (Hash.start, 0)
      }
      index += 1
    }
    if count >= 4 { words.insert(hash) }
    return words
  }

  /// FNV-1a.
  private enum Hash {
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    static func add(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
      (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
  }

  /// Returns whether bytes contain a lower-case phrase in any case.
  private static func contains(_ phrase: String, in text: [UInt8]) -> Bool {
    ByteCase.firstIndex(of: Array(phrase.utf8), in: text, from: 0) != nil
  }
}

/// Bytes of markup without regard to case.
enum ByteCase {
  /// The lower-case form of an ASCII letter, anything else as it is.
  static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Returns the index of the first occurrence of lower-case bytes in any case, within `start..<end`; nil if there is
  /// none.
  static func firstIndex(
    of wanted: [UInt8], in bytes: [UInt8], from start: Int, to end: Int? = nil
  ) -> Int? {
    let end = end ?? bytes.count
    guard let first = wanted.first, end >= wanted.count, start >= 0 else { return nil }
    let upper = (0x61...0x7A).contains(first) ? first & 0xDF : first
    return bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index <= end - wanted.count {
        let byte = bytes[index]
        if byte == first || byte == upper, matches(wanted, bytes, at: index) { return index }
        index += 1
      }
      return nil
    }
  }

  private static func matches(
    _ wanted: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> Bool {
    for offset in wanted.indices where lower(bytes[index + offset]) != wanted[offset] {
      return false
    }
    return true
  }
}
