extension ScreenRecording {
  /// The screens as one picture that moves and begins again at its end (SVG with CSS animations).
  /// A row is drawn once, however often it is seen. The last screen stands still where nothing
  /// moves, or where the person asked for that.
  /// - Parameters:
  ///   - columns: columns of the terminal.
  ///   - rows: rows of the terminal.
  ///   - isDark: whether the terminal itself is light on dark.
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

  /// Rows that are seen in the same frames, in the order of their first one.
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

  /// The keyframes of what is seen in some frames: where it appears, and where it goes.
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
