/// An encoder of pixels as sixels (DEC STD 070, chapter 9). The input consists only of colour
/// values, so a page cannot inject control sequences into the output.
package struct SixelEncoder: Sendable {
  private let size: ImageSize
  /// The palette index of each pixel; -1 for pixels that are not drawn.
  private let paletteIndices: [Int16]
  private let palette: [ColorPalette.Color]

  /// Creates an encoder for an image.
  /// - Parameters:
  ///   - pixels: red, green, blue and alpha of each pixel, row by row.
  ///   - size: the size in pixels.
  ///   - maxColorCount: the number of colours of the terminal, 2 to 256.
  package init(_ pixels: [UInt8], _ size: ImageSize, maxColorCount: Int) {
    self.size = size
    let palette = ColorPalette(of: pixels, maxColorCount: min(max(2, maxColorCount), 256))
    self.palette = palette.colors
    paletteIndices = (0..<size.width * size.height).map { index in
      let position = index * 4
      // Sixels are either opaque or not drawn at all.
      guard pixels[position + 3] >= 128 else { return -1 }
      return Int16(palette.entry(pixels[position], pixels[position + 1], pixels[position + 2]))
    }
  }

  /// Returns the sixel sequence for some rows of pixels.
  package func bytes(rows: Range<Int>) -> [UInt8] {
    let rows = rows.clamped(to: 0..<size.height)
    // Background pixels stay unchanged (P2 = 1); the pixel aspect ratio is 1:1.
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

  /// Writes a band of at most six rows, with one pass for each colour in it.
  private func writeBand(_ rows: Range<Int>, to output: inout [UInt8]) {
    var columns: [[UInt8]?] = Array(repeating: nil, count: palette.count)
    for row in rows {
      let bit = UInt8(1 << (row - rows.lowerBound))
      for column in 0..<size.width {
        let entry = Int(paletteIndices[row * size.width + column])
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
