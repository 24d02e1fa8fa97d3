import Document
import Layout
import ReaderMode

/// The cost of right-to-left text.
extension RenderBench {
  static func bidi(_ place: Workplace) throws -> [ResultRow] {
    let figures = try place.work("bidi", place.folder).output.split(separator: "\n").compactMap {
      Double($0)
    }
    guard figures.count == 3 else { throw BenchError("nothing was laid out") }
    return [
      .atMost(
        "reordering a line of Hebrew, Arabic and English in the layout", figures[0] * 1e6, 2,
        unit: "µs"),
      .atMost(
        "the same including its cells, when it is displayed", figures[1] * 1e6, 20, unit: "µs"),
      .atMost("searching 1 MB without such text for it", figures[2] * 1e6, 200, unit: "µs"),
    ]
  }

  /// Prints three figures in seconds: the additional layout time of a line, the time to compute its
  /// cells, and the time to search a text without right-to-left characters.
  static func bidi() {
    let words = "הים היה שקט (בבוקר) ורק 12 boats, 3.5 לכל שעה. السلام عليكم لا شيء هنا إلا البحر. "
    let page = String(repeating: "<p>" + String(repeating: words, count: 8) + "</p>", count: 500)
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    var layout = PageLayout(width: 80)
    func seconds(_ bidi: LayoutOptions.BidiOrdering) -> Double {
      var options = LayoutOptions(width: 72)
      options.bidiOrdering = bidi
      return least { layout = PageLayout(document, options: options) }
    }
    let plain = seconds(.off)
    let ordered = seconds(.app)
    let lines = Double(layout.lines.count)
    var columns = 0
    let cells = least {
      for line in layout.lines.indices {
        layout.forEachCluster(ofLine: line, DisplayWidth()) { cluster, _ in
          columns += cluster.column
        }
      }
    }
    let latin = Array(String(repeating: "Words – “quoted”, naïve. ", count: 36_000).utf8)
    var isFound = false
    let search = least { isFound = latin.hasRightToLeft || isFound }
    print((ordered - plain) / lines)
    print(cells / lines)
    print(isFound || columns == 0 ? 1 : search)
  }

  private static func least(_ work: () -> Void) -> Double {
    var result = Double.infinity
    for _ in 0..<7 {
      let start = Clock.now
      work()
      result = min(result, Clock.now - start)
    }
    return result
  }
}
