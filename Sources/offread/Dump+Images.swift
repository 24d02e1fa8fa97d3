import Configuration
import Dispatch
import Document
import Feeds
import Foundation
import Images
import Layout
import OfflineCache
import Pages
import Profiles
import Reader
import Synchronization
import Terminal

extension Dump {
  /// The parameters for drawing images.
  struct ImageDrawing {
    var profile: Profile
    /// The URL of the page.
    var pageURL: DocumentAddress
    var options: LoadOptions
    var imageForm: ImageRequest.OutputFormat
    /// Returns the SGR sequence for a style; empty without colours.
    var sgrSequence: (CellStyle) -> [UInt8]
  }

  /// Returns the parameters for drawing images; nil if images are not drawn.
  func imageDrawing(
    _ profile: Profile, of page: Page, depth: ColorDepth, _ sgr: @escaping (CellStyle) -> [UInt8]
  ) -> ImageDrawing? {
    guard presentation.drawsImages else { return nil }
    let isASCII = StandardOutput.isNonUTF8Terminal || profile.settings.ambiguousWidth > 1
    return ImageDrawing(
      profile: profile, pageURL: page.url, options: load.options(over: profile.settings),
      imageForm: .symbols(colorCount: depth.rawValue, isASCII: isASCII), sgrSequence: sgr)
  }

  /// Returns the lines of a layout, each ended by a line feed, with images drawn into their boxes.
  /// - Parameters:
  ///   - layout: a part of the page.
  ///   - firstLine: the line of the page at which the layout begins.
  ///   - text: the lines without images.
  ///   - document: the document of the page.
  ///   - drawing: the parameters for drawing.
  /// - Returns: the lines with images.
  func linesWithImages(
    of layout: PageLayout, from firstLine: Int, _ text: [UInt8], _ document: Document,
    _ drawing: ImageDrawing
  ) -> [UInt8] {
    let boxes = layout.imageBoxes
    guard !boxes.isEmpty else { return text }
    let outcomes = drawingOutcomes(of: boxes, in: document, drawing)
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    var unusedLines = IndexSet()
    // The images are inserted from right to left, because their positions are byte offsets in the
    // line.
    for (box, outcome) in zip(boxes, outcomes).sorted(by: {
      $0.0.columns.lowerBound > $1.0.columns.lowerBound
    }) {
      let rows = Self.rows(of: outcome, in: box, drawing)
      for (row, drawnRow) in rows.enumerated() {
        let index = Int(box.firstLine) - firstLine + row
        guard layout.lines.indices.contains(index), row < Int(box.rowCount) else { break }
        let location = layout.byteOffset(ofColumn: Int(box.columns.lowerBound), inLine: index)
        lines[index].replaceSpaces(drawnRow, at: location.bytes, padding: location.missing)
      }
      // Drop rows that were reserved by an estimate or for a missing image. No jump targets depend
      // on them.
      let isDrawn = if case .success = outcome { true } else { false }
      guard !box.hasSpecifiedSize || !isDrawn, !box.hasNeighbors, rows.count < Int(box.rowCount)
      else {
        continue
      }
      let line = Int(box.firstLine) - firstLine
      unusedLines.insert(integersIn: (line + rows.count)..<(line + Int(box.rowCount)))
    }
    return Array(
      lines.enumerated().filter { !unusedLines.contains($0.offset) }.map(\.element)
        .joined(separator: [0x0A]))
  }

