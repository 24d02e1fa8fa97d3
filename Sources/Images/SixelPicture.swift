/// Pixels as a sixel string (DEC STD 070, chapter 9). It is made here, of pixels that were only numbers
/// before: so there is nothing in it that a page could have put there.
package struct SixelPicture: Sendable {
  private let size: ImageSize
  /// The entry of the palette of each pixel; -1 for what is not drawn.
  private let entries: [Int16]
  private let palette: [ColorPalette.Color]

  /// - Parameters:
  ///   - pixels: red, green, blue and opacity, row by row.
  ///   - size: how many there are.
  ///   - colors: how many colours the terminal can show, 2 to 256.
  package init(_ pixels: [UInt8], _ size: ImageSize, colors: Int) {
    self.size = size
    let palette = ColorPalette(of: pixels, count: min(max(2, colors), 256))
    self.palette = palette.colors
    entries = (0..<size.width * size.height).map { index in
      let place = index * 4
      // Less than half is nothing: there is nothing between.
      guard pixels[place + 3] >= 128 else { return -1 }
      return Int16(palette.entry(pixels[place], pixels[place + 1], pixels[place + 2]))
    }
  }

  /// The string for some rows of pixels.
  package func bytes(rows: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<size.height)
    // What is not set stays as it is; one pixel is as high as it is wide.
    var output = Array("\u{1B}P0;1q\"1;1;\(size.width);\(rows.count)".utf8)
    for (index, color) in palette.enumerated() {
      let parts = [color.red, color.green, color.blue].map { (Int($0) * 100 + 127) / 255 }
      output += Array("#\(index);2;\(parts[0]);\(parts[1]);\(parts[2])".utf8)
    }
    for top in stride(from: rows.lowerBound, to: rows.upperBound, by: 6) {
      writeBand(top..<min(top + 6, rows.upperBound), to: &output)
    }
    return output + [0x1B, UInt8(ascii: "\\")]
  }

  /// Six rows at most: once over them for each colour that they have.
  private func writeBand(_ rows: Range<Int>, to output: inout [UInt8]) {
    var columns: [[UInt8]?] = Array(repeating: nil, count: palette.count)
    for row in rows {
      let bit = UInt8(1 << (row - rows.lowerBound))
      for column in 0..<size.width {
        let entry = Int(entries[row * size.width + column])
        guard entry >= 0 else { continue }
        if columns[entry] == nil { columns[entry] = [UInt8](repeating: 0, count: size.width) }
        columns[entry]?[column] |= bit
      }
    }
    for (entry, bits) in columns.enumerated() {
      guard let bits else { continue }
      output += Array("#\(entry)".utf8)
      Self.write(bits, to: &output)
      output.append(UInt8(ascii: "$"))
    }
    output.append(UInt8(ascii: "-"))
  }

  private static func write(_ bits: [UInt8], to output: inout [UInt8]) {
    var start = 0
    while start < bits.count {
      var end = start + 1
      while end < bits.count, bits[end] == bits[start] { end += 1 }
      if end == bits.count, bits[start] == 0 { return }
      let character = bits[start] + 0x3F
      if end - start > 3 {
        output += Array("!\(end - start)".utf8)
        output.append(character)
      } else {
        output += repeatElement(character, count: end - start)
      }
      start = end
    }
  }
}
