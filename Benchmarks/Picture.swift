import Foundation
import ScreenPicture

/// A screen that a terminal multiplexer captured, as a picture; for `scripts/screenshot`.
enum Picture {
  /// Reads a capture from standard input and writes SVG to standard output.
  /// - Parameter arguments: columns, rows, and `dark` or `light`.
  /// - Throws: `BenchError` for other arguments.
  static func write(_ arguments: [String]) throws {
    let sizes = arguments.prefix(2).compactMap { Int($0) }.filter { (1...1000).contains($0) }
    guard arguments.count == 3, sizes.count == 2, ["dark", "light"].contains(arguments[2]) else {
      throw BenchError("usage: bench picture COLUMNS ROWS dark|light <CAPTURE")
    }
    let capture = try FileHandle.standardInput.readToEnd() ?? Data()
    let screen = CapturedScreen(String(decoding: capture, as: UTF8.self))
    let svg = screen.svg(columns: sizes[0], rows: sizes[1], isDark: arguments[2] == "dark")
    FileHandle.standardOutput.write(Data(svg.utf8))
  }
}
