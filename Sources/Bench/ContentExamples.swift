import Foundation
import HTML

/// What `scripts/content-model` learns from: a line of JSON for each page.
enum ContentExamples {
  private struct Page: Encodable {
    var file: String
    var clues: [Float]
    var texts: [String]
    /// The features of all blocks, one row after the other.
    var features: [UInt8]
  }

  /// Prints the clues, texts and features of some pages.
  /// - Throws: when a file cannot be read.
  static func print(_ files: [String]) throws {
    for file in files {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      let text = CharacterEncoding.detect(bytes, charset: nil).decode(bytes)
      let (clues, blocks) = ContentModel.examples(in: DOMParser.parse(text))
      let page = Page(
        file: file, clues: clues, texts: blocks.map(\.text), features: blocks.flatMap(\.features))
      FileHandle.standardOutput.write(try JSONEncoder().encode(page) + Data("\n".utf8))
    }
  }
}
