import Platform
import CNcurses
import Foundation
package import Images
package import Layout

/// The terminal, accessed through ncurses. This is the only file that imports ncurses.
///
/// ncurses writes the screen and knows the capabilities of the terminal; key input is read as bytes
/// and decoded by `InputDecoder`. Use it on the main thread only.
@MainActor package final class NcursesTerminal {
  /// The descriptor from which keys are read: standard input, or the terminal device if standard
  /// input is something else.
  package let input: Int32
  /// The descriptor to which the screen is written.
  package let output: Int32
  /// The key sequences of this terminal.
  package let keys: [[UInt8]: Key]
  /// The name of the terminfo entry that is used because the one that `TERM` names is not
  /// installed; nil if it is installed.
  package let substituteName: String?
  /// The characters that the terminal can show.
  package let charset: TerminalCharset

  private var usesMouse: Bool
  private let emojiSequences = EmojiSequences(environment: SystemProcesses.environment)
  private let depth: ColorDepth
  private var shown: Frame?
  private var shownTheme: Theme?
  private var shownTitle: String?
  private var styles: [CellStyle: (attributes: attr_t, pair: Int32)] = [:]
  private var pairs: [CellPair: Int32] = [:]
  private var isDrawing = true
  /// The sequences that turn off the terminal's own reordering of text and restore it.
  private var bidiModes = (begin: "", end: "")
  private var graphics = GraphicsScreen()

  private struct CellPair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// Whether there is a terminal that can be drawn on and from which keys can be read.
  package static var isUsable: Bool {
    guard isatty(STDOUT_FILENO) == 1, let entry = entryName,
      offread_can_draw(entry, STDOUT_FILENO) == 1
    else { return false }
    if isatty(STDIN_FILENO) == 1 { return true }
    let tty = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard tty >= 0 else { return false }
    _ = Platform.close(tty)
    return true
  }

  /// Initializes the terminal; returns nil if it cannot be drawn on, or if keys cannot be read from
  /// it.
  /// - Parameters:
  ///   - hasColors: Whether to use colors; nil to let the environment decide.
  ///   - usesMouse: Whether to enable mouse reports.
  ///   - wake: The write end of a pipe to which signal numbers are written as bytes.
  package init?(hasColors: Bool?, usesMouse: Bool, wake: Int32) {
    charset = Self.chooseCharset()
    self.usesMouse = usesMouse
    output = STDOUT_FILENO
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard input >= 0 else { return nil }
    offread_catch_signals(wake, input)
    guard let entry = Self.entryName, let outputFile = fdopen(output, "w"),
      let inputFile = fdopen(input, "r"), Self.openScreen(entry, outputFile, inputFile, hasColors)
    else {
      offread_release_signals()
      return nil
    }
    substituteName = Self.substitute(entry)
    raw()
    noecho()
    nonl()
    offread_enable_keypad()
    depth = Self.startColors(hasColors)
    keys = Self.keySequences()
    arm()
    send(beginModes)
  }

  /// Sets the bytes that the signal handlers write if a signal terminates the program.
  private func arm() {
    let restore = endModes + Self.capabilities(["sgr0", "rmkx", "rmcup", "cnorm"])
    restore.withUnsafeBytes {
      offread_arm($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
  }

  /// The current size of the terminal; 80×24 if it is unknown.
  package var size: Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Queries the background color; the reply, if any, arrives as an input event.
  /// - Returns: Whether the query was sent.
  package func queryBackground() -> Bool {
    guard !isPlainTerminal else { return false }
    send("\u{1B}]11;?\u{1B}\\")
    return true
  }

  /// Queries the graphics capabilities; the replies, if any, arrive as input events.
  /// - Returns: Whether the queries were sent.
  package func queryGraphics() -> Bool {
    let environment = SystemProcesses.environment
    guard !isPlainTerminal, TerminalReply.canBeQueried(environment) else { return false }
    send(TerminalReply.question(environment))
    return true
  }

  /// The size of a cell in pixels according to the system; nil if it is unknown. Terminals include
  /// their borders in the window size, which adds less than a pixel per cell.
  package var cell: ImageSize? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return TerminalReply.cell(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
  }

  /// Whether this kind of terminal does not support operating system commands (OSC).
  private let isPlainTerminal: Bool = {
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    let mute = ["linux", "vt", "ansi", "cons", "dumb", "sun", "wsvt"]
    return mute.contains(where: term.hasPrefix)
  }()

  private var hasTitle: Bool { !isPlainTerminal }

  /// Whether the terminal may have a clipboard that programs can write.
  package var hasClipboard: Bool { !isPlainTerminal }

  /// The number of colors used.
  package var colors: Int { depth.rawValue }

  /// Copies text to the terminal's clipboard.
  package func writeClipboard(_ text: String) {
    guard hasClipboard else { return }
    let multiplexer = ClipboardSequence.Multiplexer(SystemProcesses.environment)
    send(ClipboardSequence.bytes(for: text, through: multiplexer))
  }

  // MARK: Drawing

  /// Shows a frame. Only rows that differ from the previous frame are passed to ncurses, which
  /// writes only the cells that differ on the screen.
  package func present(_ frame: Frame, theme: Theme, title: String) {
    guard isDrawing else { return }
    if title != shownTitle, hasTitle {
      shownTitle = title
      send("\u{1B}]2;\(title)\u{1B}\\")
    }
    if theme != shownTheme {
      styles = [:]
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
    // Where the cursor moves within a row, ncurses may rewrite the cells in between.
    let written = changed.union(rewritten).union(cursors.filter { $0.column > 0 }.map(\.row))
    var placed: [PlacedCell] = []
    for row in written.union(cursors.map(\.row)).sorted() where row < frame.size.rows {
      draw(row: row, of: frame, theme: theme, &placed)
    }
    curs_set(frame.isCursorVisible ? 1 : 0)
    CNcurses.move(Int32(frame.cursor.row), Int32(frame.cursor.column))
    refresh()
    write(placed, of: frame)
    draw(visible, of: frame, written: written)
    shown = frame
  }

  private func isShown(row: Int, of frame: Frame) -> Bool {
    guard let shown, shown.size == frame.size else { return false }
    let range = row * frame.size.columns..<(row + 1) * frame.size.columns
    return shown.cells[range] == frame.cells[range]
  }

  /// A cluster that is written without ncurses, because ncurses and the terminal may disagree about
  /// its width.
  private struct PlacedCell {
    var row: Int, column: Int
    var text: String
    /// The number of columns to blank before it is written, so that no previous content remains.
    var blanks = 0
    /// Whether the cluster is in a script of `TerminalText.isShaped`, so that following clusters
    /// may be appended to it.
    var isShaped = false
    var style: (attributes: attr_t, pair: Int32)

    /// Returns whether a cell continues this one. Adjacent shaped clusters are written as a unit,
    /// so that a terminal that draws them narrower leaves the blank space after the text.
    func isShapedTogether(with next: PlacedCell) -> Bool {
      isShaped && next.isShaped && next.row == row && next.column == column + blanks
        && next.style == style
    }
  }

  /// Draws a row. Clusters that must be written without ncurses are appended to `placed`, and
  /// placeholders of the same width are put into their cells.
  private func draw(row: Int, of frame: Frame, theme: Theme, _ placed: inout [PlacedCell]) {
    for column in 0..<frame.size.columns {
      let cell = frame[row, column]
      guard cell.width > 0 else { continue }
      let appearance = style(of: cell.style, theme: theme)
      var shown = charset.cell(cell.text, width: Int(cell.width))
      if let text = TerminalText.placed(shown, by: frame.widths, columns: offread_columns) {
        placed.append(PlacedCell(row: row, column: column, text: text, style: appearance))
        shown = TerminalText.placeholder
      } else if let text = sequence(shown) {
        let cell = PlacedCell(
          row: row, column: column, text: text.text, blanks: Int(cell.width),
          isShaped: text.isShaped, style: appearance)
        if let last = placed.last, last.isShapedTogether(with: cell) {
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
            Int32(row), Int32(column + offset), $0.baseAddress, appearance.attributes,
            appearance.pair)
        }
      }
    }
  }

  /// Returns the text to write without ncurses because terminals or the C library disagree about
  /// its width; nil for other clusters.
  private func sequence(_ cluster: String) -> (text: String, isShaped: Bool)? {
    guard charset == .utf8, cluster.utf8.count > 2 else { return nil }
    if TerminalText.isShaped(cluster) { return (cluster, true) }
    let text =
      emojiSequences.text(of: cluster)
      ?? TerminalText.unknown(cluster, columns: { offread_columns($0) })
    return text.map { ($0, false) }
  }

  /// Writes clusters over the placeholders in the cells of ncurses. Each is preceded by a cursor
  /// movement, so that the text after it is at the right column whatever width the terminal uses.
  /// The state that ncurses assumes is preserved: attributes are tracked, and the cursor returns to
  /// its position.
  private func write(_ cells: [PlacedCell], of frame: Frame) {
    guard !cells.isEmpty else { return }
    var output: [UInt8] = []
    for cell in cells {
      let position = Self.sequence(toRow: cell.row, cell.column, cell.style)
      if cell.blanks > 0 { output += position + [UInt8](repeating: 0x20, count: cell.blanks) }
      output += position + cell.text.utf8
    }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    output += Self.sequence(toRow: frame.cursor.row, frame.cursor.column, plain)
    send(output)
  }

  /// Draws images over cells that ncurses has written as blanks.
  private func draw(_ visible: [Graphic], of frame: Frame, written: Set<Int>) {
    let output = graphics.show(visible, written: written)
    guard !output.isEmpty else { return }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    send(output + Self.sequence(toRow: frame.cursor.row, frame.cursor.column, plain))
  }

  /// Returns the sequence that moves the cursor to a position and sets the attributes of the
  /// following text.
  private static func sequence(
    toRow row: Int, _ column: Int, _ style: (attributes: attr_t, pair: Int32)
  ) -> [UInt8] {
    offread_place(Int32(row), Int32(column), style.attributes, style.pair)
      .map { Array(String(cString: $0).utf8) } ?? []
  }

  private func style(of style: CellStyle, theme: Theme) -> (attributes: attr_t, pair: Int32) {
    if let known = styles[style] { return known }
    let appearance = CellAppearance(style, theme: theme, depth: depth)
    func has(_ attribute: Theme.Attributes) -> Int32 {
      appearance.attributes.contains(attribute) ? 1 : 0
    }
    let attributes = offread_attributes(
      has(.bold), has(.italic), has(.underline), has(.reverse), has(.dim))
    let cellStyle = (attributes, pair(appearance))
    styles[style] = cellStyle
    return cellStyle
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

  /// Discards all color pairs: images use many, and their number is limited.
  private func forgetPairs() {
    reset_color_pairs()
    pairs = [:]
    styles = [:]
    shown = nil
  }

  private static func number(_ color: TerminalColor) -> Int32 {
    switch color {
    case .standard: -1
    case .indexed(let index): Int32(index)
    case .rgb(let red, let green, let blue):
      // 0 to 15 are entries of the palette.
      max(16, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
    }
  }

  /// Redraws everything, whatever the terminal currently shows.
  package func redraw() {
    offread_redraw()
    shown = nil
    send(graphics.end())
  }

  /// Adapts to a new terminal size.
  package func resize(to size: Size) {
    resizeterm(Int32(size.rows), Int32(size.columns))
    shown = nil
    if !graphics.shown.isEmpty { redraw() }
  }

  // MARK: Suspending and resuming

  /// Stops the job until the shell continues it.
  /// - Parameter stopOthers: Stops all processes of the job except this one.
  package func suspend(_ stopOthers: () -> Void) {
    leave()
    Self.stop(input, stopOthers)
    resume()
  }

  /// Stops the job until the shell continues it and returns the terminal to it.
  /// - Parameters:
  ///   - terminal: The descriptor of the terminal.
  ///   - stopOthers: Stops all processes of the job except this one.
  package static func stop(_ terminal: Int32, _ stopOthers: () -> Void) {
    signal(SIGTSTP, SIG_IGN)
    stopOthers()
    offread_stop_here()
    // If the process is continued in the background, this access to the terminal stops it again.
    TerminalModes(of: terminal)?.set(of: terminal)
  }

  /// Suspends the use of the terminal while the closure runs, for another program.
  package func whileSuspended(_ work: () -> Void) {
    leave()
    work()
    resume()
  }

  /// Resumes the use of the terminal after another program had it.
  package func resume() {
    isDrawing = true
    reset_prog_mode()
    offread_rearm()
    send(beginModes)
    redraw()
    refresh()
  }

  /// Restores the terminal.
  /// - Parameter discardsReply: Whether to wait 50 ms for an outstanding reply and discard it.
  package func close(discardsReply: Bool) {
    if discardsReply {
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
    // Saves the window title; saves the meta mode and makes Meta send Escape (xterm does so only on
    // request); turns on bracketed paste, and mouse reports in the SGR encoding.
    Array(
      ((hasTitle ? "\u{1B}[22;2t\u{1B}[?1036s\u{1B}[?1036h" : "") + "\u{1B}[?2004h"
        + (usesMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "") + bidiModes.begin).utf8)
  }

  private var endModes: [UInt8] {
    Array(
      ("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l" + bidiModes.end
        + (hasTitle ? "\u{1B}[?1036r\u{1B}[23;2t" : "")).utf8)
  }

  /// Turns mouse reports on or off.
  package func use(mouse isTaken: Bool) {
    guard isTaken != usesMouse else { return }
    usesMouse = isTaken
    let end = isTaken ? "h" : "l"
    send(Array("\u{1B}[?1000\(end)\u{1B}[?1006\(end)".utf8))
    arm()
  }

  /// Turns off the terminal's own reordering of text if offread reorders it.
  package func use(_ bidi: LayoutOptions.Bidi, environment: [String: String]) {
    bidiModes = LayoutOptions.Bidi.modes(for: bidi, environment: environment)
    guard !bidiModes.begin.isEmpty else { return }
    send(bidiModes.begin)
    arm()
  }

  /// Writes bytes without ncurses.
  private func send(_ bytes: [UInt8]) {
    // Errors are ignored: a lost terminal is noticed when keys are read.
    _ = OutputDescriptor(output).write(bytes)
  }

  private func send(_ text: String) {
    send(charset.encode(Array(text.utf8)))
  }

  // MARK: Capabilities

  /// Sets the locale in which ncurses writes characters.
  /// - Returns: The charset of the cells.
  private static func chooseCharset() -> TerminalCharset {
    let charset = TerminalCharset.current
    if charset != .ascii, setlocale(LC_CTYPE, "") != nil,
      TerminalCharset(codeset: String(cString: offread_codeset())) == charset
    {
      return charset
    }
    // The user's locale is not installed, or is ASCII; in C.UTF-8 ncurses does not alter cells.
    setlocale(LC_CTYPE, "C.UTF-8")
    return charset == .utf8 ? .utf8 : .ascii
  }

  /// Initializes curses. If 24-bit color is known to work, a modified terminfo entry with direct
  /// colors is used.
  private static func openScreen(
    _ term: String, _ output: UnsafeMutablePointer<FILE>, _ input: UnsafeMutablePointer<FILE>,
    _ isWanted: Bool?
  ) -> Bool {
    let environment = SystemProcesses.environment
    let depth = ColorDepth(isWanted: isWanted, environment: environment, colors: 8)
    if depth == .trueColor,
      var entry = TerminfoEntry.installed(term, environment: environment)
    {
      entry.useDirectColors()
      setenv("TERMINFO", entry.environmentValue, 1)
      let screen = newterm(term, output, input)
      if let own = environment["TERMINFO"] {
        setenv("TERMINFO", own, 1)
      } else {
        unsetenv("TERMINFO")
      }
      if screen != nil { return true }
    }
    return newterm(term, output, input) != nil
  }

  private static func startColors(_ isWanted: Bool?) -> ColorDepth {
    let environment = SystemProcesses.environment
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
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in TerminalType.keyCapabilities {
      let bytes = capabilities([name])
      // The first capability with a sequence is the most common one.
      if bytes.count > 1, bytes[0] == 0x1B, keys[bytes] == nil { keys[bytes] = key }
    }
    return keys
  }
}

extension NcursesTerminal {
  /// The capabilities in the terminfo entry of a terminal (terminfo(5)).
  package struct Description: Sendable, Equatable {
    /// The number of colors; 0 or less for none.
    package var colors: Int
    /// Whether the cursor can be moved and the screen can be cleared.
    package var canDraw: Bool
    /// Whether the terminal has an alternate screen.
    package var hasAlternateScreen: Bool
    /// Whether the terminal reports mouse events.
    package var hasMouse: Bool
  }

  /// The name of the terminfo entry of this terminal: the one that `TERM` names or, if it is not
  /// installed, the one of a compatible terminal; nil if there is none.
  private static var entryName: String? {
    guard let term = getenv("TERM").map({ String(cString: $0) }), !term.isEmpty, term != "unknown"
    else { return nil }
    if offread_can_draw(term, STDOUT_FILENO) >= 0 { return term == "dumb" ? nil : term }
    return TerminalType.substitutes(for: term).first { offread_can_draw($0, STDOUT_FILENO) == 1 }
  }

  private static func substitute(_ entry: String?) -> String? {
    let term = getenv("TERM").map { String(cString: $0) }
    return entry.flatMap { $0 == term ? nil : $0 }
  }

  /// The name of the terminfo entry to use if the one that `TERM` names is not installed; nil if it
  /// is installed, or there is no compatible one. Do not use it while the screen is in use.
  package static var substituteName: String? { substitute(entryName) }

  /// The capabilities in the terminfo entry of this terminal, which may be a compatible one; nil if
  /// there is none.
  package static var description: Description? {
    guard let term = substituteName ?? getenv("TERM").map({ String(cString: $0) }), !term.isEmpty
    else { return nil }
    var (colors, draws, alternate, mouse): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard offread_describe(term, STDOUT_FILENO, &colors, &draws, &alternate, &mouse) == 1 else {
      return nil
    }
    return Description(
      colors: Int(colors), canDraw: draws == 1, hasAlternateScreen: alternate == 1,
      hasMouse: mouse == 1)
  }

  /// The version of the loaded ncurses library.
  package static var version: String { String(cString: curses_version()) }
}
