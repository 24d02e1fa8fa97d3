import Configuration
import Dispatch
import Document
import Feeds
import Images
import Layout
import OfflineCache
import Reader
import Synchronization
import Terminal

extension Dump {
  /// How images are drawn into what is written.
  struct ImageDrawing {
    var profile: Profile
    /// The URL of the page.
    var page: String
    var options: LoadOptions
    var form: ImageRequest.Form
    /// What a look is written as; empty without colours.
    var sgr: (CellStyle) -> [UInt8]
  }

  /// How images are drawn; nil when they are not.
  func drawing(
    _ profile: Profile, of shown: Page, depth: ColorDepth, _ sgr: @escaping (CellStyle) -> [UInt8]
  ) -> ImageDrawing? {
    guard page.drawsImages else { return nil }
    let isASCII = StandardOutput.isPlainTerminal || profile.settings.ambiguousWidth > 1
    return ImageDrawing(
      profile: profile, page: shown.url, options: load.options(over: profile.settings),
      form: .symbols(colors: depth.rawValue, isASCII: isASCII), sgr: sgr)
  }

  /// Lines as they are written, each ended by a line feed, with the images that there is room for; the layout
  /// begins at the line `first` of the page.
  func lines(
    of layout: PageLayout, from first: Int, _ text: [UInt8], _ document: Document,
    _ drawing: ImageDrawing
  ) -> [UInt8] {
    let boxes = layout.imageBoxes
    guard !boxes.isEmpty else { return text }
    let outcomes = outcomes(of: boxes, in: document, drawing)
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    for (box, outcome) in zip(boxes, outcomes) {
      let rows: [[UInt8]]
      switch outcome {
      case .success(let image): rows = Self.rows(of: image, drawing.sgr)
      case .failure(let words): rows = [Array("not drawn: \(words.description)".utf8)]
      }
      for (row, bytes) in rows.enumerated() {
        let index = Int(box.line) - first + row
        guard layout.lines.indices.contains(index), row < Int(box.rows) else { break }
        let line = layout.lines[index]
        let width = DisplayWidth().width(
          of: layout.text, in: Int(line.start)..<Int(line.end))
        lines[index] +=
          [UInt8](repeating: 0x20, count: max(0, Int(box.columns.lowerBound) - width)) + bytes
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private func outcomes(
    of boxes: [PageLayout.ImageBox], in document: Document, _ drawing: ImageDrawing
  ) -> [Result<DecodedImage, DrawingFailure>] {
    let outcomes = Mutex([Int: Result<DecodedImage, DrawingFailure>]())
    let process = ImageProcess()
    let requests = boxes.map { box in
      var request = ImageRequest(
        box: ImageSize(width: box.columns.count, height: Int(box.rows)))
      request.grows = box.isSized
      request.form = drawing.form
      let url =
        document.url(ofImage: Int(box.image)) ?? document.images[Int(box.image)].source
      return (
        ImageSource(url: url, page: drawing.page, options: drawing.options), request
      )
    }
    let profile = drawing.profile
    DispatchQueue.concurrentPerform(iterations: requests.count) { index in
      let (source, request) = requests[index]
      let waiter = Waiter<Result<[UInt8], ImageLoadFailure>>()
      source.load(from: profile) { waiter.post($0) }
      let outcome = waiter.next().mapError { DrawingFailure(description: $0.description) }
        .flatMap { bytes in
          Result { () throws(ImageFailure) in try process.decode(bytes, request) }
            .mapError { DrawingFailure(description: $0.description) }
        }
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { all in requests.indices.compactMap { all[$0] } }
  }

  /// The rows of an image, each with the looks that it needs.
  private static func rows(of image: DecodedImage, _ sgr: (CellStyle) -> [UInt8]) -> [[UInt8]] {
    guard case .symbols(let symbols) = image.content else { return [] }
    return stride(from: 0, to: symbols.count, by: image.cells.width).map { start in
      var row: [UInt8] = []
      var last: ImageColors?
      var isStyled = false
      for symbol in symbols[start..<start + image.cells.width] {
        if symbol.colors != last {
          var style = CellStyle()
          style.colors = symbol.colors
          let look = sgr(style)
          if isStyled { row += Array("\u{1B}[0m".utf8) }
          isStyled = !look.isEmpty
          row += look
          last = symbol.colors
        }
        row += Array(String(symbol.character).utf8)
      }
      while row.last == 0x20, !isStyled { row.removeLast() }
      return row + (isStyled ? Array("\u{1B}[0m".utf8) : [])
    }
  }
}

/// Why an image is not drawn.
private struct DrawingFailure: Error, CustomStringConvertible {
  var description: String
}
