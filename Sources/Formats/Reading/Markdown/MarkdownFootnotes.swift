import Document
import DOM

/// The footnotes of a text, numbered in the order in which the text refers to them.
struct MarkdownFootnotes {
  private var indicesByName: [[UInt8]: Int] = [:]
  /// The number of notes with a name. The indices of those within the text follow.
  private let namedCount: Int
  /// The ranges of the texts of the notes within the text, by their indices.
  private(set) var inlineNotes: [Int: Range<Int>] = [:]
  /// The numbers that are shown, from 1, by the index of the note; only of notes with a number.
  private var numbersByIndex: [Int: Int] = [:]
  /// The number of references to each note, by its index.
  private var referenceCounts: [Int: Int] = [:]
  /// The indices of the notes, in the order of their numbers.
  private(set) var order: [Int] = []

  /// Maximum number of back links of a note.
  private static let maxBackLinks = 20

  init() { namedCount = 0 }

  /// Creates the footnotes of a text.
  /// - Parameter names: The name of each footnote. If several have the same name, the first one is
  ///   used.
  init(_ names: [[UInt8]]) {
    namedCount = names.count
    for (index, name) in names.enumerated() where indicesByName[name] == nil {
      indicesByName[name] = index
    }
  }

  /// Returns a reference to the footnote with a name, as HTML; nil if there is no such footnote.
  mutating func reference(of name: [UInt8]) -> String? {
    guard let index = indicesByName[name] else { return nil }
    return reference(to: index)
  }

  /// Adds a note within the text.
  /// - Parameter content: The range of the text of the note.
  /// - Returns: The reference to it, as HTML.
  mutating func reference(toNote content: Range<Int>) -> String {
    let index = namedCount + inlineNotes.count
    inlineNotes[index] = content
    return reference(to: index)
  }

  private mutating func reference(to index: Int) -> String {
    let number = assignNumber(of: index)
    let use = referenceCounts[index, default: 0] + 1
    referenceCounts[index] = use
    return "<sup><a href=\"#fn-\(number)\" id=\"\(Self.id(number, use))\">\(number)</a></sup>"
  }

  /// Returns the number of a note, and assigns one if it has none yet.
  mutating func assignNumber(of index: Int) -> Int {
    if let number = numbersByIndex[index] { return number }
    order.append(index)
    numbersByIndex[index] = order.count
    return order.count
  }

  /// Returns links back to the references to a note, as HTML.
  func backLinks(of index: Int) -> String {
    guard let number = numbersByIndex[index] else { return "" }
    let count = min(referenceCounts[index, default: 0], Self.maxBackLinks)
    return (0..<count).map { use in
      " <a href=\"#\(Self.id(number, use + 1))\">↩\(use == 0 ? "" : "\(use + 1)")</a>"
    }.joined()
  }

  /// Returns the id of a reference to the note with a number; `referenceNumber` counts the
  /// references to that note from 1.
  private static func id(_ number: Int, _ referenceNumber: Int) -> String {
    referenceNumber == 1 ? "fnref-\(number)" : "fnref-\(number)-\(referenceNumber)"
  }
}

extension MarkdownFormatter {
  /// The events of the main text, and those of each footnote by its index.
  struct EventGroups {
    var mainEvents: [MarkdownBlocks.Event] = []
    var footnoteEvents: [[MarkdownBlocks.Event]]

    init(_ blocks: MarkdownBlocks) {
      footnoteEvents = Array(repeating: [], count: blocks.footnoteNames.count)
      var open: [Int] = []
      for event in blocks.events {
        switch event {
        case .footnoteStart(let index): open.append(index)
        case .footnoteEnd: open.removeLast()
        default:
          if let note = open.last {
            footnoteEvents[note].append(event)
          } else {
            mainEvents.append(event)
          }
        }
      }
    }
  }
}
