import ReaderMode
import Foundation
import Document
import Layout

/// Whether pages open at their texts: of pages with known content, the share whose first screen has four
/// words of the text one after the other.
enum FirstScreens {
  /// What is known of a page, in the file beside it.
  private struct Known: Decodable {
    var text: String
  }

  private static let columns = 80
  /// Lines of a terminal of 24 that are for the page.
  private static let lines = 22
  /// As many lines are laid out before a page opens.
  private static let maxLines = 2000

  /// Prints the pages that open elsewhere, and the share of the others.
  /// - Parameter arguments: Pages (`NAME.html`) with their texts beside them (`NAME.json`); `--show` before them
  ///   prints the screens, too.
  /// - Throws: when a file cannot be read.
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
    builder.layOut(lines: Self.maxLines)
    let layout = builder.layout
    return layout.lines.dropFirst(layout.openingLine(of: document)).prefix(lines).map {
      String(decoding: layout.text[Int($0.start)..<Int($0.end)], as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  /// Each four words that follow each other.
  private static func runs(of words: [Substring]) -> [[Substring]] {
    guard words.count >= 4 else { return [] }
    return (0...words.count - 4).map { Array(words[$0..<$0 + 4]) }
  }
}
