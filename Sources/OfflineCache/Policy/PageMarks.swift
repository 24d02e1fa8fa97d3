/// What the beginning of a page shows at a glance: enough to tell an article from a sign-in form in
/// its place. One pass over bytes; markup is read as loosely as browsers read it.
struct PageMarks: Sendable, Equatable {
  /// The bytes of visible text that are no white space.
  private(set) var textLength = 0
  /// Hashes of the different words: of four letters or more, and pairs of ideographs.
  private(set) var words: Set<UInt64> = []
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
    isTitledFailure = Self.failureWords.contains { Self.contains($0, in: scan.title) }
    words = Self.words(in: scan.text)
    let said = scan.text + scan.labels
    namesSignIn = Self.signInWords.contains { Self.contains($0, in: said) }
    namesNetwork = Self.networkWords.contains { Self.contains($0, in: said) }
    namesConsent = ConsentWords.subjects.contains { Self.contains($0, in: said) }
    labelsConsent = ConsentWords.subjects.contains { Self.contains($0, in: scan.labels) }
    asksForNetwork = Self.asksForNetwork(scan, textLength: textLength, said)
    hasGatewayMark = Self.contains(
      "<wispaccessgatewayparam", in: bytes.map { ByteCase.lower($0) })
  }

  /// Whether a page is of few words, among them some of networks, and has a button that signs in, agrees or
  /// connects. What is about networks says more, and has links to more; a remark on cookies has buttons, too.
  private static func asksForNetwork(
    _ scan: MarkupScan, textLength: Int, _ said: [UInt8]
  ) -> Bool {
    func names(_ words: [String], _ text: [UInt8]) -> Bool {
      words.contains { contains($0, in: text) }
    }
    guard scan.hasForm, textLength <= longestGate, scan.links <= mostGateLinks,
      !names(["cookie", "gdpr", "dsgvo"], said),
      scan.hasPasswordField || names(signInWords + entryWords, scan.actions)
    else { return false }
    return names(networkWords, said)
      || textLength <= longestGate / 2 && names(internetWords, said) && names(termsWords, said)
  }

  /// Whether it asks the reader to sign in.
  var asksToSignIn: Bool { hasPasswordField || hasForm && namesSignIn }

  /// Whether it asks the reader to agree to something.
  var asksForConsent: Bool { hasForm && namesConsent }

  /// How much of another page's words are here, from 0 to 1.
  func share(of other: PageMarks) -> Double {
    guard !other.words.isEmpty else { return 0 }
    return Double(other.words.count { words.contains($0) }) / Double(other.words.count)
  }

  /// The most bytes of text of a page that only forwards to another: a link to it, and a few words.
  private static let longestForwarding = 400
  /// The same where it forwards by frames or a script, which longer pages use for other things.
  private static let longestFrameText = 100

  /// So many bytes of comments, scripts and measurements may stand behind the end tag.
  private static let tailLength = 1024

  private static let signInWords = [
    "sign in", "sign-in", "signin", "log in", "log-in", "login", "log on", "password", "anmelden",
    "einloggen", "passwort", "connexion", "se connecter", "mot de passe", "iniciar sesi", "accedi",
    "inloggen", "logga in", "zaloguj", "войти", "登录", "ログイン", "로그인",
  ]
  private static let networkWords = [
    "wifi", "wi-fi", "wlan", "hotspot", "captive portal", "internet access", "access code",
    "voucher", "room number", "internetzugang", "zimmernummer", "accès internet",
    "acceso a internet", "accesso a internet", "インターネット接続", "部屋番号", "无线网络", "와이파이",
  ]
  /// Words of networks on a page that speaks of terms as well.
  private static let internetWords = ["internet", "インターネット", "интернет", "上网", "인터넷"]
  private static let termsWords = [
    "terms", "conditions", "nutzungsbedingungen", "agb", "condiciones", "términos", "condizioni",
    "termos", "voorwaarden", "villkor", "regulamin", "услови", "利用規約", "条款", "약관",
  ]
  /// What the button says by which one is let into a network.
  private static let entryWords = [
    "connect", "accept", "agree", "get online", "go online", "verbind", "akzeptier", "zustimm",
    "einverstanden", "conectar", "aceptar", "acepto", "aceitar", "accett", "connett", "akkoord",
    "anslut", "akcept", "połącz", "подключ", "принима", "bağlan", "kabul", "同意", "接続", "连接",
    "連接", "연결", "동의",
  ]
  /// So much text, in bytes, has the page of a network at most, and so many links.
  private static let longestGate = 1200
  private static let mostGateLinks = 4
  private static let failureWords = [
    "404", "403", "not found", "no longer available", "forbidden", "access denied", "error",
    "unavailable", "maintenance", "bad gateway", "too many requests", "just a moment",
    "attention required", "checking your browser", "are you human", "are you a robot", "captcha",
    "nicht gefunden", "fehler", "wartung", "zugriff verweigert", "introuvable", "erreur",
    "accès refusé", "no encontrad", "mantenimiento", "acceso denegado", "non trovat", "errore",
    "manutenzione", "não encontrad", "manutenção", "niet gevonden", "onderhoud", "hittades inte",
    "ikke fundet", "nie znaleziono", "nenalezen", "не найден", "ошибка", "bulunamadı",
    "見つかりません", "找不到", "찾을 수 없",
  ]

  private static func words(in text: [UInt8]) -> Set<UInt64> {
    var words: Set<UInt64> = []
    var hash = Hash.start
    var count = 0
    var ideograph = Hash.start
    var index = 0
    while index < text.count {
      let byte = text[index]
      // U+3000 and above, without spaces between words: pairs of characters stand for them.
      if byte >= 0xE3, index + 2 < text.count {
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

  /// Whether lower-case text holds a phrase.
  private static func contains(_ phrase: String, in text: [UInt8]) -> Bool {
    ByteCase.firstIndex(of: Array(phrase.utf8), in: text, from: 0) != nil
  }
}

/// Bytes of markup without regard to case.
enum ByteCase {
  /// The lower-case form of an ASCII letter, anything else as it is.
  static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Where bytes begin with the given lower-case ones in any case, from an index on and all of them
  /// before another.
  static func firstIndex(
    of wanted: [UInt8], in bytes: [UInt8], from start: Int, to end: Int? = nil
  ) -> Int? {
    let end = end ?? bytes.count
    guard let first = wanted.first, end >= wanted.count else { return nil }
    var index = start
    while index <= end - wanted.count {
      if lower(bytes[index]) == first, matches(wanted, bytes, at: index) { return index }
      index += 1
    }
    return nil
  }

  private static func matches(_ wanted: [UInt8], _ bytes: [UInt8], at index: Int) -> Bool {
    for offset in wanted.indices where lower(bytes[index + offset]) != wanted[offset] {
      return false
    }
    return true
  }
}
