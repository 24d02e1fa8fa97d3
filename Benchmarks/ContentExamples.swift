import Document
import Foundation
import DOM
import ReaderMode

/// The training data of `scripts/content-model`: a line of JSON for each page.
enum ContentExamples {
  private struct Page: Encodable {
    var file: String
    var clues: [Float]
    var kind: String
    var pageFeatures: [UInt8]
    var hasArticle: Bool
    var texts: [String]
    /// The features of all blocks, concatenated.
    var features: [UInt8]
    var isKept: [Bool]
    /// `BlockFeatures.fingerprint`.
    var fingerprint: String
  }

  /// Prints the clues, texts and features of pages.
  /// - Parameter arguments: The pages; optionally preceded by `--tables` and three files with trees
  ///   for pages with and without an article and for the kind of a page, which replace those of the
  ///   program.
  /// - Throws: An error if a file cannot be read.
  static func print(_ arguments: [String]) throws {
    var files = arguments
    var trees = ContentTrees.builtIn
    if files.first == "--tables", files.count > 3 {
      let tables = try files[1...3].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      let read = tables.map { table in Array(table).withUnsafeBufferPointer { ContentTrees($0) } }
      trees = {
        switch $0 {
        case .blocksWithArticle: read[0]
        case .blocksWithoutArticle: read[1]
        case .pages: read[2]
        }
      }
      files.removeFirst(4)
    }
    for file in files {
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file)))
      let text = CharacterEncoding.detect(bytes, charset: nil).decode(bytes)
      let example = ContentModel.example(in: DOMParser.parse(text), trees: trees)
      let page = Page(
        file: file, clues: example.kindClues, kind: example.kind.rawValue,
        pageFeatures: example.pageFeatures, hasArticle: example.hasArticle, texts: example.texts,
        features: example.features, isKept: example.isBlockKept,
        fingerprint: String(BlockFeatures.fingerprint, radix: 16))
      FileHandle.standardOutput.write(try JSONEncoder().encode(page) + Data("\n".utf8))
    }
  }
}
