import Document
import DOM

/// The footnotes of a text, numbered in the order in which the text refers to them.
struct MarkdownNotes {
  private var indices: [[UInt8]: Int] = [:]
  private var numbers: [Int: Int] = [:]
  /// The number of references to each note.
  private var uses: [Int: Int] = [:]
  /// The indices of the notes, in the order of their numbers.
  private(set) var order: [Int] = []

  /// Maximum number of back links of a note.
  private static let maxBackLinks = 20

  init() {}

  /// Creates the footnotes of a text.
  /// - Parameter names: The name of each footnote. If several have the same name, the first one is
  ///   used.
  init(_ names: [[UInt8]]) {
    for (index, name) in names.enumerated() where indices[name] == nil { indices[name] = index }
  }

  /// Returns a reference to the footnote with a name, as HTML; nil if there is no such footnote.
  mutating func reference(of name: [UInt8]) -> String? {
    guard let index = indices[name] else { return nil }
    let number = number(of: index)
    let use = uses[index, default: 0] + 1
    uses[index] = use
    return "<sup><a href=\"#fn-\(number)\" id=\"\(Self.id(number, use))\">\(number)</a></sup>"
  }

  /// Returns the number of a note, and assigns one if it has none yet.
  mutating func number(of index: Int) -> Int {
    if let number = numbers[index] { return number }
    order.append(index)
    numbers[index] = order.count
    return order.count
  }

  /// Returns links back to the references to a note, as HTML.
  func backLinks(of index: Int) -> String {
    guard let number = numbers[index] else { return "" }
    let count = min(uses[index, default: 0], Self.maxBackLinks)
    return (0..<count).map { use in
      " <a href=\"#\(Self.id(number, use + 1))\">↩\(use == 0 ? "" : "\(use + 1)")</a>"
    }.joined()
  }

  private static func id(_ number: Int, _ use: Int) -> String {
    use == 1 ? "fnref-\(number)" : "fnref-\(number)-\(use)"
  }
}

extension MarkdownView {
  /// The events of the main text, and those of each footnote by its index.
  struct Parts {
    var main: [MarkdownBlocks.Event] = []
    var notes: [[MarkdownBlocks.Event]]

    init(_ blocks: MarkdownBlocks) {
      notes = Array(repeating: [], count: blocks.notes.count)
      var open: [Int] = []
      for event in blocks.events {
        switch event {
        case .footnote(let index): open.append(index)
        case .footnoteEnd: open.removeLast()
        default:
          if let note = open.last { notes[note].append(event) } else { main.append(event) }
        }
      }
    }
  }
}
