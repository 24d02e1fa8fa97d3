import Layout

/// Measures and truncates text on the screen with the same widths as the layout.
extension DisplayWidth {
  /// Calls `body` with the bytes and the width of each cluster.
  package func forEachCluster(
    in text: [UInt8], _ range: Range<Int>, _ body: (Range<Int>, Int) -> Void
  ) {
    for (bytes, width) in GraphemeClusters(text, in: range, widths: self) { body(bytes, width) }
  }

  /// Calls `body` with each cluster and its width.
  package func forEachCluster(in text: String, _ body: (String, Int) -> Void) {
    let bytes = Array(text.utf8)
    for (range, width) in GraphemeClusters(bytes, widths: self) {
      body(String(decoding: bytes[range], as: UTF8.self), width)
    }
  }

  /// Returns the text truncated to a number of columns, with an ellipsis if anything was removed.
  package func truncated(_ text: String, to columns: Int, ellipsis: String) -> String {
    guard width(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    var result = ""
    var used = 0
    var isFull = false
    forEachCluster(in: text) { cluster, width in
      isFull = isFull || used + width > columns - 1
      guard !isFull else { return }
      result += cluster
      used += width
    }
    return result + ellipsis
  }

  /// Returns the text wrapped into rows of at most `columns` columns, at spaces where possible.
  package func wrapped(_ text: String, to columns: Int) -> [String] {
    var rows: [String] = []
    /// The row being filled, and its width up to its last space.
    var (row, used) = ("", 0)
    var (word, wordWidth) = ("", 0)
    forEachCluster(in: text) { cluster, width in
      if used + wordWidth + width > columns, cluster != " " {
        if row.isEmpty {
          rows.append(word)
          (word, wordWidth) = ("", 0)
        } else {
          rows.append(row)
          (row, used) = ("", 0)
        }
      }
      word += cluster
      wordWidth += width
      if cluster == " " {
        row += word
        used += wordWidth
        (word, wordWidth) = ("", 0)
      }
    }
    rows.append(row + word)
    return rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
  }

  /// Returns the beginning and the end of a text that is too wide, with an ellipsis between them.
  /// URLs often differ only at one of the ends.
  package func truncatedInMiddle(_ text: String, to columns: Int, ellipsis: String) -> String {
    guard width(of: text) > columns else { return text }
    let available = max(0, columns - 1)
    let head = truncated(text, to: available / 2 + 1, ellipsis: "")
    var tail: [String] = []
    var used = 0
    var clusters: [(String, Int)] = []
    forEachCluster(in: text) { clusters.append(($0, $1)) }
    for (cluster, width) in clusters.reversed() {
      guard used + width <= available - self.width(of: head) else { break }
      tail.append(cluster)
      used += width
    }
    return head + ellipsis + tail.reversed().joined()
  }
}
