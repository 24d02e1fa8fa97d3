/// The types of terminals, by the names in `TERM`.
enum TerminalType {
  /// Names of terminals that understand the control sequences of xterm. Their terminfo entries are
  /// often not installed, for example on a remote host.
  private static let xtermFamily = [
    "xterm", "alacritty", "contour", "domterm", "eat", "foot", "ghostty", "gnome", "hterm", "iterm",
    "iterm2", "kitty", "konsole", "kterm", "mintty", "mlterm", "mrxvt", "ms", "nsterm", "putty",
    "rio", "rxvt", "st", "stterm", "teraterm", "termite", "terminology", "vte", "wezterm", "xfce",
    "zutty",
  ]

  /// Names of multiplexers whose control sequences are those of screen.
  private static let screenFamily = ["screen", "tmux"]

  /// Returns the names of terminfo entries with which a terminal without an own entry can be used,
  /// the best first; empty if its name belongs to no known family.
  static func substitutes(for term: String) -> [String] {
    func isInFamily(_ family: [String]) -> Bool {
      let name = term.prefix { $0 != "-" && $0 != "." && $0 != "+" }.lowercased()
      return family.contains(name)
    }
    if isInFamily(screenFamily) { return ["screen-256color", "screen", "xterm-256color", "xterm"] }
    return isInFamily(xtermFamily) ? ["xterm-256color", "xterm"] : []
  }

  /// Returns whether a terminal is of a kind that does not support operating system commands (OSC),
  /// by its name. Of the names with `vt`, only the family `vte` supports them.
  static func lacksSystemCommands(_ term: String) -> Bool {
    let kinds = ["linux", "vt", "ansi", "cons", "dumb", "sun", "wsvt"]
    return !term.hasPrefix("vte") && kinds.contains(where: term.hasPrefix)
  }

  /// Returns the size that `LINES` and `COLUMNS` state, for terminals that have none, such as
  /// serial lines; 80×24 if the variables are not valid.
  static func size(in environment: [String: String]) -> Size {
    func number(_ name: String) -> Int? {
      environment[name].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }
    return Size(columns: number("COLUMNS") ?? 80, rows: number("LINES") ?? 24)
  }

  /// Returns a string capability without its delays, which have the form `$<5*/>` and are not sent
  /// to the terminal.
  static func withoutDelays(_ capability: [UInt8]) -> [UInt8] {
    var rest = capability[...]
    var result: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// The capabilities of terminfo(5) with the sequences of keys.
  static let keyCapabilities: [(name: String, key: Key)] = {
    var keys: [(name: String, key: Key)] = [
      ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
      ("khome", Key(.home)), ("kend", Key(.end)), ("kfnd", Key(.home)), ("kslt", Key(.end)),
      ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)), ("kich1", Key(.insert)),
      ("kdch1", Key(.delete)), ("kent", Key(.enter)), ("kcbt", Key(.tab, modifiers: .shift)),
      ("kri", Key(.up, modifiers: .shift)), ("kind", Key(.down, modifiers: .shift)),
    ]
    let shifted: KeyValuePairs<String, Key.Code> = [
      "kUP": .up, "kDN": .down, "kLFT": .left, "kRIT": .right, "kHOM": .home, "kEND": .end,
      "kPRV": .pageUp, "kNXT": .pageDown, "kIC": .insert, "kDC": .delete,
    ]
    for (name, code) in shifted {
      keys.append((name, Key(code, modifiers: .shift)))
      for parameter in 3...8 {
        let modifiers = ControlParameters.modifiers(parameter)
        keys.append(("\(name)\(parameter)", Key(code, modifiers: modifiers)))
      }
    }
    for number in 1...63 as ClosedRange<UInt8> {
      keys.append(("kf\(number)", Key(.function(number))))
    }
    return keys
  }()
}
