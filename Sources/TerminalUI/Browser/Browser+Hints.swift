import Commands
import Feeds
import Document
import Layout
import Reader
import Terminal

extension Browser {
  /// Shows labels before the links or images on the screen.
  mutating func openHints(to purpose: Hints.Purpose) {
    guard let view else { return }
    var hints = Hints(targets(of: view, for: purpose, filter: ""))
    guard !hints.labels.isEmpty else {
      notice = Notice(text: "no links on this screen")
      return
    }
    hints.purpose = purpose
    mode = .hints(hints)
  }

  private mutating func use(_ target: PageLayout.Target, for purpose: Hints.Purpose) -> [Effect] {
    mode = .page
    switch purpose {
    case .follow: return follow(target)
    case .queue: return enqueue(target)
    case .show: return view?.image(of: target).map { open(image: $0) } ?? []
    }
  }

  /// Returns the targets on the screen that get labels, with their URLs.
  private func targets(
    of view: PageView, for purpose: Hints.Purpose, filter: String
  ) -> [(target: PageLayout.Target, url: String)] {
    purpose == .show
      ? imagesOnScreen(of: view, filter: filter) : linksOnScreen(of: view, filter: filter)
  }

  private func linksOnScreen(of view: PageView, filter: String) -> [(
    target: PageLayout.Target, url: String
  )] {
    let rows = view.top..<view.top + bodyHeight
    let folded = TextFolding.folded(filter)
    let isFound = { (words: String) in folded.isEmpty || TextFolding.folded(words).contains(folded)
    }
    return view.layout.links.filter { rows.contains(Int($0.line)) }.compactMap { placement in
      let target = placement.target
      guard let link = target.link else {
        let words = target.control.map(view.words(ofControl:)) ?? ""
        return isFound(words) ? (target, "\(target)") : nil
      }
      guard isFound(view.text(ofLink: link)) else { return nil }
      let document = view.page.document
      return (target, document.url(ofLink: Int(link)) ?? document.links[Int(link)].target)
    }
  }

  /// Handles a key while labels are shown.
  mutating func handle(_ key: Key, in hints: Hints) -> [Effect] {
    let help = openHelp(by: key) {
      hints.filter != nil || Hints.letters.contains(Character($0))
    }
    if let help { return help }
    var hints = hints
    // A letter of a label is not treated as a key that closes the hints.
    let isLetter = hints.filter == nil && hints.isLetter(key)
    if !isLetter, keymap[key] == .cancel || (hints.filter == nil && keymap[key] == .quit) {
      mode = .page
      return []
    }
    if hints.filter != nil { return handle(key, filtering: hints) }
    switch key.code {
    case .backspace where !hints.typed.isEmpty: hints.typed.removeLast()
    case .character("/") where key.modifiers.isEmpty: hints.filter = LineEditor()
    case .character(let scalar) where key.modifiers.isEmpty:
      hints.typed.unicodeScalars.append(scalar)
    default:
      mode = .page
      return []
    }
    if let chosen = hints.labels.first(where: { $0.text == hints.typed }) {
      return use(chosen.target, for: hints.purpose)
    }
    if hints.remaining.isEmpty {
      mode = .page
      notice = Notice(text: "no link has the letters \(hints.typed)")
    } else {
      mode = .hints(hints)
    }
    return []
  }

  private mutating func handle(_ key: Key, filtering hints: Hints) -> [Effect] {
    guard let view, var filter = hints.filter else { return [] }
    if key == Key(.enter) {
      mode = .page
      return hints.labels.first.map { use($0.target, for: hints.purpose) } ?? []
    }
    guard filter.edit(key) else { return [] }
    var filtered = Hints(targets(of: view, for: hints.purpose, filter: filter.text))
    filtered.filter = filter
    filtered.purpose = hints.purpose
    mode = .hints(filtered)
    return []
  }
}

extension PageView {
  /// Returns the text of a link.
  func text(ofLink link: Int32) -> String {
    var bytes: [UInt8] = []
    for run in page.document.runs where run.link == link {
      bytes += page.document.text[Int(run.start)..<Int(run.end)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The texts of all links, indexed as `Document.links`.
  var linkWords: [String] {
    var words = [String](repeating: "", count: page.document.links.count)
    for run in page.document.runs where words.indices.contains(Int(run.link)) {
      words[Int(run.link)] += String(
        decoding: page.document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
    }
    return words
  }
}
