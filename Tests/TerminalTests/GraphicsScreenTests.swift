import Images
import Testing

@testable import Terminal

/// The sequences written to a terminal for images over blank cells.
@Suite struct GraphicsScreenTests {
  /// Creates an image of a single colour, with 2 by 6 pixels per cell.
  private static func image(columns: Int, rows: Int, _ shade: UInt8 = 9) -> DecodedImage {
    let size = ImageSize(width: columns * 2, height: rows * 6)
    let pixel: [UInt8] = [shade, 0, 0, 255]
    let pixels = Array(repeatElement(pixel, count: size.width * size.height).joined())
    return DecodedImage(
      sourceSize: size, cells: ImageSize(width: columns, height: rows),
      content: .pixels(pixels, size))
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
  }

  @Test func `kitty receives an image once, and only its visible rows are placed`() {
    var screen = GraphicsScreen()
    let image = Self.image(columns: 3, rows: 4)
    let first = Self.text(
      screen.show(
        [
          Graphic(image, firstRow: 5, firstColumn: 2, visibleRows: 1..<20, graphicsProtocol: .kitty)
        ], writtenRows: []))
    #expect(first.hasPrefix("^_Ga=t,f=32,q=2,i=1,s=6,v=24,m=0;CQAA/wkAAP8"))
    #expect(first.hasSuffix("^\\^[6;3H^_Ga=p,q=2,C=1,i=1,p=1,x=0,y=0,w=6,h=24,c=3,r=4^\\"))
    // Two rows are above the screen.
    let moved = Self.text(
      screen.show(
        [
          Graphic(
            image, firstRow: -1, firstColumn: 2, visibleRows: 1..<20, graphicsProtocol: .kitty)
        ], writtenRows: []))
    #expect(moved == "^[2;3H^_Ga=p,q=2,C=1,i=1,p=1,x=0,y=12,w=6,h=12,c=3,r=2^\\")
    let same = [
      Graphic(image, firstRow: -1, firstColumn: 2, visibleRows: 1..<20, graphicsProtocol: .kitty)
    ]
    #expect(screen.show(same, writtenRows: []).isEmpty)
    #expect(Self.text(screen.show([], writtenRows: [])) == "^_Ga=d,d=i,q=2,i=1,p=1^\\")
    #expect(Self.text(screen.reset()) == "^_Ga=d,d=A,q=2^\\")
    #expect(screen.reset().isEmpty)
  }

  @Test func `a new image reuses the position of a removed one`() {
    var screen = GraphicsScreen()
    let images = [Self.image(columns: 1, rows: 1, 1), Self.image(columns: 1, rows: 1, 2)]
    func graphic(_ index: Int) -> Graphic {
      Graphic(
        images[index], firstRow: 1, firstColumn: 0, visibleRows: 0..<9, graphicsProtocol: .kitty)
    }
    _ = screen.show([graphic(0)], writtenRows: [])
    let second = Self.text(screen.show([graphic(1)], writtenRows: []))
    #expect(second.hasPrefix("^_Ga=d,d=i,q=2,i=1,p=1^\\^_Ga=t,f=32,q=2,i=2,"))
    // The terminal still has it.
    #expect(!Self.text(screen.show([graphic(0)], writtenRows: [])).contains("a=t"))
  }

  @Test func `a long image is sent in chunks`() {
    var screen = GraphicsScreen()
    let image = Self.image(columns: 20, rows: 10)
    let text = Self.text(
      screen.show(
        [
          Graphic(image, firstRow: 0, firstColumn: 0, visibleRows: 0..<20, graphicsProtocol: .kitty)
        ], writtenRows: []))
    let pieces = text.split(separator: "^_G").filter { !$0.hasPrefix("a=p") }
    #expect(pieces.count == 4 && pieces[1].hasPrefix("m=1;") && pieces[3].hasPrefix("m=0;"))
    #expect(pieces.allSatisfy { $0.utf8.count < 4200 })
  }

  @Test func `the number of images in the terminal is bounded`() {
    var screen = GraphicsScreen()
    var (sent, dropped) = (0, 0)
    for shade in 0..<60 {
      let image = Self.image(columns: 1, rows: 1, UInt8(shade))
      let text = Self.text(
        screen.show(
          [
            Graphic(
              image, firstRow: 0, firstColumn: 0, visibleRows: 0..<20, graphicsProtocol: .kitty)
          ], writtenRows: []))
      sent += text.contains("a=t") ? 1 : 0
      dropped += text.contains("d=I") ? 1 : 0
    }
    #expect(sent == 60 && sent - dropped <= 24)
  }

