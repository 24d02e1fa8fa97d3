import WARC

/// Encodes pixels as PNG (Portable Network Graphics, third edition).
package enum PNGWriter {
  /// Returns an image as a PNG file.
  /// - Parameters:
  ///   - pixels: RGBA samples of 8 bits, row by row.
  ///   - width: The number of pixels in a row.
  ///   - height: The number of rows.
  /// - Returns: The file; without an alpha channel if all pixels are opaque.
  package static func file(_ pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
    let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let head = bigEndian(width) + bigEndian(height) + [8, isOpaque ? 2 : 6, 0, 0, 0]
    file += chunk("IHDR", head)
    var packed: [UInt8] = []
    let deflater = Deflater(format: .zlib)
    for row in 0..<height {
      deflater.deflate(filtered(pixels, row: row, width: width, isOpaque: isOpaque)) {
        packed += $0
      }
    }
    deflater.finish { packed += $0 }
    return file + chunk("IDAT", packed) + chunk("IEND", [])
  }

  /// Returns a row after the Paeth filter (section 9.4).
  private static func filtered(
    _ pixels: [UInt8], row: Int, width: Int, isOpaque: Bool
  ) -> [UInt8] {
    let channels = isOpaque ? 3 : 4
    var line: [UInt8] = [4]
    line.reserveCapacity(1 + width * channels)
    for column in 0..<width {
      let position = (row * width + column) * 4
      for channel in 0..<channels {
        let left = column > 0 ? Int(pixels[position - 4 + channel]) : 0
        let above = row > 0 ? Int(pixels[position - width * 4 + channel]) : 0
        let corner = column > 0 && row > 0 ? Int(pixels[position - width * 4 - 4 + channel]) : 0
        let sum = left + above - corner
        let (a, b, c) = (abs(sum - left), abs(sum - above), abs(sum - corner))
        let predicted = a <= b && a <= c ? left : b <= c ? above : corner
        line.append(pixels[position + channel] &- UInt8(predicted))
      }
    }
    return line
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var checksum = CRC32()
    checksum.update(body)
    return bigEndian(content.count) + body + bigEndian(Int(checksum.value))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
