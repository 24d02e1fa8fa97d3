import ReaderMode
import Foundation
import Document
import Layout

/// Whether pages open at their main text: the share of pages with known content whose first screen
/// contains four consecutive words of it.
enum FirstScreens {
  /// The known content of a page, from the file beside it.
  private struct Known: Decodable {
    var text: String
  }

  private static let columns = 80
  /// The number of lines for the page on a terminal of 24 lines.
  private static let lines = 22
  /// Maximum number of lines that are laid out before a page opens.
  private static let maxLines = 2000

  /// Prints the pages that open elsewhere, and the share of the others.
  /// - Parameter arguments: Pages (`NAME.html`) with their texts beside them (`NAME.json`),
  ///   optionally preceded by `--show` to print the screens, too.
  /// - Throws: An error if a file cannot be read.
  static func print(_ arguments: [String]) throws {
    let isShown = arguments.first == "--show"
    var (count, found) = (0, 0)
    for file in arguments.dropFirst(isShown ? 1 : 0) {
      let page = URL(fileURLWithPath: file)
      let known = page.deletingPathExtension().appendingPathExtension("json")
      let text = try JSONDecoder().decode(Known.self, from: Data(contentsOf: known)).text
      let wanted = Set(runs(of: words(text)))
      guard !wanted.isEmpty else { continue }
      let document = Document(bytes: Array(try Data(contentsOf: page)), mediaType: "text/html")
      count += 1
      let screen = firstScreen(of: document)
      if runs(of: words(screen)).contains(where: wanted.contains) {
        found += 1
      } else {
        Swift.print(isShown ? "\(file)\n\(screen)\n" : file)
      }
    }
    Swift.print("\(found) of \(count) first screens have words of the text")
  }

  private static func firstScreen(of document: Document) -> String {
    let options = LayoutOptions(width: columns, foldsNavigation: true, foldsDetails: true)
    var builder = PageLayout.Builder(document, options: options)
    builder.layOut(minLines: Self.maxLines)
    let layout = builder.layout
    return layout.lines.dropFirst(layout.openingLine(of: document)).prefix(lines).map {
      String(decoding: layout.text[Int($0.start)..<Int($0.end)], as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// Returns all sequences of four consecutive words.
  private static func runs(of words: [Substring]) -> [[Substring]] {
    guard words.count >= 4 else { return [] }
    return (0...words.count - 4).map { Array(words[$0..<$0 + 4]) }
  }
}
