import ArgumentParser
import Foundation
import OfflineCache
import Reader

/// `offread add URL...`: what `save` does, without waiting for the network.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Keep pages that the next sync, or a reader that runs, fetches.")

  @Argument(
    help: "http or https URLs; - takes them from standard input, one a line. Of another program: offread:URL.")
  var urls: [String]

  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue, help: "Give the pages a tag.")
  var tags: [String] = []

  @Flag(help: "Keep style sheets, scripts and fonts too.")
  var complete = false

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    for tag in tags where LibraryAttribute.tag(tag) == nil {
      throw ValidationError("--tag takes a word")
    }
  }

  mutating func run() throws {
    var list = QueuedList()
    for word in urls where word != "-" { list.take(word) }
    if urls.contains("-") { try PageList.forEachLine(of: "-") { list.take($0) } }
    guard !list.pages.isEmpty else {
      if list.isWhole { StandardOutput.complain("there is no URL in standard input") }
      throw ExitCode(list.exitCode == 0 ? 1 : list.exitCode)
    }
    let said = tags.compactMap(LibraryAttribute.tag).map { (LibraryAttribute.tag($0), "1") }
      + (complete ? [(.complete, "1")] : [])
    let count = try arguments.withProfile { profile throws in
      var changes: [LibraryChange] = []
      var count = 0
      for page in list.pages {
        guard let key = profile.cache.key(of: page.url) else { continue }
        count += 1
        changes.append(LibraryChange(key, .queued, ""))
        changes += LibraryChange.address(page.url, of: key)
        // What nobody here has asked for is fetched once, and not asked for again by every sync.
        if page.isHandedOver {
          let known = try profile.library.page(key)
          guard known.kept == nil, known.queued == nil else {
            changes.removeLast(changes.count - (changes.firstIndex { $0.key == key } ?? 0))
            continue
          }
          changes.append(LibraryChange(key, .handedOver, "1"))
        } else {
          changes.append(LibraryChange(key, .handedOver, nil))
          changes.append(LibraryChange(key, .kept, "1"))
        }
        changes += said.map { LibraryChange(key, $0.0, $0.1) }
      }
      try profile.library.record(changes)
      return count
    }
    if !quiet {
      let words =
        "queued \(ByteCount.count(count, "page")); offread sync, or a reader that runs, fetches"
        + " \(count == 1 ? "it" : "them")\n"
      try StandardOutput.write(Array(words.utf8))
    }
    if list.exitCode != 0 { throw ExitCode(list.exitCode) }
  }
}

/// The pages of a command line, and of lines, that are to be queued.
private struct QueuedList {
  private(set) var pages: [(url: String, isHandedOver: Bool)] = []
  /// 0 when each word named a page.
  private(set) var exitCode: Int32 = 0
  private var seen = SeenTexts()

  /// Whether each word named a page.
  var isWhole: Bool { exitCode == 0 }

  /// Takes an address; what is none is told.
  mutating func take(_ word: String) {
    if HandedOverAddress.isMeant(word) {
      do throws(HandedOverAddress.Mistake) {
        add(try HandedOverAddress(word).url, isHandedOver: true)
      } catch {
        complain(error.description)
      }
      return
    }
    do throws(ReaderError) {
      if case .web(let url) = try Address(typed: word, exists: { _ in false }) {
        return add(url, isHandedOver: false)
      }
      complain("only pages of the web are saved, not \(SafeText.line(word))")
    } catch {
      complain(error.description)
    }
  }

  private mutating func add(_ url: String, isHandedOver: Bool) {
    if seen.insert(url) { pages.append((url, isHandedOver)) }
  }

  private mutating func complain(_ words: String) {
    StandardOutput.complain(words)
    exitCode = 2
  }
}
