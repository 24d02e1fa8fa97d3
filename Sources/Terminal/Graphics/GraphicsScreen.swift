import Foundation
import Images

/// The state of the graphics in a terminal. It has no side effects: it returns the bytes to send,
/// which consist of numbers and base64 and never of text from a page.
struct GraphicsScreen: Sendable {
  private(set) var shownGraphics: [Graphic] = []
  /// The images stored in a terminal with the kitty protocol, the most recently used last.
  private var storedImages: [(image: DecodedImage, id: Int)] = []
  private var lastID = 0
  /// The most recent sixel strings.
  private var sixelStrings: [(graphic: Graphic, bytes: [UInt8])] = []

  /// The maximum number of stored images, and of sixel strings.
  private static let maxStoredImages = 24

  /// Returns the rows that ncurses must redraw completely, so that removed sixel images leave no
  /// remains and no image moves.
  ///
  /// To save bytes ncurses scrolls regions of the screen, which moves images as well: in xterm all
  /// of them, wherever they are. It scrolls only rows whose content it knows; the content of a row
  /// that must be redrawn is unknown to it.
  /// - Parameters:
  ///   - newGraphics: The images of the next frame.
  ///   - changedRows: The rows with changed cells.
  /// - Returns: The rows, in no particular order.
  func rowsToRewrite(for newGraphics: [Graphic], changedRows: Set<Int>) -> Set<Int> {
    guard !shownGraphics.isEmpty else { return [] }
    return shownGraphics.reduce(into: changedRows) { rows, old in
      if old.graphicsProtocol != .kitty, !newGraphics.contains(old) {
        rows.formUnion(old.visibleRows)
      }
    }
  }

  /// Replaces the images on the screen. The position of the cursor is undefined afterwards.
  /// - Parameters:
  ///   - newGraphics: The images of the next frame.
  ///   - writtenRows: The rows that ncurses may have written to, which erases sixels.
  /// - Returns: The bytes for the terminal.
  mutating func show(_ newGraphics: [Graphic], writtenRows: Set<Int>) -> [UInt8] {
    var output: [UInt8] = []
    for (position, old) in shownGraphics.enumerated() where old.graphicsProtocol == .kitty {
      let next = newGraphics.indices.contains(position) ? newGraphics[position] : nil
      // A placement of the same image is moved instead of deleted.
      guard next?.graphicsProtocol != .kitty || next?.image != old.image,
        let id = storedImageID(of: old)
      else { continue }
      output += Self.kittyCommand("a=d,d=i,q=2,i=\(id),p=\(position + 1)")
    }
    for (position, graphic) in newGraphics.enumerated() {
      switch graphic.graphicsProtocol {
      case .kitty
      where shownGraphics.indices.contains(position) && shownGraphics[position] == graphic: break
      case .kitty: output += placementCommand(of: graphic, number: position + 1)
      case .sixel
      where shownGraphics.contains(graphic) && writtenRows.isDisjoint(with: graphic.visibleRows):
        break
      case .sixel(let colors):
        output += Self.cursorMove(to: graphic) + sixelBytes(of: graphic, colors)
      }
    }
    shownGraphics = newGraphics
    return output
  }

  /// Forgets all images, and returns the bytes that delete those stored in the terminal.
  mutating func reset() -> [UInt8] {
    defer { (shownGraphics, storedImages) = ([], []) }
    return storedImages.isEmpty ? [] : Self.kittyCommand("a=d,d=A,q=2")
  }

  private static func cursorMove(to graphic: Graphic) -> [UInt8] {
    Array("\u{1B}[\(graphic.visibleRows.lowerBound + 1);\(graphic.firstColumn + 1)H".utf8)
  }

  // MARK: kitty

  private func storedImageID(of graphic: Graphic) -> Int? {
    storedImages.first { $0.image == graphic.image }?.id
  }

  private mutating func placementCommand(of graphic: Graphic, number: Int) -> [UInt8] {
    guard case .pixels(let pixels, let size) = graphic.image.content else { return [] }
    var output: [UInt8] = []
    let id: Int
    if let position = storedImages.firstIndex(where: { $0.image == graphic.image }) {
      id = storedImages[position].id
      storedImages.append(storedImages.remove(at: position))
    } else {
      lastID += 1
      id = lastID
      output += Self.transmissionCommands(of: pixels, size, id)
      storedImages.append((graphic.image, id))
      while storedImages.count > Self.maxStoredImages,
        let oldest = storedImages.dropLast().firstIndex(where: { stored in
          !shownGraphics.contains { $0.image == stored.image }
        })
      {
        output += Self.kittyCommand("a=d,d=I,q=2,i=\(storedImages.remove(at: oldest).id)")
      }
    }
    let cellHeight = size.height / graphic.image.cells.height
    let hiddenHeight = (graphic.visibleRows.lowerBound - graphic.firstRow) * cellHeight
    return output + Self.cursorMove(to: graphic)
      + Self.kittyCommand(
        "a=p,q=2,C=1,i=\(id),p=\(number),x=0,y=\(hiddenHeight),w=\(size.width),h=\(graphic.visibleRows.count * cellHeight),"
          + "c=\(graphic.image.cells.width),r=\(graphic.visibleRows.count)")
  }

  /// Returns the commands that transmit the pixels, in chunks of the size that the protocol
  /// requires.
  private static func transmissionCommands(of pixels: [UInt8], _ size: ImageSize, _ id: Int)
    -> [UInt8]
  {
    let text = Array(Data(pixels).base64EncodedData())
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 100)
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      let more = end < text.count ? 1 : 0
      let keys =
        start == 0 ? "a=t,f=32,q=2,i=\(id),s=\(size.width),v=\(size.height),m=\(more)" : "m=\(more)"
      output += kittyCommand(keys, text[start..<end])
    }
    return output
  }

  private static func kittyCommand(_ keys: String, _ data: ArraySlice<UInt8> = []) -> [UInt8] {
    Array("\u{1B}_G\(keys)".utf8) + (data.isEmpty ? [] : [UInt8(ascii: ";")] + data)
      + Array("\u{1B}\\".utf8)
  }

  // MARK: Sixel

  private mutating func sixelBytes(of graphic: Graphic, _ colors: Int) -> [UInt8] {
    guard case .pixels(let pixels, let size) = graphic.image.content else { return [] }
    // The string depends only on the visible part of the image, not on its position.
    var part = graphic
    part.firstRow -= graphic.visibleRows.lowerBound
    part.visibleRows = 0..<graphic.visibleRows.count
    part.firstColumn = 0
    if let known = sixelStrings.first(where: { $0.graphic == part }) { return known.bytes }
    let cell = size.height / graphic.image.cells.height
    let hidden = (graphic.visibleRows.lowerBound - graphic.firstRow) * cell
    let bytes = SixelEncoder(pixels, size, maxColorCount: colors)
      .bytes(rows: hidden..<hidden + graphic.visibleRows.count * cell)
    sixelStrings.append((part, bytes))
    if sixelStrings.count > Self.maxStoredImages { sixelStrings.removeFirst() }
    return bytes
  }
}
