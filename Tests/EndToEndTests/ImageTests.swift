import Foundation
import Images
import Pages
import Reader
import Sandbox
import TestSupport
import Testing

/// Images decoded by a separate process and drawn in pages.
@Suite struct ImageTests {
  private static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/images")
  private static let process = ImageProcess(program: Program.offread)
  private static let box = ImageSize(width: 15, height: 5)

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: directory.appendingPathComponent(name)))
  }

  private static func request(_ form: ImageRequest.OutputFormat) -> ImageRequest {
    var request = ImageRequest(maxSizeInCells: box)
    request.output = form
    return request
  }

  private static func failure(_ bytes: [UInt8]) -> ImageFailure? {
    do throws(ImageFailure) {
      _ = try process.decode(bytes, request(.symbols(colorCount: 256, isASCII: false)))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "sun.png", "sun.jpg", "progressive.jpg", "inks.jpg", "sun.gif", "interlaced.gif", "moving.gif",
    "sun.webp", "sun.avif",
  ])
  func `an image of each format has its colours at their positions`(_ name: String) throws {
    let request = Self.request(.pixels)
    let image = try Self.process.decode(try Self.bytes(name), request)
    #expect(image.sourceSize == ImageSize(width: 120, height: 80) && image.cells == Self.box)
    guard case .pixels(let bytes, let size) = image.content else {
      Issue.record("no pixels")
      return
    }
    #expect(size == ImageSize(width: 120, height: 80))
    func color(_ x: Int, _ y: Int) -> ArraySlice<UInt8> {
      bytes[(y * 120 + x) * 4..<(y * 120 + x) * 4 + 4]
    }
    // A red sky, a blue ground, a white disc.
    let (sky, ground, disc) = (Array(color(5, 3)), Array(color(5, 76)), Array(color(60, 40)))
    #expect(sky[0] > 150 && sky[2] < 100 && sky[3] == 255, "\(sky)")
    #expect(ground[0] < 100 && ground[2] > 150, "\(ground)")
    #expect(disc[0] > 220 && disc[1] > 220 && disc[2] > 220, "\(disc)")
  }

  /// Inserts EXIF data before the image, little- or big-endian, with another entry before the
  /// orientation.
  private static func jpeg(_ bytes: [UInt8], turned orientation: UInt8, isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    var tiff = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
    tiff += number(0x100, 2) + number(4, 2) + number(1, 4) + number(60, 4)
    tiff += number(0x112, 2) + number(3, 2) + number(1, 4) + number(Int(orientation), 2) + [0, 0]
    tiff += number(0, 4)
    let part = Array("Exif\0\0".utf8) + tiff
    let count = part.count + 2
    return Array(bytes.prefix(2)) + [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)] + part
      + bytes.dropFirst(2)
  }

  /// The corners of an image, from left to right and top to bottom: red, green, blue and white as
  /// stored. The orientations 0 and 9 are undefined.
  @Test(
    arguments: [
      (1, "RGBW"), (2, "GRWB"), (3, "WBGR"), (4, "BWRG"), (5, "RBGW"), (6, "BRWG"), (7, "WGBR"),
      (8, "GWRB"), (0, "RGBW"), (9, "RGBW"),
    ] as [(UInt8, String)])
  func `a photograph is rotated according to its EXIF orientation`(
    _ orientation: UInt8, _ corners: String
  )
    throws
  {
    let bytes = try Self.bytes("corners.jpg")
    let isOnItsSide = (5...8).contains(orientation)
    let source = isOnItsSide ? ImageSize(width: 40, height: 60) : ImageSize(width: 60, height: 40)
    // At full size, and scaled down by the library.
    for columns in [8, 2] {
      for isLittle in [true, false] {
        var request = ImageRequest(maxSizeInCells: ImageSize(width: columns, height: columns / 2))
        request.output = .pixels
        let image = try Self.process.decode(
          Self.jpeg(bytes, turned: orientation, isLittle: isLittle), request)
        #expect(image.sourceSize == source)
        guard case .pixels(let pixels, let size) = image.content else {
          Issue.record("no pixels")
          return
        }
        #expect((size.width < size.height) == (isOnItsSide && columns > 2) || columns == 2)
        let found = [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y -> Character in
          let position = (y * size.height / 4 * size.width + x * size.width / 4) * 4
          let isHigh = pixels[position..<position + 3].map { $0 > 128 }
          return isHigh == [true, false, false]
            ? "R"
            : isHigh == [false, true, false] ? "G" : isHigh == [false, false, true] ? "B" : "W"
        }
        #expect(String(found) == corners, "\(columns) \(isLittle)")
      }
    }
  }

  @Test func `invalid EXIF data leaves a photograph unchanged`() throws {
    let bytes = Self.jpeg(try Self.bytes("corners.jpg"), turned: 6, isLittle: true)
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 8, height: 4))
    request.output = .pixels
    // The byte order, the offset of the directory, the tag, its type, count and value.
    for position in [12, 14, 16, 34, 36, 38, 42] {
      var changed = bytes
      changed[position] = 0xEE
      let image = try Self.process.decode(changed, request)
      #expect(image.sourceSize == ImageSize(width: 60, height: 40), "\(position)")
    }
  }

  /// Returns a number in little-endian byte order.
  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Returns a TIFF header with an image orientation.
  private static func tiff(_ orientation: UInt8) -> [UInt8] {
    Array("II".utf8) + number(42, 2) + number(8, 4) + number(1, 2) + number(0x112, 2)
      + number(3, 2) + number(1, 4) + [orientation, 0, 0, 0] + number(0, 4)
  }

  /// Returns a PNG with the EXIF data after its header, or an extended WebP with it at the end.
  private static func turned(_ name: String, _ part: [UInt8]) throws -> [UInt8] {
    let bytes = try Self.bytes(name)
    if name.hasSuffix(".png") {
      let named = Array("eXIf".utf8) + part
      var sum: UInt32 = ~0
      for byte in named {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      var output = Array(bytes[..<33])
      output += number(part.count, 4).reversed()
      output += named
      output += number(Int(~sum), 4).reversed()
      return output + bytes[33...]
    }
    let head = Array("VP8X".utf8) + number(10, 4) + [8, 0, 0, 0] + number(119, 3) + number(79, 3)
    var content = Array("WEBP".utf8) + head
    content += bytes.dropFirst(12)
    content += Array("EXIF".utf8) + number(part.count, 4) + part
    if part.count % 2 == 1 { content.append(0) }
    return Array("RIFF".utf8) + number(content.count, 4) + content
  }

  /// The position of the sky in the image, which is stored at the top.
  @Test(
    arguments: ["sun.png", "sun.webp"],
    [(1, "above"), (3, "below"), (4, "below"), (6, "right"), (8, "left"), (9, "above")])
  func `other formats are rotated according to their metadata`(
    _ name: String, _ turn: (orientation: UInt8, sky: String)
  ) throws {
    for part in [Self.tiff(turn.orientation), Array("Exif\0\0".utf8) + Self.tiff(turn.orientation)]
    {
      try Self.expect(turn.sky, in: try Self.turned(name, part))
    }
  }

  /// Expects the red sky of the image on the given side.
  private static func expect(_ sky: String, in bytes: [UInt8]) throws {
    let isOnItsSide = ["left", "right"].contains(sky)
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 15, height: 15))
    request.output = .pixels
    let image = try process.decode(bytes, request)
    #expect(
      image.sourceSize == ImageSize(width: isOnItsSide ? 80 : 120, height: isOnItsSide ? 120 : 80))
    guard case .pixels(let pixels, let size) = image.content else {
      Issue.record("no pixels")
      return
    }
    let positions = [
      "above": (size.width / 2, 2), "below": (size.width / 2, size.height - 3),
      "left": (2, size.height / 2), "right": (size.width - 3, size.height / 2),
    ]
    let (x, y) = try #require(positions[sky])
    let color = pixels[((y * size.width + x) * 4)...].prefix(3).map(\.self)
    #expect(color[0] > 150 && color[2] < 100, "\(sky) \(color)")
  }

  @Test func `truncated or invalid metadata leaves PNG and WebP unchanged`() throws {
    for name in ["sun.png", "sun.webp"] {
      for part in [[], [0], Array(Self.tiff(6).prefix(20)), Array("Exif".utf8)] as [[UInt8]] {
        var request = ImageRequest(maxSizeInCells: ImageSize(width: 15, height: 15))
        request.output = .pixels
        let image = try Self.process.decode(try Self.turned(name, part), request)
        #expect(image.sourceSize == ImageSize(width: 120, height: 80))
      }
    }
  }

  /// Returns an AVIF with properties of its only item: counterclockwise quarter turns, followed by
  /// mirroring.
  private static func turnedAVIF(_ properties: [(name: String, value: UInt8)]) throws -> [UInt8] {
    var bytes = try Self.bytes("sun.avif")
    func grow(_ position: Int, by count: Int) {
      let value = bytes[position..<position + 4].reduce(0) { (sum: Int, byte) in
        sum << 8 | Int(byte)
      }
      bytes.replaceSubrange(
        position..<position + 4, with: Array(number(value + count, 4).reversed()))
    }
    var boxes: [UInt8] = []
    for (name, value) in properties { boxes += [0, 0, 0, 9] + Array(name.utf8) + [value] }
    let count = properties.count
    // The sizes of meta, iprp, ipco and ipma, and the offset of the image in meta. The ipma box has
    // four properties.
    for position in [28, 107, 156] { grow(position, by: boxes.count + count) }
    grow(164, by: boxes.count)
    grow(239, by: count)
    bytes[257] += UInt8(count)
    let positions: [UInt8] = (0..<count).map { index in 0x85 + UInt8(index) }
    bytes.insert(contentsOf: positions, at: 262)
    bytes.insert(contentsOf: boxes, at: 239)
    return bytes
  }

  @Test(
    arguments: [
      ([], "above"), ([("irot", 1)], "left"), ([("irot", 2)], "below"), ([("irot", 3)], "right"),
      ([("imir", 0)], "below"), ([("imir", 1)], "above"),
      ([("irot", 1), ("imir", 0)], "left"), ([("irot", 1), ("imir", 1)], "right"),
      ([("irot", 3), ("imir", 1)], "left"),
    ] as [([(String, UInt8)], String)])
  func `an AVIF is rotated and mirrored according to its properties`(
    _ turns: [(String, UInt8)], _ sky: String
  ) throws {
    try Self.expect(sky, in: try Self.turnedAVIF(turns))
  }

  /// Returns an animated WebP with two frames on a canvas, made from a still image.
  private static func moving(_ still: [UInt8], at position: (x: Int, y: Int), canvas: ImageSize)
    -> [UInt8]
  {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + number(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }
    let frame =
      number(position.x / 2, 3) + number(position.y / 2, 3) + number(119, 3) + number(79, 3)
      + number(100, 3) + [0] + still.dropFirst(12)
    let content =
      Array("WEBP".utf8)
      + chunk(
        "VP8X", [2, 0, 0, 0] + number(canvas.width - 1, 3) + number(canvas.height - 1, 3))
      + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + chunk("ANMF", frame) + chunk("ANMF", frame)
    return Array("RIFF".utf8) + number(content.count, 4) + content
  }

  @Test func `the first frame of an animated WebP is drawn at its position`() throws {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 20, height: 10))
    request.output = .pixels
    let bytes = Self.moving(
      try Self.bytes("sun.webp"), at: (40, 80), canvas: ImageSize(width: 160, height: 160))
    let image = try Self.process.decode(bytes, request)
    #expect(image.sourceSize == ImageSize(width: 160, height: 160))
    guard case .pixels(let pixels, let size) = image.content else {
      Issue.record("no pixels")
      return
    }
    #expect(size == image.sourceSize)
    let color = { (x: Int, y: Int) in Array(pixels[(y * 160 + x) * 4..<(y * 160 + x) * 4 + 4]) }
    #expect(color(10, 10)[3] == 0 && color(100, 70)[3] == 0)
    #expect(color(45, 84)[0] > 150 && color(45, 84)[3] == 255)
    #expect(color(45, 156)[2] > 150 && color(100, 120)[1] > 220)
    // A frame outside the canvas, a truncated one, and a canvas of the maximum size.
    let canvas = ImageSize(width: 160, height: 160)
    #expect(
      Self.failure(Self.moving(try Self.bytes("sun.webp"), at: (42, 80), canvas: canvas))
        == .damaged)
    for part in [60, 100, 400] { #expect(Self.failure(Array(bytes.prefix(part))) == .damaged) }
    let huge = ImageSize(width: 16000, height: 16000)
    #expect(
      Self.failure(Self.moving(try Self.bytes("sun.webp"), at: (0, 0), canvas: huge)) == .tooLarge)
    var random = SplitMix64(seed: 25)
    for _ in 0..<12 {
      var changed = bytes
      for _ in 0..<8 {
        changed[Int.random(in: 12..<bytes.count, using: &random)] = .random(
          in: 0...0xFF, using: &random)
      }
      let reason = Self.failure(changed)
      #expect(
        [nil, .damaged, .tooLarge, .unsupportedFormat].contains(reason),
        "\(String(describing: reason))")
    }
  }

  @Test func `symbols have the requested colours and a width of one column`() throws {
    let bytes = try Self.bytes("sun.png")
    for colors in [8, 16, 256, 1 << 24] {
      let image = try Self.process.decode(
        bytes, Self.request(.symbols(colorCount: colors, isASCII: false)))
      guard case .symbols(let symbols) = image.content else {
        Issue.record("no symbols")
        return
      }
      #expect(symbols.count == 75)
      #expect(symbols.contains { $0.colors.foreground >= 0 })
      #expect(
        symbols.allSatisfy { $0.character == " " || (0x2580...0x259F).contains($0.character.value) }
      )
    }
    for isDark in [true, false] {
      var request = Self.request(.symbols(colorCount: 0, isASCII: true))
      request.isDark = isDark
      guard case .symbols(let symbols) = try Self.process.decode(bytes, request).content else {
        Issue.record("no symbols")
        return
      }
      #expect(symbols.allSatisfy { $0.character.isASCII && $0.colors == ImageColors() })
      #expect(Set(symbols.map(\.character)).count > 3)
    }
  }

  @Test func `transparent pixels have the colour of the background`() throws {
    var request = Self.request(.symbols(colorCount: 1 << 24, isASCII: false))
    for isDark in [true, false] {
      request.isDark = isDark
      let image = try Self.process.decode(try Self.bytes("transparent.png"), request)
      guard case .symbols(let symbols) = image.content, let first = symbols.first else {
        Issue.record("no symbols")
        return
      }
      #expect(first.character == " " && first.colors.background == -1)
    }
  }

  @Test func `images of 20 000 by 20 000 pixels and GIFs of a billion pixels are too large`() throws
  {
    #expect(Self.failure(try Self.bytes("huge.png")) == .tooLarge)
    let wide: [UInt8] = [0xFF, 0x7F, 0xFF, 0x7F]
    let screen = Array("GIF89a".utf8) + wide + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame = [0x2C, 0, 0, 0, 0] + wide + [0, 2, 2, 0x84, 0x51, 0, 0x3B]
    #expect(Self.failure(screen + frame) == .tooLarge)
    // A small screen with a large image.
    var small = screen
    small.replaceSubrange(6..<10, with: [10, 0, 10, 0])
    #expect(Self.failure(small + frame) == .tooLarge)
    #expect(
      Self.failure([UInt8](repeating: 0, count: ImageProcess.maxInputLength + 1)) == .tooLarge)
  }

  @Test(arguments: ["sun.png", "sun.jpg", "progressive.jpg", "sun.gif", "sun.webp", "sun.avif"])
  func `a truncated file is reported as such`(_ name: String) throws {
    let bytes = try Self.bytes(name)
    for part in [bytes.count / 2, 40, 14] {
      #expect(Self.failure(Array(bytes.prefix(part))) == .damaged, "\(part)")
    }
  }

  @Test func `SVG, text, garbage and empty files are rejected with a reason`() throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">
      ]><svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><text>&b;</text></svg>
      """
    #expect(Self.failure(Array(bomb.utf8)) == .svg)
    #expect(Self.failure(Array("<!DOCTYPE html><p>Not found".utf8)) == .text)
    #expect(Self.failure([]) == .empty)
    var random = SplitMix64(seed: 23)
    #expect(
      Self.failure((0..<5000).map { _ in UInt8.random(in: 0...0xFF, using: &random) })
        == .unsupportedFormat)
  }

  @Test(arguments: ["sun.png", "sun.jpg", "sun.gif", "sun.webp", "sun.avif"])
  func `any altered file gives an image or a reason`(
    _ name: String
  ) throws {
    let bytes = try Self.bytes(name)
    var random = SplitMix64(seed: 24)
    for _ in 0..<12 {
      var changed = bytes
      for _ in 0..<20 {
        changed[Int.random(in: 12..<bytes.count, using: &random)] = .random(
          in: 0...0xFF, using: &random)
      }
      let reason = Self.failure(changed)
      let expected: [ImageFailure?] = [
        nil, .damaged, .tooLarge, .unsupportedFormat, .unsupportedAnimation,
      ]
      #expect(expected.contains(reason), "\(String(describing: reason))")
    }
  }

  @Test func `the decoding process accepts no other arguments, and needs input`() throws {
    for arguments in [[], ["15x5"], ["15x5", "8x16", "keep", "dark", "pixels", "more"]] {
      let result = try Program.run(Program.offread, [DecoderProgram.imageArgument] + arguments)
      #expect(result.status == 2 && result.output.isEmpty)
    }
    let arguments = Self.request(.pixels).arguments
    let result = try Program.run(Program.offread, [DecoderProgram.imageArgument] + arguments)
    #expect(result.status == ImageFailure.unsupportedFormat.status && result.output.isEmpty)
  }

  // MARK: Pages

  private func page(_ sandbox: Sandbox, _ name: String = "sun.png") throws -> String {
    let image = Self.directory.appendingPathComponent(name)
    let copy = URL(fileURLWithPath: try sandbox.file("p.html", "")).deletingLastPathComponent()
      .appendingPathComponent(name)
    if !FileManager.default.fileExists(atPath: copy.path) {
      try FileManager.default.copyItem(at: image, to: copy)
    }
    return try sandbox.file(
      "p.html", "<p>Before<p><img src=\(name) alt=\"A sun\" width=120 height=80><p>After")
  }

  @Test func `dump draws images if requested`() throws {
    let sandbox = try Sandbox()
    let page = try page(sandbox)
    let text = try sandbox.offread("dump", page)
    #expect(text.text == "Before\n\n▣ A sun  120×80\n\nAfter\n")
    let drawn = try sandbox.offread("dump", "--images", "symbols", page)
    #expect(drawn.status == 0 && drawn.errorText == "")
    let lines = drawn.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "Before" && lines.suffix(3) == ["", "After", ""])
    #expect(
      lines.count == text.text.split(separator: "\n", omittingEmptySubsequences: false).count + 5)
    #expect(drawn.text.unicodeScalars.contains { (0x2580...0x259F).contains($0.value) })
    #expect(!drawn.text.contains("\u{1B}"))
    let colored = try sandbox.offread(
      "dump", "--images", "symbols", "--format", "ansi", "--color", "always", page)
    #expect(
      colored.text.contains("\u{1B}[38;5;") || colored.text.contains("\u{1B}[38;2;")
        || colored.text.contains(";4"))
    let refused = try sandbox.offread("dump", "--images", "symbols", "--format", "json", page)
    #expect(refused.status == 2 && refused.errorText.contains("requires --format text or ansi"))
  }

  @Test func `an image that cannot be drawn is replaced by its text and a reason`() throws {
    let sandbox = try Sandbox()
    let dump = try sandbox.offread("dump", "--images", "symbols", try page(sandbox, "huge.png"))
    #expect(dump.status == 0)
    #expect(dump.text.contains("▣ A sun  120×80\nnot drawn: too large\n"))
  }

  @Test func `web images are loaded when drawn, and saved ones offline`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let html = [("Content-Type", "text/html")]
    server.on(
      "/", .response(html, text: "<p>Before<p><img src=/sun.png alt=\"A sun\" width=120 height=80>")
    )
    server.on(
      "/sun.png",
      .response([("Content-Type", "image/png")], body: try Self.bytes("sun.png")))
    _ = try sandbox.offread("dump", server.url + "/")
    #expect(server.requests.map(\.target) == ["/"])
    let drawn = try sandbox.offread("dump", "--images", "symbols", server.url + "/")
    #expect(drawn.text.unicodeScalars.contains { (0x2580...0x259F).contains($0.value) })
    #expect(server.requests.map(\.target).contains("/sun.png"))
    server.stop()
    let offline = try sandbox.offread("--offline", "dump", "--images", "symbols", server.url + "/")
    #expect(offline.text == drawn.text)
  }

  @Test func `images in books, archives and saved pages are drawn`() throws {
    let sandbox = try Sandbox()
    let image = try Self.bytes("sun.png")
    let html = "<p>Before<p><img src=sun.png alt=\"A sun\" width=120 height=80><p>After"
    var zip = ZIPBytes()
    zip.add("index.html", html)
    zip.add("sun.png", image)
    var book = ZIPBytes()
    book.add("mimetype", "application/epub+zip")
    book.add(
      "META-INF/container.xml",
      """
      <?xml version="1.0"?><container><rootfiles><rootfile full-path="b.opf" \
      media-type="application/oebps-package+xml"/></rootfiles></container>
      """)
    book.add(
      "b.opf",
      """
      <package version="3.0"><metadata><dc:title>B</dc:title></metadata><manifest>\
      <item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>\
      <item id="sun" href="sun.png" media-type="image/png"/>\
      </manifest><spine><itemref idref="one"/></spine></package>
      """)
    book.add("one.xhtml", "<html><body>\(html)</p></body></html>")
    book.add("sun.png", image)
    let message = """
      Content-Type: multipart/related; type="text/html"; boundary="b"

      --b
      Content-Type: text/html
      Content-Location: https://a.test/page.html

      \(html)
      --b
      Content-Type: image/png
      Content-Location: https://a.test/sun.png
      Content-Transfer-Encoding: base64

      \(Data(image).base64EncodedString())
      --b--
      """
    for (name, bytes, inner) in [
      ("s.zip", zip.bytes, ""), ("b.epub", book.bytes, "/one.xhtml"),
      ("m.mhtml", Array(message.utf8), ""),
    ] {
      let path = sandbox.directory.appendingPathComponent(name)
      try Data(bytes).write(to: path)
      let dump = try sandbox.offread("--offline", "dump", "--images", "symbols", path.path + inner)
      #expect(dump.status == 0 && dump.text.contains("Before"), "\(name): \(dump.errorText)")
      #expect(dump.text.unicodeScalars.contains { (0x2580...0x259F).contains($0.value) }, "\(name)")
    }
  }

  @Test func `images in a table are drawn within their cells`() throws {
    let sandbox = try Sandbox()
    _ = try page(sandbox)
    let image = "<img src=sun.png alt=\"A sun\" width=120 height=80>"
    let table = try sandbox.file(
      "t.html",
      "<table><tr><th>Look<th>Name<th>Again<tr><td>\(image)<td>Sun<td>\(image)"
        + "<tr><td><img src=no.png alt=No width=120 height=80><td>None<td>\(image)</table><p>After")
    let content = try sandbox.offread("dump", table)
    let drawn = try sandbox.offread("dump", "--images", "symbols", table)
    let ansi = try sandbox.offread(
      "dump", "--images", "symbols", "--format", "ansi", "--color", "always", table)
    var plain = ansi.text
    while let start = plain.range(of: "\u{1B}["),
      let end = plain[start.upperBound...].firstIndex(of: "m")
    {
      plain.removeSubrange(start.lowerBound...end)
    }
    for text in [drawn.text, plain] {
      let rows = text.split(separator: "\n").filter { $0.hasPrefix("│") || $0.hasPrefix("┌") }
      #expect(Set(rows.map(\.count)).count == 1, "\(text)")
      #expect(rows.filter { $0.hasPrefix("│") }.allSatisfy { $0.filter { $0 == "│" }.count == 4 })
      #expect(rows.contains { $0.contains("not drawn: no ") })
      #expect(text.hasSuffix("After\n") && rows.count == 1 + 1 + 6 + 6)
    }
    #expect(content.text.contains("▣ A sun  120×80"))
    #expect(drawn.text.unicodeScalars.count { (0x2580...0x259F).contains($0.value) } > 30)
  }
}
