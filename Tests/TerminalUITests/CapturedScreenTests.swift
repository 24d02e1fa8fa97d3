import ScreenPicture
import TestSupport
import Testing
@testable import Terminal

@Suite struct CapturedScreenTests {
  private static let esc = "\u{1B}"

  @Test func `a capture consists of cells with positions and attributes`() {
    let screen = CapturedScreen("a\(Self.esc)[1;4mb世\(Self.esc)[0mc\n\(Self.esc)[7md\ne\n\n")
    #expect(screen.rows.map { $0.map(\.text) } == [["a", "b", "世", "c"], ["d"], ["e"]])
    #expect(screen.rows[0].map(\.column) == [0, 1, 2, 4])
    #expect(screen.rows[0].map(\.width) == [1, 1, 2, 1])
    #expect(screen.rows[0].map(\.style.isBold) == [false, true, true, false])
    #expect(screen.rows[0].map(\.style.isUnderlined) == [false, true, true, false])
    // Attributes apply until they are changed, across line ends.
    #expect(screen.rows[1][0].style.isReversed && screen.rows[2][0].style.isReversed)
  }

  @Test(
    arguments: [
      ("31", .indexed(1), nil), ("97", .indexed(15), nil), ("38;5;200", .indexed(200), nil),
      ("38;2;1;2;3", .rgb(1, 2, 3), nil), ("38:2:1:2:3", .rgb(1, 2, 3), nil),
      ("42", nil, .indexed(2)), ("107", nil, .indexed(15)),
      ("48;2;255;0;9;31", .indexed(1), .rgb(255, 0, 9)), ("31;39", nil, nil),
      ("38;5;256", nil, nil),
      ("38;2;1;2", nil, nil), ("38", nil, nil), ("999999999999999999999", nil, nil), ("", nil, nil),
    ] as [(String, CapturedScreen.Color?, CapturedScreen.Color?)])
  func `colours are parsed`(
    parameters: String, foreground: CapturedScreen.Color?, background: CapturedScreen.Color?
  ) {
    let cell = CapturedScreen("\(Self.esc)[\(parameters)mx").rows[0][0]
    #expect(cell.style.foreground == foreground && cell.style.background == background)
  }

  @Test func `an SVG image has each character at its position with its attributes`() {
    let screen = CapturedScreen("a \(Self.esc)[1;31mb<&\(Self.esc)[0;44m \(Self.esc)[0mc\nd")
    let svg = screen.svg(columns: 6, rows: 1, isDark: true)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains(">a</text>"))
    #expect(svg.contains("fill=\"#cc0000\" font-weight=\"bold\">b&lt;&amp;</text>"))
    // A blank with a background is drawn. Characters outside the size are not.
    #expect(svg.contains("fill=\"#3465a4\"") && !svg.contains(">d</text>"))
    #expect(svg != screen.svg(columns: 6, rows: 1, isDark: false))
  }

  @Test func `a word, or a run of one character, is drawn as a single element`() {
    let svg = CapturedScreen("ab cd──é世").svg(columns: 20, rows: 1, isDark: true)
    let pieces = [
      "<text x=\"12\" y=\"26.6\">ab", "<tspan x=\"40.9\">cd", "<tspan x=\"60.2\">──",
      "<tspan x=\"79.4\">é", "<tspan x=\"89\">世",
    ]
    #expect(svg.contains(pieces.joined(separator: "</tspan>").replacing("ab</tspan>", with: "ab")))
  }

  @Test func `a recording draws each distinct row once, and shows it at its time`() {
    let recording = ScreenRecording("\u{1E}1000\none\ntwo\n\u{1E}3000 0 1\none\nthree\n\u{1E}x\n")
    #expect(recording.frames.map(\.duration) == [1000, 3000])
    #expect(recording.frames[1].screen.rows[1].map(\.style.isReversed).prefix(2) == [true, false])
    let svg = recording.svg(columns: 20, rows: 5, isDark: false)
    #expect(svg.split(separator: ">one<").count == 2)
    #expect(svg.contains("g{animation:4000ms step-end infinite}"))
    // The last screen stays visible.
    #expect(svg.contains(".a1{visibility:hidden;") && svg.contains(".a2{visibility:visible;"))
    #expect(svg.contains("@keyframes a1{0%{visibility:visible}25%{visibility:hidden}}"))
    #expect(svg.contains("@keyframes a2{0%{visibility:hidden}25%{visibility:visible}}"))
    #expect(ScreenRecording("").svg(columns: 2, rows: 2, isDark: true).hasSuffix("</svg>\n"))
  }

  @Test func `random input gives an image without control characters`() {
    var random = SplitMix64(seed: 22)
    let pieces = [
      "\u{1B}", "[", "m", ";", "38", "2", "5", "x", "\n", "\u{9B}", "\u{7F}", "é", "世", ":",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &random)]
      }.joined()
      let screen = CapturedScreen(text, limit: 20)
      #expect(screen.rows.count <= 20 && screen.rows.allSatisfy { $0.count <= 20 })
      let svg = screen.svg(columns: 20, rows: 20, isDark: false)
      #expect(
        svg.unicodeScalars.allSatisfy {
          $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value)
        })
    }
  }
}
