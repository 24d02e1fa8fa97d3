import Document
import Crawl
import Exchange
import ArgumentParser
import Foundation
import Pages
import Profiles
import OfflineCache

/// Parses the URLs of pages from the command line and from lists.
enum PageListParser {
  /// Returns the absolute URLs of pages, each once. Lines of the list that are not URLs of pages
  /// are reported and skipped.
  /// - Parameters:
  ///   - tokens: the URLs as typed.
  ///   - listFile: a file with further URLs, one a line; `-` is standard input.
  ///   - allowsBooks: whether imported books count as pages.
  /// - Returns: the URLs in their order.
  /// - Throws: an exit code, after the error was reported.
  static func urls(
    _ tokens: [String], from listFile: String? = nil, allowsBooks: Bool = false
  ) throws -> [TypedURL] {
    try pagesWithCompleteness(tokens, from: listFile, allowsBooks: allowsBooks).pages
  }

  /// Returns the absolute URLs of pages like `urls`, and whether every line of the list named a
  /// page. If `allowsItems` is true, feed items without a page of their own count as pages.
  static func pagesWithCompleteness(
    _ tokens: [String], from listFile: String? = nil, allowsBooks: Bool = false,
    allowsItems: Bool = false
  ) throws -> (pages: [TypedURL], isWhole: Bool) {
    var isWhole = true
    var pages: [TypedURL] = []
    var seen = SeenTexts()
    for word in tokens {
      let typed = try ProfileArguments.url(
        typed: word, allowsBooks: allowsBooks, allowsItems: allowsItems)
      if seen.insert(CacheKey.normalized(typed.url)) { pages.append(typed) }
    }
    guard let listFile else { return (pages, isWhole) }
    try forEachLine(of: listFile) { line in
      let urls = line.links.compactMap { link -> TypedURL? in
        let address = try? Address(typed: link.address, exists: { _ in false })
        return address?.page(allowsBooks: allowsBooks, allowsItems: allowsItems)
          .map { TypedURL($0, typed: link.address) }
      }
      guard !urls.isEmpty else {
        isWhole = false
        StandardOutput.printError(
          "\(locationText(line, in: listFile)): not the URL of a web page:"
            + " \(SafeText.withoutCredentials(inText: line.text))")
        return
      }
      for typed in urls where seen.insert(CacheKey.normalized(typed.url)) { pages.append(typed) }
    }
    guard !pages.isEmpty else {
      StandardOutput.printError("no URL in \(LocalFile.displayName(listFile))")
      throw ExitCode(1)
    }
    return (pages, isWhole)
  }

  /// Returns the position of a line for a message, such as `list.txt:3`.
  static func locationText(_ line: LinkLines.Line, in list: String) -> String {
    "\(LocalFile.displayName(list)):\(line.number)"
  }

  /// Calls `visit` with each line of a list that is neither blank nor a comment.
  /// - Throws: an exit code if the list cannot be read, after that was reported.
  static func forEachLine(of list: String, _ visit: (LinkLines.Line) -> Void) throws {
    let bytes: [UInt8]
    do throws(ReaderError) {
      bytes = try list == "-" ? LocalFile.readStandardInput() : LocalFile.read(list)
    } catch {
      StandardOutput.printError((list == "-" ? "" : "--from: ") + error.description)
      throw ExitCode(error.exitCode)
    }
    for line in LinkLines(decoding: bytes) { visit(line) }
  }
}
