extension ScreenRecording {
  /// Returns the screens as one animated image that repeats (SVG with CSS animations). Each
  /// distinct row is drawn once. The last screen is shown if animations are not supported, or if
  /// the user prefers reduced motion.
  /// - Parameters:
  ///   - columns: the number of columns of the terminal.
  ///   - rows: the number of rows of the terminal.
  ///   - isDark: whether the terminal has light text on a dark background by default.
  /// - Returns: the text of the file.
  package func svg(columns: Int, rows: Int, isDark: Bool) -> String {
    let total = frames.reduce(0) { $0 + $1.duration }
    var style = """
      g{animation:\(total)ms step-end infinite}
      @media(prefers-reduced-motion:reduce){g{animation:none!important}}

      """
    var drawings = ""
    for (index, group) in groups(columns: columns, rows: rows, isDark: isDark).enumerated() {
      guard group.isSeen.contains(false) else {
        drawings += group.drawings
        continue
      }
      let still = group.isSeen.last == true ? "visible" : "hidden"
      style += ".a\(index){visibility:\(still);animation-name:a\(index)}"
      style += "@keyframes a\(index){\(steps(group.isSeen, of: total))}\n"
      drawings += "<g class=\"a\(index)\">\n\(group.drawings)</g>\n"
    }
    return CapturedScreen.frame(
      columns: columns, rows: rows, isDark: isDark,
      around: "<style>\n\(style)</style>\n\(drawings)")
  }

  /// Returns the groups of rows that are visible in the same frames, ordered by the first of these
  /// frames.
  private func groups(
    columns: Int, rows: Int, isDark: Bool
  ) -> [(isSeen: [Bool], drawings: String)] {
    var order: [String] = []
    var seen: [String: [Bool]] = [:]
    for (index, frame) in frames.enumerated() {
      let drawings = frame.screen.drawings(columns: columns, rows: rows, isDark: isDark)
      for drawing in drawings where !drawing.isEmpty {
        if seen[drawing] == nil { order.append(drawing) }
        seen[drawing, default: frames.map { _ in false }][index] = true
      }
    }
    var groups: [(isSeen: [Bool], drawings: String)] = []
    var positions: [[Bool]: Int] = [:]
    for drawing in order {
      let isSeen = seen[drawing] ?? []
      if let position = positions[isSeen] {
        groups[position].drawings += drawing
      } else {
        positions[isSeen] = groups.count
        groups.append((isSeen, drawing))
      }
    }
    return groups
  }

  /// Returns the CSS keyframes at which a group of rows appears and disappears.
  private func steps(_ isSeen: [Bool], of total: Int) -> String {
    var steps = ""
    var time = 0
    var before: Bool?
    for (frame, isSeen) in zip(frames, isSeen) {
      if isSeen != before {
        let hundredths = (time * 10_000 + total / 2) / total
        let rest = hundredths % 100
        let share = "\(hundredths / 100)\(rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")"
        steps += "\(share)%{visibility:\(isSeen ? "visible" : "hidden")}"
      }
      before = isSeen
      time += frame.duration
    }
    return steps
  }
}
