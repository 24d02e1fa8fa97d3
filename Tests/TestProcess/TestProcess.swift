import Dispatch
import Foundation
import OfflineCache
import TestFiles
import TestSupport

/// A program for tests that need several processes, kill a process, or need a process of their own.
///
///     TestProcess save FOLDER HOST FIRST COUNT
///     TestProcess read FOLDER HOST FIRST COUNT
///     TestProcess loads COUNT GROWTH
///     TestProcess FAULT
///
/// `save` loads pages from a network in memory (`OwnNetwork`); it prints a dot for each step and,
/// for each complete page, a line with its number. `read` loads the saved pages. `loads` loads
/// pages through URLSession and detects leaks; see `Loads`. The name of a `Fault` causes this fault
/// for a sanitizer. Problems are reported on standard error, and the exit code is then 1.
@main
struct TestProcess {
  static func main() {
    let tokens = Array(CommandLine.arguments.dropFirst())
    let numbers = tokens.map { Int($0) }
    switch tokens.first {
    case "save" where tokens.count == 5, "read" where tokens.count == 5:
      guard let first = numbers[3], let count = numbers[4] else { break }
      visit(first..<first + count, of: tokens[2], in: tokens[1], saves: tokens[0] == "save")
    case "loads" where tokens.count == 3:
      guard let count = numbers[1], let growth = numbers[2] else { break }
      let complaints = Loads(count: count, growth: growth).run()
      for line in complaints { report(line) }
      exit(complaints.isEmpty ? 0 : 1)
    case let name? where tokens.count == 1:
      guard let fault = Fault(rawValue: name) else { break }
      return fault.make()
    default: break
    }
    report("usage: TestProcess save|read FOLDER HOST FIRST COUNT | loads COUNT GROWTH | FAULT")
    exit(2)
  }

  /// Saves pages, or reads those of them that are saved.
  private static func visit(
    _ numbers: Range<Int>, of host: String, in directory: String, saves: Bool
  ) -> Never {
    let directory = URL(fileURLWithPath: directory)
    var configuration = CacheConfiguration(
      location: ArchiveLocation(
        archive: directory.appendingPathComponent("archive"),
        index: directory.appendingPathComponent("cache/index.sqlite")), device: "m")
    configuration.isReadOnly = !saves
    let cache = HTTPCache(configuration, transport: OwnNetwork())
    var isFine = true
    for number in numbers {
      let page = GeneratedPage(host: host, number: number)
      isFine = (saves ? save(page, cache) : read(page, cache)) && isFine
    }
    let warning = saves ? cache.warning?.description : nil
    cache.close()
    // A killed process leaves an incomplete record, which the next process truncates. That is not
    // an error.
    let notices = cache.archive.takeNotices().filter {
      if case .tornTail = $0 { false } else { true }
    }
    for line in [warning].compactMap({ $0 }) + notices.map(\.description) {
      report(line)
      isFine = false
    }
    exit(isFine ? 0 : 1)
  }

  private static func save(_ page: GeneratedPage, _ cache: HTTPCache) -> Bool {
    let (source, content) = load(page, cache, LoadOptions())
    guard content == page.content else {
      report("\(page.url): \(content.count) bytes by \(source)")
      return false
    }
    step("\n\(page.number)\n")
    return true
  }

  private static func read(_ page: GeneratedPage, _ cache: HTTPCache) -> Bool {
    var options = LoadOptions()
    options.mode = .cacheOnly
    try? cache.archive.catchUp()
    let (source, content) = load(page, cache, options)
    // The page may not be saved yet, but any other content is an error.
    guard source != "not-saved", content != page.content else { return true }
    report("\(page.url): \(content.count) bytes by \(source)")
    return false
  }

  private static func load(
    _ page: GeneratedPage, _ cache: HTTPCache, _ options: LoadOptions
  ) -> (source: String, content: [UInt8]) {
    let collected = Collection()
    cache.load(WebRequest(url: page.url), options: options) { collected.receive($0) }
    return collected.wait()
  }

  /// Writes a text to standard output without buffering.
  static func step(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  private static func report(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
