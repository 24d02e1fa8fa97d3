import Foundation

/// Images within a page, on a pseudo-terminal.
enum ImageRows {
  private static let runs = 15
  private static let count = 10

  /// Writes a page with ten images of 800 × 600, each followed by a line of text.
  private static func page(in folder: String) throws -> String {
    var html = "<title>Images</title><p>Beginning of a page.</p>"
    for index in 0..<count {
      let picture = PNGPicture.bytes(width: 800, height: 600, seed: index)
      try Data(picture).write(to: URL(fileURLWithPath: "\(folder)/\(index).png"))
      html +=
        "<p><img src=\(index).png alt=\"Image \(index)\" width=320 height=160><p>Text \(index)."
    }
    html += String(repeating: "<p>A line.</p>", count: 400)
    let path = "\(folder)/images.html"
    try Data(html.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  static func measure(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("images")
    defer { place.removeFolder(data) }
    let file = try page(in: data)
    func open(_ images: String, rows: Int) throws -> PtyProgram {
      let program = try PtyProgram(
        // A saved reading position would change the first text.
        [place.offread, "--images", images, file, "--data-dir", "\(data)/\(images)-\(rows)"],
        rows: rows, home: place.folder)
      _ = try program.read(until: "Beginning")
      return program
    }
    var times: [Double] = []
    for _ in 0..<runs {
      let program = try open("off", rows: 140)
      defer { program.end() }
      _ = program.settle()
      let typed = program.type("*")
      if let last = last(of: program) { times.append((last - typed) * 1e3) }
    }
    let keys = try ["off", "symbols"].map { images in
      let program = try open(images, rows: 24)
      defer { program.end() }
      // Show all images on the screen once.
      for _ in 0..<8 {
        program.type(" ")
        _ = last(of: program)
      }
      program.type("g")
      _ = last(of: program)
      return (0..<60).compactMap { _ -> Double? in
        let typed = program.type("j")
        defer { _ = program.settle() }
        return program.next().map { ($0 - typed) * 1e3 }
      }
    }
    return [
      .atMost(
        "a page of ten images of 800 × 600, key to the last symbol",
        times.count == runs ? times.median : .infinity, 150, unit: "ms",
        note: "least \(ResultRow.text(times.min() ?? .nan, "ms"))"),
      .atMost(
        "scroll a line over images that are drawn, key to frame, median of 60", keys[1].median, 8,
        unit: "ms", note: "over their words \(ResultRow.text(keys[0].median, "ms"))"),
    ]
  }

  /// Returns the time of the last output of a program.
  private static func last(of program: PtyProgram) -> Double? {
    var last: Double?
    while let time = program.settle().last { last = time }
    return last
  }
}

/// An uncompressed PNG image.
enum PNGPicture {
  /// Returns an image whose pixels depend on the seed. The width is at most 21,844 pixels.
  static func bytes(width: Int, height: Int, seed: Int) -> [UInt8] {
    var deflated: [UInt8] = [0x78, 0x01]
    var (low, high): (UInt32, UInt32) = (1, 0)
    for y in 0..<height {
      var row: [UInt8] = [0]
      for x in 0..<width {
        let wave = (x * x / 97 + y * y / 61 + seed * 40) & 0xFF
        row += [UInt8(wave), UInt8((x + seed * 30) & 0xFF), UInt8((y * 2) & 0xFF)]
      }
      let count = UInt16(row.count)
      deflated += [y == height - 1 ? 1 : 0] + little(count) + little(~count) + row
      for byte in row {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
    }
    deflated += big(high << 16 | low)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [8, 2, 0, 0, 0])
      + chunk("IDAT", deflated) + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return big(UInt32(content.count)) + body + big(checksum(body))
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }

  private static func big(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
  }

  private static func little(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}
