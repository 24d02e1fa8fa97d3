import Pages
import Commands
import Document
import Feeds
import Layout
import Terminal

extension Hints {
  /// Returns whether a character is input: a letter of a label, or text of the filter.
  func isInput(_ scalar: Unicode.Scalar) -> Bool {
    filter != nil || Self.letters.contains(Character(scalar))
  }

  /// Handles a key: a letter of a label, or text that the links must contain.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    // A letter of a label is not treated as a key that closes the hints.
    let isLetter = filter == nil && isNextLetter(key)
    let command = context.keymap[key]
    if !isLetter, command == .cancel || (filter == nil && command == .quit) { return [.close] }
    if filter != nil { return editFilter(by: key, in: context) }
    switch key.code {
    case .backspace where !typedLetters.isEmpty: typedLetters.removeLast()
    case .character("/") where key.modifiers.isEmpty: filter = LineEditor()
    case .character(let scalar) where key.modifiers.isEmpty:
      typedLetters.unicodeScalars.append(scalar)
    default: return [.close]
    }
    if let chosen = hintLabels.first(where: { $0.text == typedLetters }) {
      return [.close, .useHintTarget(chosen.target, purpose)]
    }
    return remainingLabels.isEmpty
      ? [.close, .notify("no link has the label \(typedLetters)")] : []
  }

  private mutating func editFilter(by key: Key, in context: LayerContext) -> [LayerRequest] {
    guard let view = context.view, var filter else { return [] }
    if key == Key(.enter) {
      return [.close] + (hintLabels.first.map { [.useHintTarget($0.target, purpose)] } ?? [])
    }
    guard filter.performEdit(key) else { return [] }
    self = Hints(to: purpose, on: view, height: context.height, filter: filter.text)
    self.filter = filter
    return []
  }

  /// Labels the links or images on the screen that contain a text.
  init(to purpose: LinkAction, on view: PageView, height: Int, filter: String = "") {
    self.init(
      purpose == .openImage
        ? view.imageTargetsOnScreen(height: height, filter: filter)
        : view.linkTargetsOnScreen(height: height, filter: filter))
    self.purpose = purpose
  }

  /// Returns labels of the links or images that are on the screen after its size has changed. The
  /// filter stays; typed letters are dropped, because other links may have them now.
  func relabeled(on view: PageView, height: Int) -> Hints {
    var hints = Hints(to: purpose, on: view, height: height, filter: filter?.text ?? "")
    hints.filter = filter
    return hints
  }
}

extension PageView {
  fileprivate func linkTargetsOnScreen(height: Int, filter: String) -> [(
    target: PageLayout.Target, url: String
  )] {
    let rows = topLine..<topLine + height
    let folded = TextFolding.folded(filter)
    let isFound = { (content: String) in
      folded.isEmpty || TextFolding.folded(content).contains(folded)
    }
    // The texts of all links are collected at once: a page may have hundreds of thousands.
    let texts = folded.isEmpty ? [] : linkTexts
    return layout.linkPlacements.filter { rows.contains(Int($0.lineIndex)) }.compactMap {
      placement in
      let target = placement.target
      guard let link = target.linkIndex else {
        let content = target.controlIndex.map(controlLabel(ofControl:)) ?? ""
        return isFound(content) ? (target, "\(target)") : nil
      }
      guard texts.isEmpty || isFound(texts[Int(link)]) else { return nil }
      let document = page.document
      return (target, document.url(ofLink: Int(link)) ?? document.links[Int(link)].target)
    }
  }
}
