import Pages
import Commands
import DOM
import Feeds
import Document
import Layout
import Terminal

extension Browser {
  /// Shows labels before the links or images on the screen.
  mutating func showHints(to purpose: Hints.LinkAction) {
    guard let view else { return }
    let hints = Hints(to: purpose, on: view, height: bodyHeight)
    guard !hints.hintLabels.isEmpty else {
      notify("no links on this screen")
      return
    }
    layers.showInput(.hints(hints))
  }

  /// Performs the action for which the labels were shown on the link or image with the chosen
  /// label.
  mutating func performLinkAction(_ target: PageLayout.Target, for purpose: Hints.LinkAction)
    -> [Effect]
  {
    switch purpose {
    case .follow: return follow(target)
    case .queue: return enqueue(target)
    case .openImage: return view?.image(of: target).map { open(image: $0) } ?? []
    }
  }
}

extension PageView {
  /// Returns the text of a link.
  func linkText(ofLink link: Int32) -> String {
    var bytes: [UInt8] = []
    for run in page.document.runs where run.link == OptionalIndex(link) {
      bytes += page.document.text[Int(run.start)..<Int(run.end)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The texts of all links, indexed as `Document.links`.
  var linkTexts: [String] {
    var texts = [String](repeating: "", count: page.document.links.count)
    for run in page.document.runs {
      guard let link = run.link.value, texts.indices.contains(link) else { continue }
      texts[link] += String(
        decoding: page.document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
    }
    return texts
  }
}
