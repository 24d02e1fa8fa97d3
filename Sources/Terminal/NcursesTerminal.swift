import Platform
import CNcurses
import Foundation
package import Images
package import Layout

/// The terminal by way of ncurses: the only file that imports it.
///
/// ncurses writes the screen and knows what the terminal can do; keys are read as bytes and decoded
/// by `InputDecoder`. The main thread owns it.
@MainActor package final class NcursesTerminal {
  /// Where keys come from: standard input, or the terminal itself when that is something else.
  package let input: Int32
  /// Where the screen goes.
  package let output: Int32
  /// What this terminal sends for keys.
  package let keys: [[UInt8]: Key]
  /// The characters that it takes.
  package let charset: TerminalCharset

  private var takesMouse: Bool
  private let emojiSequences = EmojiSequences(environment: ProcessInfo.processInfo.environment)
  private let depth: ColorDepth
  private var shown: Frame?
  private var shownTheme: Theme?
  private var shownTitle: String?
  private var looks: [CellStyle: (attributes: attr_t, pair: Int32)] = [:]
  private var pairs: [CellPair: Int32] = [:]
  private var isDrawing = true
  /// What begins and ends that the reader orders text in a terminal that would do it itself.
  private var bidiModes = (begin: "", end: "")
  private var graphics = GraphicsScreen()

  private struct CellPair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// Whether the program has a terminal that it can draw on and read keys from.
  package static var isUsable: Bool {
    guard isatty(STDOUT_FILENO) == 1, let term = getenv("TERM").map({ String(cString: $0) }),
      !term.isEmpty, term != "dumb", term != "unknown", offread_can_draw(STDOUT_FILENO) == 1
    else { return false }
    if isatty(STDIN_FILENO) == 1 { return true }
    let tty = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard tty >= 0 else { return false }
    _ = Platform.close(tty)
    return true
  }

  /// Takes over the terminal; nil when it cannot be drawn on.
  /// - Parameters:
  ///   - hasColors: whether there are to be colours; nil leaves it to the environment.
  ///   - takesMouse: whether the mouse is for the program.
  ///   - wake: the end of a pipe into which signals are written as bytes.
  package init?(hasColors: Bool?, takesMouse: Bool, wake: Int32) {
    charset = Self.chooseCharset()
    self.takesMouse = takesMouse
    output = STDOUT_FILENO
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard input >= 0 else { return nil }
    offread_catch_signals(wake, input)
    guard let outputFile = fdopen(output, "w"), let inputFile = fdopen(input, "r"),
      Self.openScreen(outputFile, inputFile, hasColors)
    else {
      offread_release_signals()
      return nil
    }
    raw()
    noecho()
    nonl()
    offread_enable_keypad()
    depth = Self.startColors(hasColors)
    keys = Self.keySequences()
    arm()
    send(beginModes)
  }

  /// Says what is written when a signal ends the program.
  private func arm() {
    let restore = endModes + Self.capabilities(["sgr0", "rmkx", "rmcup", "cnorm"])
    restore.withUnsafeBytes {
      offread_arm($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
  }

  /// The size as the terminal has it now.
  package var size: Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Asks for the colour of the background; the answer, if any, comes among the keys.
  /// - Returns: whether this kind of terminal is asked at all.
  package func askBackground() -> Bool {
    guard !isPlainTerminal else { return false }
    send("\u{1B}]11;?\u{1B}\\")
    return true
  }

  /// Asks for the graphics that it has; the answers, if any, come among the keys.
  /// - Returns: whether it is asked.
  package func askGraphics() -> Bool {
    let environment = ProcessInfo.processInfo.environment
    guard !isPlainTerminal, TerminalAnswer.mayBeAsked(environment) else { return false }
    send(TerminalAnswer.question(environment))
    return true
  }

  /// A cell in pixels, as the system knows it; nil when it does not. Terminals count their borders in: less than a
  /// pixel for each cell.
  package var cell: ImageSize? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return TerminalAnswer.cell(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
  }

  /// Whether this kind of terminal knows no operating system commands (OSC).
  private let isPlainTerminal: Bool = {
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    let mute = ["linux", "vt", "ansi", "cons", "dumb", "sun", "wsvt"]
    return mute.contains(where: term.hasPrefix)
  }()

  private var hasTitle: Bool { !isPlainTerminal }

  /// Whether the terminal may have a clipboard that a program can write.
  package var hasClipboard: Bool { !isPlainTerminal }

  /// How many colours it is given.
  package var colors: Int { depth.rawValue }

  /// Gives text to the terminal's clipboard.
  package func writeClipboard(_ text: String) {
    guard hasClipboard else { return }
    let multiplexer = ClipboardSequence.Multiplexer(ProcessInfo.processInfo.environment)
    send(ClipboardSequence.bytes(for: text, through: multiplexer))
  }

  // MARK: Drawing

  /// Shows a frame; only rows that differ from the last one are given to ncurses, which writes only
  /// the cells that differ on the screen.
  package func present(_ frame: Frame, theme: Theme, title: String) {
    guard isDrawing else { return }
    if title != shownTitle, hasTitle {
      shownTitle = title
      send("\u{1B}]2;\(title)\u{1B}\\")
    }
    if theme != shownTheme {
      looks = [:]
      shownTheme = theme
      shown = nil
    }
    guard frame != shown else { return }
    if pairs.count > offread_most_pairs() / 2 { forgetPairs() }
    let visible = frame.visibleGraphics
    let changed = Set((0..<frame.size.rows).filter { !isShown(row: $0, of: frame) })
    let rewritten = graphics.rowsToRewrite(for: visible, changed: changed)
    for row in rewritten { offread_rewrite(Int32(row), 1) }
    let cursors = [frame.cursor, shown?.cursor].compactMap(\.self)
    // Where the cursor moves within a row ncurses may write again what it has there.
    let written = changed.union(rewritten).union(cursors.filter { $0.column > 0 }.map(\.row))
    var placed: [PlacedCell] = []
    for row in written.union(cursors.map(\.row)).sorted() where row < frame.size.rows {
      draw(row: row, of: frame, theme: theme, &placed)
    }
    curs_set(frame.isCursorVisible ? 1 : 0)
    CNcurses.move(Int32(frame.cursor.row), Int32(frame.cursor.column))
    refresh()
    place(placed, of: frame)
    draw(visible, of: frame, written: written)
    shown = frame
  }

  private func isShown(row: Int, of frame: Frame) -> Bool {
    guard let shown, shown.size == frame.size else { return false }
    let range = row * frame.size.columns..<(row + 1) * frame.size.columns
    return shown.cells[range] == frame.cells[range]
  }

  /// What ncurses would count otherwise than the terminal.
  private struct PlacedCell {
    var row: Int, column: Int
    var text: String
    /// The columns that are blank before it is written, so that nothing is left of what was there.
    var blanks = 0
    /// More of the same may follow at once.
    var isShaped = false
    var look: (attributes: attr_t, pair: Int32)

    /// Whether a cell continues this one. Words of one script are written as one, so that a terminal that draws
    /// them narrower leaves its blank behind them.
    func isFollowed(by next: PlacedCell) -> Bool {
      isShaped && next.isShaped && next.row == row && next.column == column + blanks
        && next.look == look
    }
  }

  /// Draws a row; what ncurses counts wrongly goes to `placed`, and something as wide into its cells.
  private func draw(row: Int, of frame: Frame, theme: Theme, _ placed: inout [PlacedCell]) {
    for column in 0..<frame.size.columns {
      let cell = frame[row, column]
      guard cell.width > 0 else { continue }
      let look = look(of: cell.style, theme: theme)
      var shown = charset.cell(cell.text, width: Int(cell.width))
      if let text = TerminalText.placed(shown, by: frame.widths, columns: offread_columns) {
        placed.append(PlacedCell(row: row, column: column, text: text, look: look))
        shown = TerminalText.placeholder
      } else if let text = sequence(shown) {
        let cell = PlacedCell(
          row: row, column: column, text: text.text, blanks: Int(cell.width),
          isShaped: text.isShaped, look: look)
        if let last = placed.last, last.isFollowed(by: cell) {
          placed[placed.count - 1].text += cell.text
          placed[placed.count - 1].blanks += cell.blanks
        } else {
          placed.append(cell)
        }
        shown = TerminalText.placeholder(columns: cell.blanks)
      }
      let parts = TerminalText.parts(
        of: shown, width: Int(cell.width), columns: { offread_columns($0) })
      for (offset, text) in parts {
        text.withUnsafeBufferPointer {
          offread_put(
            Int32(row), Int32(column + offset), $0.baseAddress, look.attributes, look.pair)
        }
      }
    }
  }

  /// What is written past ncurses where terminals disagree about columns; nil for what none disagrees about.
  private func sequence(_ cluster: String) -> (text: String, isShaped: Bool)? {
    guard charset == .utf8, cluster.utf8.count > 2 else { return nil }
    if TerminalText.isShaped(cluster) { return (cluster, true) }
    return emojiSequences.text(of: cluster).map { ($0, false) }
  }

  /// Writes clusters over what ncurses has in their cells. Each is at a place of its own, so what
  /// stands behind it is where it should be, however wide the terminal makes it. ncurses notices
  /// nothing: it keeps the account of the attributes, and the cursor goes back to where it was.
  private func place(_ cells: [PlacedCell], of frame: Frame) {
    guard !cells.isEmpty else { return }
    var output: [UInt8] = []
    for cell in cells {
      let place = Self.sequence(toRow: cell.row, cell.column, cell.look)
      if cell.blanks > 0 { output += place + [UInt8](repeating: 0x20, count: cell.blanks) }
      output += place + cell.text.utf8
    }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    output += Self.sequence(toRow: frame.cursor.row, frame.cursor.column, plain)
    send(output)
  }

  /// Draws images over the cells that ncurses has written as blanks.
  private func draw(_ visible: [Graphic], of frame: Frame, written: Set<Int>) {
    let output = graphics.show(visible, written: written)
    guard !output.isEmpty else { return }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    send(output + Self.sequence(toRow: frame.cursor.row, frame.cursor.column, plain))
  }

  /// What moves the cursor to a place and gives what follows a look.
  private static func sequence(
    toRow row: Int, _ column: Int, _ look: (attributes: attr_t, pair: Int32)
  ) -> [UInt8] {
    offread_place(Int32(row), Int32(column), look.attributes, look.pair)
      .map { Array(String(cString: $0).utf8) } ?? []
  }

  private func look(of style: CellStyle, theme: Theme) -> (attributes: attr_t, pair: Int32) {
    if let known = looks[style] { return known }
    let appearance = CellAppearance(style, theme: theme, depth: depth)
    func has(_ attribute: Theme.Attributes) -> Int32 {
      appearance.attributes.contains(attribute) ? 1 : 0
    }
    let attributes = offread_attributes(
      has(.bold), has(.italic), has(.underline), has(.reverse), has(.dim))
    let look = (attributes, pair(appearance))
    looks[style] = look
    return look
  }

  private func pair(_ appearance: CellAppearance) -> Int32 {
    let key = CellPair(
      foreground: Self.number(appearance.foreground), background: Self.number(appearance.background)
    )
    guard depth != .none, key != CellPair(foreground: -1, background: -1) else { return 0 }
    if let known = pairs[key] { return known }
    let pair = max(0, alloc_pair(key.foreground, key.background))
    pairs[key] = pair
    return pair
  }

  /// Begins to count pairs of colours again: images have many, and there is an end to their number.
  private func forgetPairs() {
    reset_color_pairs()
    pairs = [:]
    looks = [:]
    shown = nil
  }

  private static func number(_ color: TerminalColor) -> Int32 {
    switch color {
    case .standard: -1
    case .indexed(let index): Int32(index)
    case .rgb(let red, let green, let blue):
      // 0 to 15 are the palette's own.
      max(16, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
    }
  }

  /// Draws everything again, whatever the terminal shows now.
  package func redraw() {
    offread_redraw()
    shown = nil
    send(graphics.end())
  }

  /// Takes notice of a new size.
  package func resize(to size: Size) {
    resizeterm(Int32(size.rows), Int32(size.columns))
    shown = nil
    if !graphics.shown.isEmpty { redraw() }
  }

  // MARK: Leaving and coming back

  /// Stops the job until the shell continues it.
  /// - Parameter stopOthers: stops all of it but this process.
  package func suspend(_ stopOthers: () -> Void) {
    leave()
    Self.stop(input, stopOthers)
    comeBack()
  }

  /// Stops the job until the shell continues it and gives it the terminal.
  /// - Parameters:
  ///   - terminal: its descriptor.
  ///   - stopOthers: stops all of it but this process.
  package static func stop(_ terminal: Int32, _ stopOthers: () -> Void) {
    signal(SIGTSTP, SIG_IGN)
    stopOthers()
    offread_stop_here()
    // Who is continued behind the shell stops here once more.
    TerminalModes(of: terminal)?.set(of: terminal)
  }

  /// Lets another program have the terminal while something is done.
  package func lend(_ work: () -> Void) {
    leave()
    work()
    comeBack()
  }

  /// Takes the terminal over again after something else had it.
  package func comeBack() {
    isDrawing = true
    reset_prog_mode()
    offread_rearm()
    send(beginModes)
    redraw()
    refresh()
  }

  /// Puts the terminal back as it was found, after a short wait for an answer that is expected.
  package func close(discardsAnswer: Bool) {
    if discardsAnswer {
      var polled = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, 50) > 0 {
        var bytes = [UInt8](repeating: 0, count: 256)
        _ = read(input, &bytes, bytes.count)
      }
    }
    leave()
    offread_release_signals()
  }

  private func leave() {
    guard isDrawing else { return }
    isDrawing = false
    def_prog_mode()
    send(graphics.end())
    send(endModes)
    shownTitle = nil
    curs_set(1)
    endwin()
    offread_disarm()
  }

  private var beginModes: [UInt8] {
    // Saves the window title; saves the meta mode and makes Meta send Escape (xterm does so only on request); turns
    // on bracketed paste and mouse reports in the SGR encoding.
    Array(
      ((hasTitle ? "\u{1B}[22;2t\u{1B}[?1036s\u{1B}[?1036h" : "") + "\u{1B}[?2004h"
        + (takesMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "") + bidiModes.begin).utf8)
  }

  private var endModes: [UInt8] {
    Array(
      ("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l" + bidiModes.end
        + (hasTitle ? "\u{1B}[?1036r\u{1B}[23;2t" : "")).utf8)
  }

  /// Turns mouse reports on or off.
  package func use(mouse isTaken: Bool) {
    guard isTaken != takesMouse else { return }
    takesMouse = isTaken
    let end = isTaken ? "h" : "l"
    send(Array("\u{1B}[?1000\(end)\u{1B}[?1006\(end)".utf8))
    arm()
  }

  /// Has a terminal that orders text itself leave that to the reader, where it is to.
  package func use(_ bidi: LayoutOptions.Bidi, environment: [String: String]) {
    bidiModes = LayoutOptions.Bidi.modes(for: bidi, environment: environment)
    guard !bidiModes.begin.isEmpty else { return }
    send(bidiModes.begin)
    arm()
  }

  /// Writes what ncurses knows nothing of.
  private func send(_ bytes: [UInt8]) {
    // A terminal that is gone is noticed when its keys are read.
    _ = OutputDescriptor(output).write(bytes)
  }

  private func send(_ text: String) {
    send(charset.encode(Array(text.utf8)))
  }

  // MARK: What the terminal is

  /// Sets the locale for characters, in which ncurses writes them.
  /// - Returns: the characters that cells may hold.
  private static func chooseCharset() -> TerminalCharset {
    let charset = TerminalCharset.current
    if charset != .ascii, setlocale(LC_CTYPE, "") != nil,
      TerminalCharset(codeset: String(cString: offread_codeset())) == charset
    {
      return charset
    }
    // The reader's locale is not installed, or has ASCII alone; in this one ncurses leaves cells as they are.
    setlocale(LC_CTYPE, "C.UTF-8")
    return charset == .utf8 ? .utf8 : .ascii
  }

  /// Starts curses; where 24-bit colours are known to work, with a description that has them.
  private static func openScreen(
    _ output: UnsafeMutablePointer<FILE>, _ input: UnsafeMutablePointer<FILE>,
    _ isWanted: Bool?
  ) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    let term = environment["TERM"] ?? ""
    let depth = ColorDepth(isWanted: isWanted, environment: environment, colors: 8)
    if depth == .trueColor,
      var entry = TerminfoEntry.installed(term, environment: environment)
    {
      entry.useDirectColors()
      setenv("TERMINFO", entry.environmentValue, 1)
      let screen = newterm(nil, output, input)
      if let own = environment["TERMINFO"] {
        setenv("TERMINFO", own, 1)
      } else {
        unsetenv("TERMINFO")
      }
      if screen != nil { return true }
    }
    return newterm(nil, output, input) != nil
  }

  private static func startColors(_ isWanted: Bool?) -> ColorDepth {
    let environment = ProcessInfo.processInfo.environment
    let colors = Int(offread_max_colors())
    var depth = ColorDepth(isWanted: isWanted, environment: environment, colors: colors)
    if depth == .trueColor, colors < ColorDepth.trueColor.rawValue {
      depth = colors >= 256 ? .palette : colors >= 16 ? .sixteen : .eight
    }
    guard depth != .none, has_colors() else { return .none }
    start_color()
    use_default_colors()
    return depth
  }

  private static func capabilities(_ names: [String]) -> [UInt8] {
    names.flatMap { name -> [UInt8] in
      guard let text = offread_capability(name) else { return [] }
      return Array(String(cString: text).utf8)
    }
  }

  private static func keySequences() -> [[UInt8]: Key] {
    let names: [(String, Key)] = [
      ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
      ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
      ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kcbt", Key(.tab, modifiers: .shift)),
      ("kf1", Key(.function(1))), ("kf2", Key(.function(2))), ("kf3", Key(.function(3))),
      ("kf4", Key(.function(4))), ("kf5", Key(.function(5))), ("kf6", Key(.function(6))),
    ]
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in names {
      let bytes = capabilities([name])
      if bytes.count > 1, bytes[0] == 0x1B { keys[bytes] = key }
    }
    return keys
  }
}

extension NcursesTerminal {
  /// What the description of a terminal says (terminfo(5)).
  package struct Description: Sendable, Equatable {
    /// The number of colours; 0 or less is none.
    package var colors: Int
    /// Whether the cursor can be moved and the screen cleared.
    package var canDraw: Bool
    /// Whether it has a second screen.
    package var hasAlternateScreen: Bool
    /// Whether it tells of the mouse.
    package var hasMouse: Bool
  }

  /// The description of the terminal that `TERM` names; nil where there is none.
  package static var description: Description? {
    guard getenv("TERM").map({ $0.pointee != 0 }) ?? false else { return nil }
    var (colors, draws, alternate, mouse): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard offread_describe(STDOUT_FILENO, &colors, &draws, &alternate, &mouse) == 1 else {
      return nil
    }
    return Description(
      colors: Int(colors), canDraw: draws == 1, hasAlternateScreen: alternate == 1,
      hasMouse: mouse == 1)
  }

  /// The version of ncurses that runs.
  package static var version: String { String(cString: curses_version()) }
}
