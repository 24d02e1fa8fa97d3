import Reader
import Crawl
package import Foundation
import OfflineCache
import WARC

/// What a save had done, so that the same one goes on where it was interrupted: a file with a line
/// for each page, which is gone once the save has come to its end.
package final class InterruptedSave {
  /// After so many seconds it is begun anew.
  static let age: TimeInterval = 7 * 86_400

  /// The URLs of the pages that are done.
  private(set) var done = SeenTexts()
  private let path: String
  private var file: OpenFile?
  /// Whether another process is at the same save.
  private var isElsewhere = false
  private var size: Int64 = 0

  /// Looks for what was done of a request.
  /// - Parameters:
  ///   - request: what is to be saved; another one has nothing to do with it.
  ///   - folder: where such files are.
  ///   - now: the time of day.
  init(_ request: SaveRequest, in folder: URL, now: Date) {
    path = folder.appendingPathComponent(Self.name(of: request)).path
    let files = LocalFileSystem()
    // Of two that do the same at once only one has the file.
    if let known = try? files.openForReading(path), (try? known.tryShare()) == false {
      isElsewhere = true
      return
    }
    guard let status = try? files.status(of: path),
      now.timeIntervalSince1970 - Double(status.modified) / 1e9 < Self.age,
      let file = try? files.openForReading(path)
    else {
      try? files.removeFile(path)
      return
    }
    // A line that was cut by a kill is not done.
    size = Self.forEachLine(of: file) { done.insert(String(decoding: $0, as: UTF8.self)) }
  }

  /// How many bytes are read at a time.
  private static let pieceSize = 1 << 16

  /// Goes through the whole lines of a file.
  /// - Returns: how many bytes they have.
  @discardableResult
  private static func forEachLine(
    of file: OpenFile, _ visit: (ArraySlice<UInt8>) -> Void
  ) -> Int64 {
    var end: Int64 = 0
    var rest: [UInt8] = []
    while let bytes = try? file.bytes(at: end + Int64(rest.count), count: pieceSize),
      !bytes.isEmpty
    {
      rest += bytes
      let whole = (rest.lastIndex(of: 10) ?? -1) + 1
      rest[..<whole].split(separator: 10).forEach(visit)
      rest.removeFirst(whole)
      end += Int64(whole)
    }
    return end
  }

  /// Notes that a page is done and on the disk. What cannot be noted is only done again.
  func note(_ urls: [String]) {
    guard !urls.isEmpty, !isElsewhere else { return }
    let files = LocalFileSystem()
    if file == nil {
      try? files.makeFolders((path as NSString).deletingLastPathComponent)
      file = try? files.openForWriting(path)
      guard (try? file?.tryLock()) == true else {
        isElsewhere = true
        return
      }
      try? file?.truncate(to: size)
    }
    let text = Array(urls.map { $0 + "\n" }.joined().utf8)
    guard (try? file?.write(text, at: size)) != nil else { return }
    size += Int64(text.count)
  }

  /// Notes that the save has come to its end.
  func end() {
    guard !isElsewhere else { return }
    try? LocalFileSystem().removeFile(path)
    file = nil
  }

  /// Takes a page out of what interrupted saves have noted: such a save begins anew.
  /// - Parameters:
  ///   - url: the page.
  ///   - folder: where such files are.
  package static func forget(_ url: String, in folder: URL) {
    let files = LocalFileSystem()
    var names: [String] = []
    _ = files.list(folder.path) { if $0.hasSuffix(".save") { names.append($0) } }
    let line = Array(url.utf8)
    for name in names {
      let path = folder.appendingPathComponent(name).path
      guard let file = try? files.openForReading(path) else { continue }
      var isThere = false
      forEachLine(of: file) { if $0.elementsEqual(line) { isThere = true } }
      guard isThere else { continue }
      try? files.removeFile(path)
    }
  }

  /// The same for the same request.
  private static func name(of request: SaveRequest) -> String {
    let bounds = request.bounds
    var digest = DigestBuilder(.sha256)
    for page in request.pages { digest.update((page + "\n").utf8) }
    let words =
      ["\(bounds.depth) \(bounds.staysOnHost) \(request.includesImages)"]
      + (request.isComplete == true ? ["complete"] : [])
      + bounds.includes.map { "+" + $0 } + bounds.excludes.map { "-" + $0 }
    digest.update(words.joined(separator: "\n").utf8)
    return Hexadecimal.text(digest.digest().bytes.prefix(12)) + ".save"
  }
}
