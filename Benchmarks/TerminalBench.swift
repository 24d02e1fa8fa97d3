import Foundation

/// The rows of `scripts/bench terminal`: latencies that users notice, measured on a pseudo-terminal
/// of 80 × 24.
enum TerminalBench {
  /// The first word of each page, which occurs nowhere else.
  private static let firstWord = "Beginning"

  static let rows = [
    BenchRow(name: "start", measure: start),
    BenchRow(name: "book", measure: book),
    BenchRow(name: "keys", measure: keys),
    BenchRow(name: "images", measure: ImageRows.measure),
    BenchRow(name: "begin", measure: begin),
    BenchRow(name: "quit", measure: quit),
    BenchRow(name: "resize", measure: resize),
    BenchRow(name: "idle", measure: idle),
    BenchRow(name: "scroll", measure: scroll),
    BenchRow(name: "memory", measure: memory),
  ]

  private static let runs = 15

  /// Returns the path of a generated page.
  private static func page(_ place: Workplace, _ size: Int) throws -> String {
    let path = "\(place.folder)/read-\(size).html"
    if !FileManager.default.fileExists(atPath: path) {
      _ = try place.work("article", path, String(size))
    }
    return path
  }

  /// Returns the page that `Worker` writes for `article`.
  static func article(size: Int) -> [UInt8] {
    let page = GeneratedText.page(1, size: size)
    let end = Array("</h1>".utf8)
    let body = page.indices.first { page[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
    return Array(page[..<body]) + "<p>\(firstWord) of a page.</p>".utf8 + page[body...]
  }

  private static func open(
    _ place: Workplace, _ arguments: String..., data: String, columns: Int = 80, rows: Int = 24
  ) throws -> PtyProgram {
    try PtyProgram(
      [place.offread] + arguments + ["--data-dir", data], columns: columns, rows: rows,
      home: place.folder)
  }

  // MARK: The first screen

  private static func start(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("start")
    defer { place.removeFolder(data) }
    let sizes = [(10_000, 20.0), (200_000, 30), (8_000_000, 40)]
    let others = ["w3m", "lynx", "elinks"].filter(Workplace.isInstalled)
    return try sizes.flatMap { size, target in
      let file = try page(place, size)
      let url = try place.address() + "/article/\(size)"
      _ = try place.runOffread("save", url, data: data, isSilent: true)
      let own = [
        [place.offread, "--mode", "cache-first", url, "--data-dir", data],
        [place.offread, file, "--data-dir", data],
      ]
      var times = Array(repeating: [Double](), count: own.count + others.count)
      for round in 0..<runs {
        for (index, command) in (own + others.map { [$0, file] }).enumerated() {
          // Other programs take seconds for long pages.
          if index >= own.count, round > 2 { continue }
          let program = try PtyProgram(command, home: place.folder)
          times[index].append((try program.read(until: firstWord) - program.start) * 1e3)
          program.end()
        }
      }
      let beside = zip(others, times.dropFirst(own.count)).map {
        "\($0) \(ResultRow.text($1.median, "ms"))"
      }
      func row(_ what: String, _ times: [Double], _ target: Double, _ note: [String]) -> ResultRow {
        .atMost(
          "\(what) of \(RenderBench.size(size)), process start to first text", times.median, target,
          unit: "ms",
          note: (["least \(ResultRow.text(times.min() ?? .nan, "ms"))"] + note)
            .joined(separator: "; "))
      }
      return [
        row("saved page", times[0], target, []),
        row("file", times[1], target - 5, beside),
      ]
    }
  }

  private static func book(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("book")
    defer { place.removeFolder(data) }
    let file = "\(data)/book.epub"
    let first = try BenchBook.write(file, size: 5_000_000, word: firstWord)
    return try [
      ("its contents", file, "Contents"), ("its first chapter", "\(file)/\(first)", firstWord),
    ]
    .map { name, path, word in
      var times: [Double] = []
      for _ in 0..<runs {
        let program = try open(place, path, data: "\(data)/profile")
        times.append((try program.read(until: word) - program.start) * 1e3)
        program.end()
      }
      return .atMost(
        "an EPUB of 5 MB, process start to \(name)", times.median, 60, unit: "ms",
        note: "least \(ResultRow.text(times.min() ?? .nan, "ms"))")
    }
  }

  // MARK: While a long page is read

  private static func savedLongPage(_ place: Workplace, in data: String) throws -> String {
    let url = try place.address() + "/article/8000000"
    _ = try place.runOffread("save", url, data: data, isSilent: true)
    return url
  }

  private static func begin(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("begin")
    defer { place.removeFolder(data) }
    let url = try savedLongPage(place, in: data)
    let keys = [("a line", "j"), ("a page", " "), ("the next link", "\t")]
    return try keys.map { name, key in
      var times: [Double] = []
      for _ in 0..<runs {
        // A saved reading position would change the first text.
        try? FileManager.default.removeItem(atPath: data + "/state/reading.jsonl")
        let program = try open(place, "--mode", "cache-first", url, data: data)
        defer { program.end() }
        _ = try program.read(until: firstWord)
        _ = program.settle()
        let typed = program.type(key)
        if let seen = program.next() { times.append((seen - typed) * 1e3) }
      }
      return .atMost(
        "\(name) on a saved page of 8 MB, right after its first text, key to frame",
        times.count == runs ? times.median : .infinity, 100, unit: "ms",
        note: "most \(ResultRow.text(times.max() ?? .nan, "ms"))")
    }
  }

  private static func quit(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("quit")
    defer { place.removeFolder(data) }
    let url = try savedLongPage(place, in: data)
    let short = try place.address() + "/article/10000"
    _ = try place.runOffread("save", short, data: data, isSilent: true)
    func row(_ name: String, _ url: String, before keys: String) throws -> ResultRow {
      var times: [Double] = []
      for _ in 0..<runs {
        let program = try open(place, "--mode", "cache-first", url, data: data)
        defer { program.end() }
        _ = try program.read(until: firstWord)
        if !keys.isEmpty {
          program.type(keys)
          _ = program.settle()
        }
        let typed = program.type("q")
        if let ended = program.waitForEnd() { times.append((ended - typed) * 1e3) }
      }
      return .atMost(
        "q \(name), to the end of the program",
        times.count == runs ? times.max() ?? .nan : .infinity,
        200, unit: "ms", note: "the slowest of \(runs)")
    }
    var rows = [
      try row("right after the first text of a saved page of 8 MB", url, before: ""),
      try row("on a saved page of 10 KB", short, before: ""),
    ]
    // From now on requests to the server are not answered.
    let silent = try SilentServer()
    let settings = """
      [[rewrite]]
      prefix = "\(try place.address())/"
      to = "\(silent.url)"

      """
    try Data(settings.utf8).write(to: URL(fileURLWithPath: data + "/config.toml"))
    rows.append(try row("while a reload waits for a silent server", short, before: "r"))
    withExtendedLifetime(silent) {}
    return rows
  }

  // MARK: Keys

  private static func keys(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("keys")
    defer { place.removeFolder(data) }
    let program = try open(place, try page(place, 1_000_000), data: data)
    defer { program.end() }
    _ = try program.read(until: firstWord)
    rest(program)
    let table: [(name: String, before: String, key: String, after: String)] = [
      ("scroll a line", "", "j", ""), ("scroll a page", "", " ", ""),
      ("next link", "", "\t", ""), ("hints", "", "f", "\u{7}"),
      ("find next", "/an\r", "n", ""), ("help", "", "H", "q"), ("end of the page", "", "G", "g"),
    ]
    return table.map { name, before, key, after in
      if !before.isEmpty {
        program.type(before)
        rest(program)
      }
      var times: [Double] = []
      for _ in 0..<30 {
        let typed = program.type(key)
        if let last = program.settle().last { times.append((last - typed) * 1e3) }
        guard !after.isEmpty else { continue }
        program.type(after)
        _ = program.settle()
      }
      return .atMost(
        "\(name) on a page of 1 MB, key to frame, median of 30",
        times.count == 30 ? times.median : .infinity, 8, unit: "ms",
        note: "most \(ResultRow.text(times.max() ?? .nan, "ms"))")
    }
  }

  /// Waits until a program is idle.
  private static func rest(_ program: PtyProgram) {
    var last = -1.0
    while let processor = program.processor, processor - last > 0.001 {
      last = processor
      _ = program.settle()
    }
    _ = program.settle()
  }

  // MARK: Resizing

  private static func resize(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("resize")
    defer { place.removeFolder(data) }
    let program = try open(place, try page(place, 5_000_000), data: data)
    defer { program.end() }
    _ = try program.read(until: firstWord)
    rest(program)
    program.type("50%")
    rest(program)
    var times: [Double] = []
    for round in 0..<10 {
      let changed = program.resize(columns: round % 2 == 0 ? 100 : 80, rows: 30 - round % 3)
      if let last = program.settle().last { times.append((last - changed) * 1e3) }
      rest(program)
    }
    return [
      .atMost(
        "another size in the middle of a page of 5 MB, to the new screen, median of 10",
        times.count == 10 ? times.median : .infinity, 100, unit: "ms",
        note: "most \(ResultRow.text(times.max() ?? .nan, "ms"))")
    ]
  }

  // MARK: Idle

  private static func idle(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("idle")
    defer { place.removeFolder(data) }
    let url = try place.address() + "/article/200000"
    _ = try place.runOffread("save", url, data: data, isSilent: true)
    let program = try open(place, "--mode", "cache-first", url, data: data)
    defer { program.end() }
    _ = try program.read(until: firstWord)
    rest(program)
    // State that is saved after a second without input is part of reading, and idle threads end
    // after five seconds.
    Thread.sleep(forTimeInterval: 7)
    guard let before = program.processor, let beforeMain = program.mainProcessor else {
      return [.plain("processor time at rest", "not told by this system")]
    }
    Thread.sleep(forTimeInterval: 5)
    let main = ((program.mainProcessor ?? .infinity) - beforeMain) * 1e3
    let all = ((program.processor ?? .infinity) - before) * 1e3
    return [
      .atMost("processor time of the reader in 5 s at rest", main, 0, unit: "ms"),
      .plain(
        "of the whole process, with libdispatch's own timer of a second",
        ResultRow.text(all, "ms")),
    ]
  }

  // MARK: Slow connections

  private static func scroll(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("scroll")
    defer { place.removeFolder(data) }
    let file = try page(place, 200_000)
    let lines = try ChildProcess.run([place.offread, "dump", "--width", "72", file]).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    let program = try open(place, file, data: data)
    defer { program.end() }
    _ = try program.read(until: firstWord)
    rest(program)
    let (first, count) = (20, 200)
    var bytes = 0
    for _ in 0..<count {
      program.type("j")
      bytes += program.settle().bytes.count
    }
    let text = lines[first..<first + count].reduce(0) { $0 + $1.utf8.count }
    return [
      .atMost(
        "bytes written for \(count) lines, one by one, against their text",
        Double(bytes) / Double(text), 2, unit: "×",
        note: "\(bytes / count) : \(text / count) bytes a line")
    ]
  }

  // MARK: Memory

  private static func memory(_ place: Workplace) throws -> [ResultRow] {
    let data = try place.newFolder("memory")
    defer { place.removeFolder(data) }
    let url = try place.address() + "/article/750000"
    _ = try place.runOffread("save", url, data: data, isSilent: true)
    let program = try open(place, "--mode", "cache-first", url, data: data)
    defer { program.end() }
    _ = try program.read(until: firstWord)
    rest(program)
    guard let memory = program.memory else {
      return [.plain("memory with a page of 750 KB", "not told by this system")]
    }
    return [.atMost("memory with a page of 750 KB on screen", memory, 40, unit: "MB")]
  }
}
