/// Words of links to the next page of a text.
enum NextPageWords {
  /// What such a link says, and how much that tells.
  enum Meaning {
    /// The next page, and nothing else.
    case page
    /// What comes next, which may be another text.
    case next
  }

  /// What a link says, by its words; nil when it is nothing of this.
  static func meaning(of words: String) -> Meaning? {
    let words = words.lowercased()
    guard let first = words.firstIndex(where: \.isLetter),
      let last = words.lastIndex(where: \.isLetter)
    else { return words.contains { arrows.contains($0) } ? .next : nil }
    let name = String(words[first...last])
    if pages.contains(name) { return .page }
    return nexts.contains(name) ? .next : nil
  }

  /// Whether the words can begin with a byte.
  static func canBegin(with byte: UInt8) -> Bool { firstBytes[Int(byte.lowercased)] }

  private static let firstBytes: [Bool] = {
    var isFirst = [Bool](repeating: false, count: 256)
    for word in pages.union(nexts).union(arrows.map(String.init)) {
      if let first = word.utf8.first { isFirst[Int(first)] = true }
      // Capitals beyond ASCII have other bytes.
      if let first = word.uppercased().utf8.first { isFirst[Int(first.lowercased)] = true }
    }
    return isFirst
  }()

  private static let arrows: Set<Character> = ["›", "»", "→", ">", "▶", "⟩"]

  /// A link that says more is none of these.
  static let longest = 64

  private static let pages: Set<String> = [
    "next page", "go to next page", "go to the next page", "continue to next page",
    "nächste seite", "zur nächsten seite", "weiter auf der nächsten seite",
    "page suivante", "la page suivante", "página siguiente", "siguiente página", "próxima página",
    "pagina successiva", "pagina seguente", "prossima pagina", "página seguinte",
    "volgende pagina", "naar de volgende pagina", "次のページ", "次のページへ", "次ページ", "次ページへ",
    "下一页", "下一頁", "下页", "下頁", "следующая страница", "на следующую страницу",
    "następna strona", "nästa sida", "næste side", "neste side", "seuraava sivu", "další strana",
    "další stránka", "sonraki sayfa", "다음 페이지", "الصفحة التالية", "העמוד הבא",
  ]

  private static let nexts: Set<String> = [
    "next", "continue", "continue reading", "read on", "weiter", "nächste", "weiterlesen",
    "suivant",
    "suivante", "suite", "lire la suite", "siguiente", "seguir leyendo", "successiva", "successivo",
    "avanti", "continua", "seguinte", "próxima", "próximo", "continuar", "volgende", "verder", "次へ",
    "次", "続きを読む", "继续阅读", "繼續閱讀", "далее", "дальше", "вперёд", "вперед", "следующая",
    "następna", "nästa", "næste", "neste", "seuraava", "další", "sonraki", "다음", "التالي", "הבא",
  ]
}
