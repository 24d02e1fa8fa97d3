import Feeds
import Document
package import Layout
package import Terminal

/// Link hints: labels of letters shown at the links on the screen, one of which the user types.
package struct Hints: Sendable, Equatable {
  /// The labels of the links, from top to bottom; links to the same URL share a label.
  package var hintLabels: [Label]
  /// The action to perform on the selected link.
  package var purpose = LinkAction.follow
  /// The letters typed so far.
  package var typedLetters = ""
  /// The text that a link must contain, typed after `/`; nil while labels are typed.
  package var filter: LineEditor?

  /// The label of a link.
  package struct Label: Sendable, Equatable {
    package var target: PageLayout.Target
    package var text: String
  }

  /// The action to perform on the selected link.
  package enum LinkAction: Sendable, Equatable {
    case follow, queue
    /// Shows an image on the whole screen, or in another program if images are not drawn.
    case openImage

    /// The kind of target, for the prompt.
    var label: String {
      switch self {
      case .follow: "a link"
      case .queue: "a link to queue"
      case .openImage: "an image"
      }
    }
  }

  /// The letters used in labels: first those of the home row, then the others.
  static let letters = Array("asdfghjklweruiopxcvbnmtyzq")
  private static let homeLetterCount = 9

  /// Assigns labels of equal length, so that none is a prefix of another: one, two or three letters
  /// depending on the number of URLs, from the home row if its letters are sufficient.
  init(_ positions: [(target: PageLayout.Target, url: String)]) {
    var order: [String: Int] = [:]
    for position in positions where order[position.url] == nil { order[position.url] = order.count }
    let (all, home) = (Self.letters.count, Self.homeLetterCount)
    let (length, base) =
      switch order.count {
      case ...all: (1, all)
      case ...(home * home): (2, home)
      case ...(all * all): (2, all)
      default: (3, all)
      }
    let limit = (0..<length).reduce(1) { product, _ in product * base }
    hintLabels = positions.compactMap { position in
      guard var number = order[position.url], number < limit else { return nil }
      var text = ""
      for _ in 0..<length {
        text = String(Self.letters[number % base]) + text
        number /= base
      }
      return Label(target: position.target, text: text)
    }
  }

  /// The labels that begin with the typed letters.
  var remainingLabels: [Label] { hintLabels.filter { $0.text.hasPrefix(typedLetters) } }

  /// Returns whether a key is the next letter of a label.
  func isNextLetter(_ key: Key) -> Bool {
    guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return false }
    return hintLabels.contains { $0.text.hasPrefix(typedLetters + String(scalar)) }
  }
}
