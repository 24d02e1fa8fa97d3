import DOM
import Document
import Foundation
import ReaderMode

/// Checks the folds before the main text of pages: prints each hidden paragraph of more than 20
/// words outside links, each hidden heading that is not above a list of links, and each page that
/// begins with a visible table of contents.
enum FoldContents {
  /// Maximum number of words outside links of a line that may be folded.
  private static let maxWords = 20
  /// Minimum number of links within the page in a table of contents.
  private static let minContents = 8

  /// Prints a line for each finding, and the number of pages with findings.
  /// - Parameter arguments: Pages, optionally after `--parts` to print the folds of each, too.
  /// - Throws: An error if a file cannot be read.
  static func print(_ arguments: [String]) throws {
    let showsParts = arguments.first == "--parts"
    let files = arguments.dropFirst(showsParts ? 1 : 0)
    var (hiding, beginning) = (0, 0)
    for file in files {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      let document = Document(bytes: bytes, mediaType: "text/html")
      let found = document.foldedBeforeText.flatMap { hidden(in: $0, of: document) }
      if !found.isEmpty { hiding += 1 }
      for part in document.blockFolds where showsParts {
        Swift.print("\(file): \(part.kind) \(part.blocks.lowerBound)..<\(part.blocks.upperBound)")
      }
      for line in found { Swift.print("\(file): \(line)") }
      if beginsWithContents(document) {
        beginning += 1
        Swift.print("\(file): begins with a list of contents")
      }
    }
    Swift.print(
      "\(hiding) of \(files.count) pages fold text or headings away,"
        + " \(beginning) begin with a list of contents")
  }

  /// Returns the hidden content of a fold that is not navigation.
  private static func hidden(in blocks: Range<Int32>, of document: Document) -> [String] {
    var found: [String] = []
    /// The headings whose content has not been read yet.
    var open: [(level: UInt8, text: String)] = []
    for block in document.blocks[Int(blocks.lowerBound)..<Int(blocks.upperBound)]
    where !block.runs.isEmpty {
      let (links, others) = words(of: block, in: document)
      guard links + others > 0 else { continue }
      if case .heading(let level) = block.kind {
        while let last = open.last, last.level >= level {
          found.append("heading: \(last.text)")
          open.removeLast()
        }
        open.append((level, text(of: block, in: document)))
        continue
      }
      if links < others { found += open.map { "heading: \($0.text)" } }
      open = []
      if others > maxWords { found.append("\(others) words: \(text(of: block, in: document))") }
    }
    return found + open.map { "heading: \($0.text)" }
  }

  /// Returns whether at least `minContents` links within the page are visible before the first
  /// text, in consecutive blocks apart from headings. The permanent links of headings do not count.
  private static func beginsWithContents(_ document: Document) -> Bool {
    let folds = document.foldedBeforeText
    var links: Set<Int> = []
    var longest = 0
    for (index, block) in zip(Int32(0)..., document.blocks) where !block.runs.isEmpty {
      guard !folds.contains(where: { $0.contains(index) }) else { continue }
      if document.isMainText(block) { return longest >= minContents }
      if case .heading = block.kind { continue }
      let found = Set(block.runs.compactMap { document.runs[Int($0)].link.value }).filter { link in
        document.links[link].target.hasPrefix("#")
      }
      if found.isEmpty { links = [] } else { links.formUnion(found) }
      longest = max(longest, links.count)
    }
    return false
  }

  private static func words(
    of block: Document.Block, in document: Document
  ) -> (links: Int, others: Int) {
    var (links, others) = (0, 0)
    for run in block.runs.map({ document.runs[Int($0)] }) where run.image == nil {
      let text = String(decoding: document.text[Int(run.start)..<Int(run.end)], as: UTF8.self)
      let count = text.split { !$0.isLetter && !$0.isNumber }.count
      if run.link != nil { links += count } else { others += count }
    }
    return (links, others)
  }

  private static func text(of block: Document.Block, in document: Document) -> String {
    let bytes = block.runs.flatMap { index in
      let run = document.runs[Int(index)]
      return document.text[Int(run.start)..<Int(run.end)]
    }
    return String(String(decoding: bytes, as: UTF8.self).prefix(80))
  }
}

extension Document {
  /// The blocks of the folds that are closed when a page opens.
  fileprivate var foldedBeforeText: [Range<Int32>] {
    blockFolds.filter { !$0.kind.isInitiallyOpen }.map(\.blocks)
  }
}