  private func drawingOutcomes(
    of boxes: [PageLayout.ImageBox], in document: Document, _ drawing: ImageDrawing
  ) -> [Result<DecodedImage, DrawingFailure>] {
    let outcomes = Mutex([Int: Result<DecodedImage, DrawingFailure>]())
    let process = ImageProcess()
    let requests = boxes.map { box in
      var request = ImageRequest(
        maxSizeInCells: ImageSize(width: box.columns.count, height: Int(box.rowCount)))
      request.mayGrow = box.hasSpecifiedSize
      request.output = drawing.imageForm
      let source = ImageSource(
        Int(box.imageIndex), of: document, width: box.columns.count * request.cellSize.width,
        page: drawing.pageURL, options: drawing.options)
      return (source, request)
    }
    let profile = drawing.profile
    DispatchQueue.concurrentPerform(iterations: requests.count) { index in
      let (source, request) = requests[index]
      let waiter = BlockingQueue<Result<[UInt8], ImageLoadFailure>>()
      let missing = ImageLoadFailure("the page does not contain the URL of the image")
      source?.load(from: profile) { waiter.post($0) } ?? waiter.post(.failure(missing))
      let outcome = waiter.waitForNext().mapError { DrawingFailure(description: $0.description) }
        .flatMap { bytes in
          Result { () throws(ImageFailure) in try process.decode(bytes, request) }
            .mapError { DrawingFailure(description: $0.description) }
        }
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { all in requests.indices.compactMap { all[$0] } }
  }

  private static func rows(
    of outcome: Result<DecodedImage, DrawingFailure>, in box: PageLayout.ImageBox,
    _ drawing: ImageDrawing
  ) -> [DrawnRow] {
    switch outcome {
    case .success(let image): return drawnRows(of: image, drawing.sgrSequence)
    case .failure(let message):
      let width = box.hasNeighbors ? box.columns.count : .max
      let text = "not drawn: \(message.description)".utf8.prefix(width)
      return [DrawnRow(bytes: Array(text), columnCount: text.count)]
    }
  }

  /// Returns the rows of an image with their SGR sequences.
  private static func drawnRows(of image: DecodedImage, _ sgr: (CellStyle) -> [UInt8]) -> [DrawnRow]
  {
    guard case .symbols(let symbols) = image.content else { return [] }
    return stride(from: 0, to: symbols.count, by: image.cells.width).map { start in
      var row = DrawnRow(bytes: [], columnCount: image.cells.width)
      var lastColors: ImageColors?
      var isStyled = false
      for symbol in symbols[start..<start + image.cells.width] {
        if symbol.colors != lastColors {
          var style = CellStyle()
          style.imageColors = symbol.colors
          let appearance = sgr(style)
          if isStyled { row.bytes += Array("\u{1B}[0m".utf8) }
          isStyled = !appearance.isEmpty
          row.bytes += appearance
          lastColors = symbol.colors
        }
        row.bytes += Array(String(symbol.character).utf8)
      }
      while row.bytes.last == 0x20, !isStyled {
        row.bytes.removeLast()
        row.columnCount -= 1
      }
      row.bytes += isStyled ? Array("\u{1B}[0m".utf8) : []
      return row
    }
  }
}

/// A row of a drawn image.
private struct DrawnRow {
  var bytes: [UInt8]
  var columnCount: Int
}

extension PageLayout {
  /// Returns the byte offset of a column in a line, and the number of columns by which the line is
  /// too short for it.
  fileprivate func byteOffset(ofColumn column: Int, inLine index: Int) -> (bytes: Int, missing: Int)
  {
    let line = lines[index]
    let (start, end) = (Int(line.start), Int(line.end))
    let widths = DisplayWidth()
    let width = widths.width(of: text, in: start..<end)
    guard width > column else { return (end - start, column - width) }
    // The area of an image consists of spaces, and so do the columns before it.
    let location = (start..<end).first { location in
      text[location] == 0x20 && widths.width(of: text, in: start..<location) == column
    }
    return ((location ?? end) - start, 0)
  }
}

extension [UInt8] {
  /// Replaces the spaces of an image box in a line by a row of the image.
  /// - Parameters:
  ///   - row: the row of the image.
  ///   - offset: the number of text bytes before the row, without escape sequences.
  ///   - padding: the number of spaces to insert before the row.
  fileprivate mutating func replaceSpaces(_ row: DrawnRow, at offset: Int, padding: Int) {
    guard !row.bytes.isEmpty else { return }
    let start = index(afterTextBytes: offset, from: startIndex)
    let after = self[start...]
    var end = start
    var blanks = 0
    // Escape sequences between the spaces are kept and follow the row.
    var sequences: [UInt8] = []
    // Another image with spaces of its own may follow.
    while end < after.endIndex, blanks < padding + row.columnCount {
      let next = index(afterTextBytes: 0, from: end)
      sequences += self[end..<next]
      end = next
      guard end < after.endIndex, self[end] == 0x20 else { break }
      end += 1
      blanks += 1
    }
    replaceSubrange(
      start..<end, with: [UInt8](repeating: 0x20, count: padding) + row.bytes + sequences)
  }

  /// Returns the index after `count` bytes of text and the escape sequences that follow them.
  private func index(afterTextBytes count: Int, from start: Int) -> Int {
    var (index, left) = (start, count)
    while index < endIndex {
      if self[index] == 0x1B {
        let isString = index + 1 < endIndex && self[index + 1] == UInt8(ascii: "]")
        index += 2
        while index < endIndex,
          !(isString ? self[index] == 0x5C : (0x40...0x7E).contains(self[index]))
        {
          index += 1
        }
        index += 1
      } else {
        guard left > 0 else { break }
        left -= 1
        index += 1
      }
    }
    return Swift.min(index, endIndex)
  }
}

/// The reason why an image is not drawn.
private struct DrawingFailure: Error, CustomStringConvertible {
  var description: String
}
