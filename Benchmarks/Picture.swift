import Foundation
import ScreenPicture

/// Converts screens captured by a terminal multiplexer to SVG, for `scripts/screenshot`.
enum Picture {
  /// Reads a capture, or a timed sequence of captures, from standard input and writes SVG to
  /// standard output.
  /// - Parameter arguments: Columns, rows, and `dark` or `light`.
  /// - Throws: `BenchError` for other arguments.
  static func write(_ arguments: [String]) throws {
    let sizes = arguments.prefix(2).compactMap { Int($0) }.filter { (1...1000).contains($0) }
    guard arguments.count == 3, sizes.count == 2, ["dark", "light"].contains(arguments[2]) else {
      throw BenchError("usage: bench picture COLUMNS ROWS dark|light <CAPTURE")
    }
    let capture = try FileHandle.standardInput.readToEnd() ?? Data()
    let text = String(decoding: capture, as: UTF8.self)
    let (columns, rows, isDark) = (sizes[0], sizes[1], arguments[2] == "dark")
    let svg =
      text.hasPrefix("\u{1E}")
      ? ScreenRecording(text).svg(columns: columns, rows: rows, isDark: isDark)
      : CapturedScreen(text).svg(columns: columns, rows: rows, isDark: isDark)
    FileHandle.standardOutput.write(Data(svg.utf8))
  }
}
