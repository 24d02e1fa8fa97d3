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
  package let inputDescriptor: Int32
  /// The descriptor to which the screen is written.
  package let outputDescriptor: Int32
  /// The key sequences of this terminal.
  package let keysBySequence: [[UInt8]: Key]
  /// The name of the terminfo entry that is used because the one that `TERM` names is not
  /// installed; nil if it is installed.
  package let substituteName: String?
  /// The characters that the terminal can show.
  package let charset: TerminalCharset

  private var usesMouse: Bool
  private let emojiSequences = EmojiSequences(environment: SystemProcesses.environment)
  private let colorDepth: ColorDepth
  private var shownFrame: Frame?
  private var shownTheme: Theme?
  private var shownTitle: String?
  private var resolvedStyles: [CellStyle: (attributes: attr_t, pair: Int32)] = [:]
  private var colorPairs: [CellPair: Int32] = [:]
  private var isActive = true
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
  ///   - usesColors: Whether to use colours; nil to let the environment decide.
  ///   - usesMouse: Whether to enable mouse reports.
  ///   - wakeDescriptor: The write end of a pipe to which signal numbers are written as bytes.
  package init?(usesColors: Bool?, usesMouse: Bool, wakeDescriptor: Int32) {
    charset = Self.chooseCharset()
    self.usesMouse = usesMouse
    outputDescriptor = STDOUT_FILENO
    inputDescriptor =
      isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard inputDescriptor >= 0 else { return nil }
    offread_catch_signals(wakeDescriptor, inputDescriptor)
    guard let entry = Self.entryName, let outputFile = fdopen(outputDescriptor, "w"),
      let inputFile = fdopen(inputDescriptor, "r"),
      Self.initializeCurses(entry, outputFile, inputFile, usesColors)
    else {
      offread_release_signals()
      return nil
    }
    substituteName = Self.substituteEntryName(entry)
    raw()
    noecho()
    nonl()
    offread_enable_keypad()
    offread_keep_palette()
    colorDepth = Self.startColors(usesColors)
    keysBySequence = Self.keySequences()
    setSignalOutput()
    send(beginModeSequences)
  }

  /// Sets the bytes that the signal handlers write if a signal terminates the program.
  private func setSignalOutput() {
    let restore = endModeSequences + Self.capabilities(["sgr0", "rmkx", "rmcup", "cnorm"])
    restore.withUnsafeBytes {
      offread_arm($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
  }

  /// The current size of the terminal; the one in the environment if the terminal has none.
  package var size: Size {
    Self.size(ofTerminal: outputDescriptor)
      ?? TerminalType.size(in: SystemProcesses.environment)
  }

  /// Returns the size that a terminal states; nil if it states none.
  private static func size(ofTerminal descriptor: Int32) -> Size? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return Size(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Queries the background colour; the reply, if any, arrives as an input event.
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
    send(TerminalReply.queries(environment))
    return true
  }

  /// The size of a cell in pixels according to the system; nil if it is unknown. Terminals include
  /// their borders in the window size, which adds less than a pixel per cell.
  package var cellSize: ImageSize? {
    var window = winsize()
    guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
      window.ws_row > 0
    else { return nil }
    return TerminalReply.cell(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
  }

  /// Whether this kind of terminal does not support operating system commands (OSC).
  private let isPlainTerminal = TerminalType.lacksSystemCommands(
    getenv("TERM").map { String(cString: $0) } ?? "")

  private var supportsTitle: Bool { !isPlainTerminal }

  /// Whether the terminal may have a clipboard that programs can write.
  package var mayHaveClipboard: Bool { !isPlainTerminal }

  /// The number of colours used.
  package var colorCount: Int { colorDepth.rawValue }

  /// Copies text to the terminal's clipboard.
  package func writeClipboard(_ text: String) {
    guard mayHaveClipboard else { return }
    let multiplexer = ClipboardSequence.Multiplexer(SystemProcesses.environment)
    send(ClipboardSequence.bytes(for: text, through: multiplexer))
  }

  // MARK: Drawing

  /// Shows a frame. Only rows that differ from the previous frame are passed to ncurses, which
  /// writes only the cells that differ on the screen.
  package func present(_ frame: Frame, theme: Theme, title: String) {
    guard isActive else { return }
    if title != shownTitle, supportsTitle {
      shownTitle = title
      send("\u{1B}]2;\(title)\u{1B}\\")
    }
    if theme != shownTheme {
      resolvedStyles = [:]
      shownTheme = theme
      shownFrame = nil
    }
    guard frame != shownFrame else { return }
    if colorPairs.count > offread_most_pairs() / 2 { resetColorPairs() }
    let visibleGraphics = frame.visibleGraphics
    let changedRows = Set((0..<frame.size.rows).filter { !isShown(row: $0, of: frame) })
    let rewrittenRows = graphics.rowsToRewrite(for: visibleGraphics, changedRows: changedRows)
    for row in rewrittenRows { offread_rewrite(Int32(row), 1) }
    let cursors = [frame.cursor, shownFrame?.cursor].compactMap(\.self)
    // Where the cursor moves within a row, ncurses may rewrite the cells in between.
    let writtenRows = changedRows.union(rewrittenRows).union(
      cursors.filter { $0.column > 0 }.map(\.row))
    var placedCells: [PlacedCell] = []
    for row in writtenRows.union(cursors.map(\.row)).sorted() where row < frame.size.rows {
      draw(row: row, of: frame, theme: theme, &placedCells)
    }
    curs_set(frame.isCursorVisible ? 1 : 0)
    CNcurses.move(Int32(frame.cursor.row), Int32(frame.cursor.column))
    refresh()
    write(placedCells, of: frame)
    draw(visibleGraphics, of: frame, writtenRows: writtenRows)
    shownFrame = frame
  }

  private func isShown(row: Int, of frame: Frame) -> Bool {
    guard let shownFrame, shownFrame.size == frame.size else { return false }
    let range = row * frame.size.columns..<(row + 1) * frame.size.columns
    return shownFrame.cells[range] == frame.cells[range]
  }

  /// A cluster that is written without ncurses, because ncurses and the terminal may disagree about
  /// its width.
  private struct PlacedCell {
    var row: Int, column: Int
    var text: String
    /// The number of columns to blank before the cluster is written, so that no previous content
    /// remains.
    var blankColumnCount = 0
    /// Whether the cluster is in a script of `TerminalText.hasAmbiguousShapedWidth`, so that
    /// following clusters may be appended to it.
    var isShaped = false
    var style: (attributes: attr_t, pair: Int32)

    /// Returns whether a cell continues this one. Adjacent shaped clusters are written as a unit,
    /// so that a terminal that draws them narrower leaves the blank space after the text.
    func isShapedTogether(with next: PlacedCell) -> Bool {
      isShaped && next.isShaped && next.row == row && next.column == column + blankColumnCount
        && next.style == style
    }
  }

  /// Draws a row. Clusters that must be written without ncurses are appended to
  /// `textForWideDrawing`, and placeholders of the same width are put into their cells.
  private func draw(row: Int, of frame: Frame, theme: Theme, _ placed: inout [PlacedCell]) {
    for column in 0..<frame.size.columns {
      let cell = frame[row, column]
      guard cell.width > 0 else { continue }
      let appearance = ncursesStyle(of: cell.style, theme: theme)
      var cellText = charset.cellText(cell.text, width: Int(cell.width))
      if let text = TerminalText.textForWideDrawing(
        cellText, by: frame.widths, columnsInLibrary: offread_columns)
      {
        placed.append(PlacedCell(row: row, column: column, text: text, style: appearance))
        cellText = TerminalText.placeholder
      } else if let text = separateText(cellText) {
        let cell = PlacedCell(
          row: row, column: column, text: text.text, blankColumnCount: Int(cell.width),
          isShaped: text.isShaped, style: appearance)
        if let lastCell = placed.last, lastCell.isShapedTogether(with: cell) {
          placed[placed.count - 1].text += cell.text
          placed[placed.count - 1].blankColumnCount += cell.blankColumnCount
        } else {
          placed.append(cell)
        }
        cellText = TerminalText.placeholder(columns: cell.blankColumnCount)
      }
      let parts = TerminalText.cellParts(
        of: cellText, width: Int(cell.width), columnsInLibrary: { offread_columns($0) })
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
  private func separateText(_ cluster: String) -> (text: String, isShaped: Bool)? {
    guard charset == .utf8, cluster.utf8.count > 2 else { return nil }
    if TerminalText.hasAmbiguousShapedWidth(cluster) { return (cluster, true) }
    let text =
      emojiSequences.text(of: cluster)
      ?? TerminalText.textForUnknownCharacters(cluster, columnsInLibrary: { offread_columns($0) })
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
      let position = Self.positionSequence(toRow: cell.row, cell.column, cell.style)
      if cell.blankColumnCount > 0 {
        output += position + [UInt8](repeating: 0x20, count: cell.blankColumnCount)
      }
      output += position + cell.text.utf8
    }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    output += Self.positionSequence(toRow: frame.cursor.row, frame.cursor.column, plain)
    send(output)
  }

  /// Draws images over cells that ncurses has written as blanks.
  private func draw(_ visibleGraphics: [Graphic], of frame: Frame, writtenRows: Set<Int>) {
    let output = graphics.show(visibleGraphics, writtenRows: writtenRows)
    guard !output.isEmpty else { return }
    let plain = (attributes: offread_attributes(0, 0, 0, 0, 0), pair: Int32(0))
    send(output + Self.positionSequence(toRow: frame.cursor.row, frame.cursor.column, plain))
  }

  /// Returns the sequence that moves the cursor to a position and sets the attributes of the
  /// following text.
  private static func positionSequence(
    toRow row: Int, _ column: Int, _ style: (attributes: attr_t, pair: Int32)
  ) -> [UInt8] {
    offread_place(Int32(row), Int32(column), style.attributes, style.pair)
      .map { Array(String(cString: $0).utf8) } ?? []
  }

  private func ncursesStyle(of style: CellStyle, theme: Theme) -> (attributes: attr_t, pair: Int32)
  {
    if let known = resolvedStyles[style] { return known }
    let appearance = CellAppearance(style, theme: theme, depth: colorDepth)
    func has(_ attribute: Theme.Attributes) -> Int32 {
      appearance.attributes.contains(attribute) ? 1 : 0
    }
    let attributes = offread_attributes(
      has(.bold), has(.italic), has(.underline), has(.reverse), has(.dim))
    let cellStyle = (attributes, colorPair(appearance))
    resolvedStyles[style] = cellStyle
    return cellStyle
  }

  private func colorPair(_ appearance: CellAppearance) -> Int32 {
    let key = CellPair(
      foreground: Self.colorNumber(appearance.foreground),
      background: Self.colorNumber(appearance.background)
    )
    guard colorDepth != .none, key != CellPair(foreground: -1, background: -1) else { return 0 }
    if let known = colorPairs[key] { return known }
    let pair = max(0, alloc_pair(key.foreground, key.background))
    colorPairs[key] = pair
    return pair
  }

  /// Discards all colour pairs: images use many, and their number is limited.
  private func resetColorPairs() {
    reset_color_pairs()
    colorPairs = [:]
    resolvedStyles = [:]
    shownFrame = nil
  }

  private static func colorNumber(_ color: TerminalColor) -> Int32 {
    switch color {
    case .defaultColor: -1
    case .palette(let index): Int32(index)
    case .rgb(let red, let green, let blue):
      // 0 to 15 are entries of the palette.
      max(16, Int32(red) << 16 | Int32(green) << 8 | Int32(blue))
    }
  }

  /// Redraws everything, whatever the terminal currently shows.
  package func redraw() {
    offread_redraw()
    shownFrame = nil
    send(graphics.reset())
  }

  /// Adapts to a new terminal size.
  package func resize(to size: Size) {
    resizeterm(Int32(size.rows), Int32(size.columns))
    shownFrame = nil
    if !graphics.shownGraphics.isEmpty { redraw() }
  }

  // MARK: Suspending and resuming

  /// Stops the job until the shell continues it.
  /// - Parameter stopOthers: Stops all processes of the job except this one.
  package func stopJob(_ stopOthers: () -> Void) {
    endScreen()
    Self.stop(inputDescriptor, stopOthers)
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
    TerminalModes(of: terminal)?.apply(of: terminal)
  }

  /// Runs the closure while SIGTERM interrupts system calls that wait.
  static func interruptingWaits(_ body: () -> Void) {
    offread_interrupt_waits(1)
    body()
    offread_interrupt_waits(0)
  }

  /// Suspends the use of the terminal while the closure runs, for another program.
  package func whileSuspended(_ work: () -> Void) {
    endScreen()
    work()
    resume()
  }

  /// Resumes the use of the terminal after another program had it.
  package func resume() {
    isActive = true
    reset_prog_mode()
    offread_rearm()
    send(beginModeSequences)
    redraw()
    refresh()
  }

  /// Restores the terminal.
  /// - Parameter discardsReply: Whether to wait for an outstanding reply and discard it.
  package func close(discardsReply: Bool) {
    if discardsReply {
      TerminalReplies.discardReplies(from: inputDescriptor, SystemProcesses.environment)
    }
    endScreen()
    offread_release_signals()
  }

  private func endScreen() {
    guard isActive else { return }
    isActive = false
    def_prog_mode()
    send(graphics.reset())
    send(endModeSequences)
    shownTitle = nil
    curs_set(1)
    endwin()
    offread_disarm()
  }

  private var beginModeSequences: [UInt8] {
    // Saves the window title; saves the meta mode and makes Meta send Escape (xterm does so only on
    // request); turns on bracketed paste, and mouse reports in the SGR encoding.
    Array(
      ((supportsTitle ? "\u{1B}[22;2t\u{1B}[?1036s\u{1B}[?1036h" : "") + "\u{1B}[?2004h"
        + (usesMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "") + bidiModes.begin).utf8)
  }

  private var endModeSequences: [UInt8] {
    Array(
      ("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l" + bidiModes.end
        + (supportsTitle ? "\u{1B}[?1036r\u{1B}[23;2t" : "")).utf8)
  }

  /// Turns mouse reports on or off.
  package func setMouseReporting(_ isEnabled: Bool) {
    guard isEnabled != usesMouse else { return }
    usesMouse = isEnabled
    let end = isEnabled ? "h" : "l"
    send(Array("\u{1B}[?1000\(end)\u{1B}[?1006\(end)".utf8))
    setSignalOutput()
  }

  /// Turns off the terminal's own reordering of text if offread reorders it.
  package func setBidi(_ bidi: LayoutOptions.BidiOrdering, environment: [String: String]) {
    bidiModes = LayoutOptions.BidiOrdering.modeSequences(for: bidi, environment: environment)
    guard !bidiModes.begin.isEmpty else { return }
    send(bidiModes.begin)
    setSignalOutput()
  }

  /// Writes bytes without ncurses.
  private func send(_ bytes: [UInt8]) {
    // Errors are ignored: a lost terminal is noticed when keys are read.
    _ = OutputDescriptor(outputDescriptor).write(bytes)
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

  /// Initializes curses. If 24-bit colour is known to work, a modified terminfo entry with direct
  /// colours is used. `LINES` and `COLUMNS` may be those of another terminal, so they count only if
  /// the terminal states no size. Returns whether that succeeded.
  private static func initializeCurses(
    _ term: String, _ output: UnsafeMutablePointer<FILE>, _ input: UnsafeMutablePointer<FILE>,
    _ usesColors: Bool?
  ) -> Bool {
    let environment = SystemProcesses.environment
    let depth = ColorDepth(usesColors: usesColors, environment: environment, colorCount: 8)
    use_env(size(ofTerminal: fileno(output)) == nil)
    use_tioctl(true)
    if depth == .trueColor,
      var entry = TerminfoEntry.installedEntry(term, environment: environment)
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

  private static func startColors(_ usesColors: Bool?) -> ColorDepth {
    let environment = SystemProcesses.environment
    let colors = Int(offread_max_colors())
    var depth = ColorDepth(usesColors: usesColors, environment: environment, colorCount: colors)
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
      return TerminalType.withoutDelays(Array(String(cString: text).utf8))
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
  package struct Capabilities: Sendable, Equatable {
    /// The number of colours; 0 or less for none.
    package var colorCount: Int
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

  private static func substituteEntryName(_ entry: String?) -> String? {
    let term = getenv("TERM").map { String(cString: $0) }
    return entry.flatMap { $0 == term ? nil : $0 }
  }

  /// The name of the terminfo entry to use if the one that `TERM` names is not installed; nil if it
  /// is installed, or there is no compatible one. Do not use it while the screen is in use.
  package static var substituteName: String? { substituteEntryName(entryName) }

  /// The capabilities in the terminfo entry of this terminal, which may be a compatible one; nil if
  /// there is none.
  package static var capabilities: Capabilities? {
    guard let term = substituteName ?? getenv("TERM").map({ String(cString: $0) }), !term.isEmpty
    else { return nil }
    var (colors, draws, alternate, mouse): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard offread_describe(term, STDOUT_FILENO, &colors, &draws, &alternate, &mouse) == 1 else {
      return nil
    }
    return Capabilities(
      colorCount: Int(colors), canDraw: draws == 1, hasAlternateScreen: alternate == 1,
      hasMouse: mouse == 1)
  }

  /// The version of the loaded ncurses library.
  package static var ncursesVersion: String { String(cString: curses_version()) }
}
