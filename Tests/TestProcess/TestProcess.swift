import Dispatch
import Foundation
import OfflineCache
import TestFiles
import TestSupport

/// A process for the tests that need several, kill one, or want one to themselves.
///
///     TestProcess save FOLDER HOST FIRST COUNT
///     TestProcess read FOLDER HOST FIRST COUNT
///     TestProcess loads COUNT GROWTH
///     TestProcess FAULT
///
/// `save` loads the pages from a network of its own; standard output gets a dot for each step and a
/// line with the number of each page that is complete. `read` loads what is saved. `loads` loads
/// pages through URLSession and looks for what that leaves behind; see `Loads`. A `Fault` is made
/// for a sanitizer to find. What is wrong goes to standard error, and makes the exit code 1.
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

  /// Saves pages, or reads what is saved of them.
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
    // A kill leaves a torn tail, which the next process cuts off; that is nothing to complain of.
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
    // Not there yet is fine; anything else than the page is not.
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

  /// Writes at once.
  static func step(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  private static func report(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
