import Dispatch
import Foundation
import OfflineCache
import TestSupport

/// A process that saves pages, for the tests that need several, or kill one.
///
///     Saver save FOLDER HOST FIRST COUNT
///     Saver read FOLDER HOST FIRST COUNT
///
/// `save` loads the pages from a network of its own; standard output gets a dot for each step and a
/// line with the number of each page that is complete. `read` loads what is saved. What is wrong goes
/// to standard error, and makes the exit code 1.
@main
struct Saver {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count == 5, ["save", "read"].contains(words[0]), let first = Int(words[3]),
      let count = Int(words[4])
    else { return report("usage: Saver save|read FOLDER HOST FIRST COUNT", fatal: true) }
    let folder = URL(fileURLWithPath: words[1])
    var configuration = CacheConfiguration(
      location: ArchiveLocation(
        archive: folder.appendingPathComponent("archive"),
        index: folder.appendingPathComponent("cache/index.sqlite")), machine: "m")
    configuration.isReadOnly = words[0] == "read"
    let cache = HTTPCache(configuration, transport: OwnNetwork())
    var isFine = true
    for number in first..<first + count {
      let page = GeneratedPage(host: words[2], number: number)
      isFine = (words[0] == "save" ? save(page, cache) : read(page, cache)) && isFine
    }
    let warning = words[0] == "save" ? cache.warning?.description : nil
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
    guard source != "not saved", content != page.content else { return true }
    report("\(page.url): \(content.count) bytes by \(source)")
    return false
  }

  private static func load(
    _ page: GeneratedPage, _ cache: HTTPCache, _ options: LoadOptions
  ) -> (source: String, content: [UInt8]) {
    let collected = Collection()
    cache.load(HTTPRequest(url: page.url), options: options) { collected.take($0) }
    return collected.wait()
  }

  /// Writes at once.
  static func step(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  private static func report(_ text: String, fatal: Bool = false) {
    var line = text + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    if fatal { exit(2) }
  }
}
