import Feeds
import Document
package import Layout
import Reader
package import Terminal

/// Letters before the links on screen, one of which is being typed.
package struct Hints: Sendable, Equatable {
  /// The links with their labels, from top to bottom; links to one target share a label.
  package var labels: [Label]
  /// What becomes of the link.
  package var purpose = Purpose.follow
  /// Letters of a label so far.
  package var typed = ""
  /// Words of the link's text so far, after `/`.
  package var filter: LineEditor?

  /// A link's label.
  package struct Label: Sendable, Equatable {
    package var target: PageLayout.Target
    package var text: String
  }

  /// What becomes of the link.
  package enum Purpose: Sendable, Equatable {
    case follow, queue
    /// An image is given to the program for it.
    case show

    /// What the letters belong to.
    var words: String {
      switch self {
      case .follow: "a link"
      case .queue: "a link to queue"
      case .show: "an image"
      }
    }
  }

  /// The keys under the fingers, then the others.
  static let letters = Array("asdfghjklweruiopxcvbnmtyzq")
  private static let homeLetters = 9

  /// Gives the targets labels of equal length, so that none begins another: one letter as long as there
  /// are so many, then two or three, of the keys under the fingers where these are enough.
  init(_ places: [(target: PageLayout.Target, url: String)]) {
    var order: [String: Int] = [:]
    for place in places where order[place.url] == nil { order[place.url] = order.count }
    let (all, home) = (Self.letters.count, Self.homeLetters)
    let (length, base) =
      switch order.count {
      case ...all: (1, all)
      case ...(home * home): (2, home)
      case ...(all * all): (2, all)
      default: (3, all)
      }
    let limit = (0..<length).reduce(1) { product, _ in product * base }
    labels = places.compactMap { place in
      guard var number = order[place.url], number < limit else { return nil }
      var text = ""
      for _ in 0..<length {
        text = String(Self.letters[number % base]) + text
        number /= base
      }
      return Label(target: place.target, text: text)
    }
  }

  /// The labels that what was typed leaves.
  var remaining: [Label] { labels.filter { $0.text.hasPrefix(typed) } }

  /// Whether a key goes on with one of the labels.
  func isLetter(_ key: Key) -> Bool {
    guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return false }
    return labels.contains { $0.text.hasPrefix(typed + String(scalar)) }
  }
}
