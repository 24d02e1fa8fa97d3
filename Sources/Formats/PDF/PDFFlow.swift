/// The text of a PDF file: blocks in reading order, over columns and pages.
struct PDFFlow {
  /// Something of the text.
  enum Item: Equatable {
    case page(Int)
    case block(PDFBlock)
  }

  private(set) var items: [Item] = []
  private let hyphens: PDFHyphens
  private let body: Double
  /// The paragraph that goes on, as an index in `items`.
  private var open: Int?

  init(body: Double, hyphens: PDFHyphens) {
    (self.body, self.hyphens) = (body, hyphens)
  }

  /// Adds a page.
  /// - Parameters:
  ///   - number: its number from 0 on.
  ///   - columns: the blocks of each region, in reading order.
  mutating func add(page number: Int, columns: [[PDFBlock]]) {
    var notes: [PDFBlock] = []
    var text: [[PDFBlock]] = []
    for column in columns {
      let start = startOfNotes(in: column)
      text.append(Array(column[..<start]))
      notes += column[start...]
    }
    // What is at the end of a column before its notes may go on as well.
    var isNew = true
    for column in text {
      var blocks = column
      if let next = continuation(in: blocks), let open, case .block(var block) = items[open] {
        block.append(blocks[next].runs, hyphens: hyphens)
        let isLast = blocks[(next + 1)...].allSatisfy { $0.isFloat(body) }
        block.isOpen = blocks[next].isOpen && isLast
        items[open] = .block(block)
        blocks.remove(at: next)
        if !block.isOpen { self.open = nil }
      } else if blocks.contains(where: { !$0.isFloat(body) }) {
        open = nil
      }
      if isNew, !blocks.isEmpty {
        items.append(.page(number))
        isNew = false
      }
      let last = blocks.lastIndex { !$0.isFloat(body) }
      for (index, block) in blocks.enumerated() {
        items.append(.block(block))
        if index == last, block.isOpen { open = items.count - 1 }
      }
    }
    if isNew { items.append(.page(number)) }
    // Notes follow the text of their page; what goes on on the next one is found behind them.
    items += notes.map { .block($0) }
  }

  /// The paragraph of a column in which the one before it goes on: behind tables and figures at most.
  private func continuation(in blocks: [PDFBlock]) -> Int? {
    guard let open, case .block(let last) = items[open], last.runs.count < Self.maxRuns,
      last.runs.last.map({ $0.text.utf8.count < Self.maxBytes }) ?? false
    else { return nil }
    for (index, block) in blocks.prefix(6).enumerated() {
      if block.kind == .paragraph, !block.isCaption, abs(block.size - last.size) < last.size * 0.09
      {
        guard let first = block.text.unicodeScalars.first else { return nil }
        if index > 0 { return first.properties.isLowercase ? index : nil }
        return !block.hasStart || first.properties.isLowercase ? index : nil
      }
      guard block.isFloat(body) else { return nil }
    }
    return nil
  }

  /// A paragraph that is longer goes on nowhere.
  private static let maxRuns = 2000
  private static let maxBytes = 100_000

  /// Where the footnotes of a column begin: smaller text at its end, the first of which begins with a sign.
  private func startOfNotes(in column: [PDFBlock]) -> Int {
    var start = column.count
    while start > 0, column[start - 1].size < body * 0.94,
      column[start - 1].kind == .paragraph || column[start - 1].kind == .item
    {
      start -= 1
    }
    let first = column[start...].firstIndex { block in
      guard let run = block.runs.first, let sign = run.text.first else { return false }
      return run.shift == .raised || sign.isNumber || "*†‡§¶∗".contains(sign)
    }
    return first ?? column.count
  }
}

extension PDFBlock {
  /// Whether the text around it goes on behind it: a table, a picture's text, or what stands below one.
  func isFloat(_ body: Double) -> Bool { kind == .layout || isCaption || size < body * 0.9 }

  var isCaption: Bool {
    let text = text
    return ["Table ", "Figure ", "Fig. ", "Listing ", "Algorithm "].contains { text.hasPrefix($0) }
      && text.dropFirst(5).prefix(8).contains(where: \.isNumber)
  }
}