  @Test func `sixels are drawn in their own rows and erased by overwriting`() {
    var screen = GraphicsScreen()
    let image = Self.image(columns: 2, rows: 3)
    let graphic = Graphic(
      image, firstRow: -1, firstColumn: 4, visibleRows: 0..<20, graphicsProtocol: .sixel(colors: 16)
    )
    #expect(screen.rowsToRewrite(for: [graphic], changedRows: [0, 7]).isEmpty)
    let text = Self.text(screen.show([graphic], writtenRows: [0, 7]))
    #expect(text == "^[1;5H^P0;1q\"1;1;4;12#0;2;3;0;0#0!4~$-#0!4~$-^\\")
    #expect(screen.rowsToRewrite(for: [graphic], changedRows: []).isEmpty)
    #expect(screen.show([graphic], writtenRows: []).isEmpty)
    let below = Graphic(
      image, firstRow: 2, firstColumn: 4, visibleRows: 0..<20, graphicsProtocol: .sixel(colors: 16))
    #expect(screen.rowsToRewrite(for: [below], changedRows: [9]) == [0, 1, 9])
    #expect(Self.text(screen.show([below], writtenRows: [0, 1, 9])).hasPrefix("^[3;5H^P"))
  }

  @Test func `sixels are redrawn when text is written next to them`() {
    var screen = GraphicsScreen()
    let graphic = Graphic(
      Self.image(columns: 2, rows: 3), firstRow: 4, firstColumn: 4, visibleRows: 0..<20,
      graphicsProtocol: .sixel(colors: 16))
    _ = screen.show([graphic], writtenRows: [])
    #expect(screen.rowsToRewrite(for: [graphic], changedRows: [5]) == [5])
    #expect(Self.text(screen.show([graphic], writtenRows: [5])).hasPrefix("^[5;5H^P"))
    #expect(screen.show([graphic], writtenRows: [3, 7]).isEmpty)
  }

  @Test func `while images are shown, changed rows are rewritten completely`() {
    for by in [GraphicsProtocol.kitty, .sixel(colors: 16)] {
      var screen = GraphicsScreen()
      let graphic = Graphic(
        Self.image(columns: 2, rows: 3), firstRow: 4, firstColumn: 4, visibleRows: 0..<20,
        graphicsProtocol: by)
      _ = screen.show([graphic], writtenRows: [])
      #expect(screen.rowsToRewrite(for: [graphic], changedRows: [1, 2, 9]) == [1, 2, 9])
      _ = screen.show([], writtenRows: [])
      #expect(screen.rowsToRewrite(for: [], changedRows: [1, 2, 9]).isEmpty)
    }
  }

  @Test func `an image covered by something else is not drawn`() {
    var frame = Frame(size: Size(columns: 10, rows: 5))
    let image = Self.image(columns: 3, rows: 2)
    frame.put(
      Graphic(image, firstRow: 1, firstColumn: 2, visibleRows: 0..<5, graphicsProtocol: .kitty))
    #expect(frame.visibleGraphics.count == 1)
    frame.put("x", row: 2, column: 4, style: CellStyle())
    #expect(frame.visibleGraphics.isEmpty)
    var narrow = Frame(size: Size(columns: 4, rows: 5))
    narrow.put(
      Graphic(image, firstRow: 1, firstColumn: 2, visibleRows: 0..<5, graphicsProtocol: .kitty))
    narrow.put(
      Graphic(image, firstRow: 9, firstColumn: 0, visibleRows: 0..<5, graphicsProtocol: .kitty))
    #expect(narrow.visibleGraphics.isEmpty)
  }

  @Test(
    arguments: [
      (["TERM": "xterm-256color"], true), (["TERM": "xterm-kitty"], true),
      (["TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"], false),
      (["TERM": "xterm", "STY": "123.pts-0"], false), (["TERM": "screen-256color"], false),
      (["TERM": "tmux-256color"], false),
    ] as [([String: String], Bool)])
  func `graphics support is not queried under a multiplexer`(
    _ environment: [String: String], _ expected: Bool
  ) {
    #expect(TerminalReply.canBeQueried(environment) == expected)
  }

  @Test func `sixels next to a removed one are redrawn, and others are not`() {
    var screen = GraphicsScreen()
    func graphic(_ shade: UInt8, _ row: Int, _ column: Int) -> Graphic {
      Graphic(
        Self.image(columns: 2, rows: 2, shade), firstRow: row, firstColumn: column,
        visibleRows: 0..<20,
        graphicsProtocol: .sixel(colors: 16))
    }
    let (left, right, below) = (graphic(9, 1, 0), graphic(200, 2, 4), graphic(90, 8, 0))
    _ = screen.show([left, right, below], writtenRows: [])
    let rewritten = screen.rowsToRewrite(for: [right, below], changedRows: [])
    #expect(rewritten == [1, 2])
    let text = Self.text(screen.show([right, below], writtenRows: rewritten))
    #expect(text.hasPrefix("^[3;5H^P0;1q") && text.ranges(of: "^P").count == 1)
    #expect(screen.show([right, below], writtenRows: []).isEmpty)
  }
}
