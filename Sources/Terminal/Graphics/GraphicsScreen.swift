import Foundation
import Images

/// The state of the graphics in a terminal. It has no side effects: it returns the bytes to send,
/// which consist of numbers and base64 and never of text from a page.
struct GraphicsScreen: Sendable {
  private(set) var shown: [Graphic] = []
  /// The images stored in a terminal with the kitty protocol, the most recently used last.
  private var kept: [(image: DecodedImage, id: Int)] = []
  private var lastID = 0
  /// The most recent sixel strings.
  private var strings: [(graphic: Graphic, bytes: [UInt8])] = []

  /// The maximum number of stored images, and of sixel strings.
  private static let maximum = 24

  /// Returns the rows that ncurses must redraw completely, so that removed sixel images leave no
  /// remains and no image moves.
  ///
  /// To save bytes ncurses scrolls regions of the screen, which moves images as well: in xterm all
  /// of them, wherever they are. It scrolls only rows whose content it knows; the content of a row
  /// that must be redrawn is unknown to it.
  /// - Parameters:
  ///   - new: The images of the next frame.
  ///   - changed: The rows with changed cells.
  /// - Returns: The rows, in no particular order.
  func rowsToRewrite(for new: [Graphic], changed: Set<Int>) -> Set<Int> {
    guard !shown.isEmpty else { return [] }
    return shown.reduce(into: changed) { rows, old in
      if old.by != .kitty, !new.contains(old) { rows.formUnion(old.rows) }
    }
  }

  /// Replaces the images on the screen. The position of the cursor is undefined afterwards.
  /// - Parameters:
  ///   - new: The images of the next frame.
  ///   - written: The rows that ncurses may have written to, which erases sixels.
  /// - Returns: The bytes for the terminal.
  mutating func show(_ new: [Graphic], written: Set<Int>) -> [UInt8] {
    var output: [UInt8] = []
    for (position, old) in shown.enumerated() where old.by == .kitty {
      let next = new.indices.contains(position) ? new[position] : nil
      // A placement of the same image is moved instead of deleted.
      guard next?.by != .kitty || next?.image != old.image, let id = id(of: old) else { continue }
      output += Self.command("a=d,d=i,q=2,i=\(id),p=\(position + 1)")
    }
    for (position, graphic) in new.enumerated() {
      switch graphic.by {
      case .kitty where shown.indices.contains(position) && shown[position] == graphic: break
      case .kitty: output += placement(of: graphic, number: position + 1)
      case .sixel where shown.contains(graphic) && written.isDisjoint(with: graphic.rows): break
      case .sixel(let colors): output += Self.move(to: graphic) + sixels(of: graphic, colors)
      }
    }
    shown = new
    return output
  }

  /// Forgets all images, and returns the bytes that delete those stored in the terminal.
  mutating func end() -> [UInt8] {
    defer { (shown, kept) = ([], []) }
    return kept.isEmpty ? [] : Self.command("a=d,d=A,q=2")
  }

  private static func move(to graphic: Graphic) -> [UInt8] {
    Array("\u{1B}[\(graphic.rows.lowerBound + 1);\(graphic.column + 1)H".utf8)
  }

  // MARK: kitty

  private func id(of graphic: Graphic) -> Int? {
    kept.first { $0.image == graphic.image }?.id
  }

  private mutating func placement(of graphic: Graphic, number: Int) -> [UInt8] {
    guard case .pixels(let pixels, let size) = graphic.image.content else { return [] }
    var output: [UInt8] = []
    let id: Int
    if let position = kept.firstIndex(where: { $0.image == graphic.image }) {
      id = kept[position].id
      kept.append(kept.remove(at: position))
    } else {
      lastID += 1
      id = lastID
      output += Self.transmission(of: pixels, size, id)
      kept.append((graphic.image, id))
      while kept.count > Self.maximum,
        let oldest = kept.dropLast().firstIndex(where: { stored in
          !shown.contains { $0.image == stored.image }
        })
      {
        output += Self.command("a=d,d=I,q=2,i=\(kept.remove(at: oldest).id)")
      }
    }
    let cell = size.height / graphic.image.cells.height
    let hidden = (graphic.rows.lowerBound - graphic.row) * cell
    return output + Self.move(to: graphic)
      + Self.command(
        "a=p,q=2,C=1,i=\(id),p=\(number),x=0,y=\(hidden),w=\(size.width),h=\(graphic.rows.count * cell),"
          + "c=\(graphic.image.cells.width),r=\(graphic.rows.count)")
  }

  /// Returns the commands that transmit the pixels, in chunks of the size that the protocol
  /// requires.
  private static func transmission(of pixels: [UInt8], _ size: ImageSize, _ id: Int) -> [UInt8] {
    let text = Array(Data(pixels).base64EncodedData())
    var output: [UInt8] = []
    output.reserveCapacity(text.count + text.count / 100)
    for start in stride(from: 0, to: text.count, by: 4096) {
      let end = min(start + 4096, text.count)
      let more = end < text.count ? 1 : 0
      let keys =
        start == 0 ? "a=t,f=32,q=2,i=\(id),s=\(size.width),v=\(size.height),m=\(more)" : "m=\(more)"
      output += command(keys, text[start..<end])
    }
    return output
  }

  private static func command(_ keys: String, _ data: ArraySlice<UInt8> = []) -> [UInt8] {
    Array("\u{1B}_G\(keys)".utf8) + (data.isEmpty ? [] : [UInt8(ascii: ";")] + data)
      + Array("\u{1B}\\".utf8)
  }

  // MARK: Sixel

  private mutating func sixels(of graphic: Graphic, _ colors: Int) -> [UInt8] {
    guard case .pixels(let pixels, let size) = graphic.image.content else { return [] }
    // The string depends only on the visible part of the image, not on its position.
    var part = graphic
    part.row -= graphic.rows.lowerBound
    part.rows = 0..<graphic.rows.count
    part.column = 0
    if let known = strings.first(where: { $0.graphic == part }) { return known.bytes }
    let cell = size.height / graphic.image.cells.height
    let hidden = (graphic.rows.lowerBound - graphic.row) * cell
    let bytes = SixelImage(pixels, size, colors: colors)
      .bytes(rows: hidden..<hidden + graphic.rows.count * cell)
    strings.append((part, bytes))
    if strings.count > Self.maximum { strings.removeFirst() }
    return bytes
  }
}
