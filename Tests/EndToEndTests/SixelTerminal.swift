/// A simulated terminal that draws sixels as xterm does: writing or erasing a cell erases the part
/// of an image there, and scrolling moves all images, including those outside the scrolled rows. It
/// supports the sequences that ncurses writes with the terminfo description of xterm.
struct SixelTerminal {
  /// The content of a cell: a character, and the part of an image over it.
  struct Cell: Equatable {
    var character: Unicode.Scalar = " "
    var part: Part?
  }

  /// A cell of a drawn image.
  struct Part: Equatable {
    var image: Int, row: Int, column: Int
  }

  private struct Image {
    var id: Int, row: Int, column: Int, rows: Int, columns: Int
    /// The erased cells of the image, row by row.
    var erased: Set<Int> = []

    func covers(_ row: Int, _ column: Int) -> Bool {
      (self.row..<self.row + rows).contains(row)
        && (self.column..<self.column + columns).contains(column)
        && !erased.contains((row - self.row) * columns + column - self.column)
    }

    mutating func erase(_ row: Int, _ column: Int) {
      erased.insert((row - self.row) * columns + column - self.column)
    }
  }

  let columns: Int, rows: Int
  /// The size of a cell in pixels.
  let cell = (width: 8, height: 16)
  /// The number of times that the whole screen was erased, and its content before the last time.
  private(set) var clears: (count: Int, before: [Cell]) = (0, [])
  /// The number of scroll operations, and of drawn sixels.
  private(set) var scrolls = 0, drawings = 0
  /// Sequences that are not supported.
  private(set) var unknown: Set<String> = []
  private var grid: [Unicode.Scalar]
  private var images: [Image] = []
  private var (row, column) = (0, 0)
  private var margins: ClosedRange<Int>
  private var saved = (row: 0, column: 0)
  /// The bytes of an incomplete sequence or character.
  private var pending: [UInt8] = []

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    grid = Array(repeating: " ", count: columns * rows)
    margins = 0...rows - 1
  }

  /// The current content of the screen.
  var cells: [Cell] {
    (0..<rows * columns).map { index in
      let (row, column) = (index / columns, index % columns)
      let top = images.last { $0.covers(row, column) }
      return Cell(
        character: grid[index],
        part: top.map { Part(image: $0.id, row: row - $0.row, column: column - $0.column) })
    }
  }

  /// The rows as text.
  var text: [String] {
    (0..<rows).map { row in
      String(String.UnicodeScalarView(grid[row * columns..<(row + 1) * columns]))
    }
  }

  /// Whether a part of an image is on the screen.
  var hasImage: Bool { cells.contains { $0.part != nil } }

  mutating func feed(_ bytes: [UInt8]) {
    for byte in bytes {
      pending.append(byte)
      if let end = complete() {
        pending = []
        end(&self)
      }
    }
  }

  /// Returns the effect of the pending bytes, or nil if they are incomplete.
  private func complete() -> ((inout SixelTerminal) -> Void)? {
    let bytes = pending
    guard bytes[0] == 0x1B else {
      if bytes[0] < 0x20 { return { $0.control(bytes[0]) } }
      guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
        return nil
      }
      return { $0.write(scalar) }
    }
    guard bytes.count > 1 else { return nil }
    let isLast = (0x40...0x7E).contains(bytes[bytes.count - 1])
    switch bytes[1] {
    case UInt8(ascii: "["):
      return bytes.count > 2 && isLast ? { $0.control(sequence: bytes) } : nil
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"):
      let ends = bytes.last == 7 || bytes.suffix(2) == [0x1B, UInt8(ascii: "\\")]
      guard ends else { return nil }
      return bytes[1] == UInt8(ascii: "P") ? { $0.draw(bytes) } : { _ in }
    case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count > 2 ? { _ in } : nil
    case UInt8(ascii: "M"): return { $0.reverseIndex() }
    case UInt8(ascii: "7"): return { $0.saved = ($0.row, $0.column) }
    case UInt8(ascii: "8"): return { ($0.row, $0.column) = $0.saved }
    case UInt8(ascii: "="), UInt8(ascii: ">"): return { _ in }
    default: return { $0.unknown.insert(String(decoding: bytes, as: UTF8.self)) }
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x08: column = max(0, column - 1)
    case 0x0A:
      if row == margins.upperBound { scroll(1) } else { row = min(rows - 1, row + 1) }
    case 0x0D: column = 0
    default: break
    }
  }

  private mutating func reverseIndex() {
    if row == margins.lowerBound { scroll(-1) } else { row = max(0, row - 1) }
  }

  private mutating func write(_ character: Unicode.Scalar) {
    if column == columns { (row, column) = (min(rows - 1, row + 1), 0) }
    erase(row, column..<column + 1, with: character)
    column += 1
  }

  private mutating func erase(_ row: Int, _ range: Range<Int>, with character: Unicode.Scalar = " ")
  {
    for column in range.clamped(to: 0..<columns) {
      grid[row * columns + column] = character
      for index in images.indices where images[index].covers(row, column) {
        images[index].erase(row, column)
      }
    }
  }

  /// Moves the rows within the margins up, or down for a negative count, and moves all images.
  private mutating func scroll(_ count: Int) {
    scrolls += 1
    let old = grid
    for row in margins {
      let source = row + count
      for column in 0..<columns {
        grid[row * columns + column] =
          margins.contains(source) ? old[source * columns + column] : " "
      }
    }
    for index in images.indices { images[index].row -= count }
  }

  private mutating func draw(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let attributes = text.drop { $0 != "\"" }.dropFirst().prefix { $0 != "#" }.split(separator: ";")
    guard attributes.count == 4, let width = Int(attributes[2]), let height = Int(attributes[3])
    else {
      unknown.insert(text)
      return
    }
    drawings += 1
    images.append(
      Image(
        id: text.hashValue, row: row, column: column,
        rows: (height + cell.height - 1) / cell.height,
        columns: (width + cell.width - 1) / cell.width))
  }

  private mutating func control(sequence bytes: [UInt8]) {
    let body = String(decoding: bytes[2..<bytes.count - 1], as: UTF8.self)
    let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    let first = max(1, numbers.first.flatMap(\.self) ?? 1)
    let second = max(1, numbers.dropFirst().first.flatMap(\.self) ?? 1)
    switch Character(Unicode.Scalar(bytes[bytes.count - 1])) {
    case "H": (row, column) = (min(rows, first) - 1, min(columns, second) - 1)
    case "d": row = min(rows, first) - 1
    case "G": column = min(columns, first) - 1
    case "A": row = max(0, row - first)
    case "B": row = min(rows - 1, row + first)
    case "C": column = min(columns - 1, column + first)
    case "D": column = max(0, column - first)
    case "X": erase(row, column..<column + first)
    case "K" where body == "1": erase(row, 0..<column + 1)
    case "K": erase(row, column..<columns)
    case "J" where body == "2":
      clears = (clears.count + 1, cells)
      for row in 0..<rows { erase(row, 0..<columns) }
    case "J":
      erase(row, column..<columns)
      for row in row + 1..<max(row + 1, rows) { erase(row, 0..<columns) }
    case "b":
      for _ in 0..<first where column > 0 { write(grid[row * columns + column - 1]) }
    case "r" where !body.hasPrefix("?"):
      let bottom = numbers.count > 1 ? second : rows
      margins = first - 1...max(first - 1, bottom - 1)
      (row, column) = (0, 0)
    case "S" where !body.hasPrefix("?"): scroll(first)
    case "T": scroll(-first)
    case "m", "h", "l", "t", "c", "n", "q", "u", "S", "s", "r": break
    default: unknown.insert(String(decoding: bytes, as: UTF8.self))
    }
  }
}
