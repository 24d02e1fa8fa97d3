import Pages
import Crawl
package import Foundation
import OfflineCache
import WARC

/// The record of a running save, with which the save can be resumed if it is interrupted. It is a
/// file with one line for each finished page, and is deleted when the save is complete.
package final class InterruptedSave {
  /// The age in seconds beyond which a save is not resumed but started from the beginning.
  static let maxAge: TimeInterval = 7 * 86_400

  /// The URLs of the finished pages.
  private(set) var finishedURLs = SeenTexts()
  private let path: String
  private var file: OpenFile?
  /// Whether another process is running the same save.
  private var isRunningElsewhere = false
  private var size: Int64 = 0

  /// Reads the record of a request.
  /// - Parameters:
  ///   - request: the request; each has its own record.
  ///   - directory: the directory of the records.
  ///   - now: the current time.
  init(_ request: SaveRequest, in directory: URL, now: Date) {
    path = directory.appendingPathComponent(Self.name(of: request)).path
    let files = LocalFileSystem()
    // The lock determines which of two processes with the same request writes the file.
    if let known = try? files.openForReading(path), (try? known.tryShare()) == false {
      isRunningElsewhere = true
      return
    }
    guard let status = try? files.status(of: path),
      now.timeIntervalSince1970 - Double(status.modificationTime) / 1e9 < Self.maxAge,
      let file = try? files.openForReading(path)
    else {
      try? files.removeFile(path)
      return
    }
    // A line that was truncated when the process was killed is ignored.
    (size, _) = Self.forEachLine(of: file) {
      finishedURLs.insert(String(decoding: $0, as: UTF8.self))
    }
  }

  /// The number of bytes that are read at a time.
  private static let pieceSize = 1 << 16

  /// Calls a closure for each complete line of a file.
  /// - Returns: the number of bytes of these lines, and whether the file could be read to its end.
  private static func forEachLine(
    of file: OpenFile, _ entry: (ArraySlice<UInt8>) -> Void
  ) -> (size: Int64, isComplete: Bool) {
    var end: Int64 = 0
    var rest: [UInt8] = []
    while let bytes = try? file.bytes(at: end + Int64(rest.count), count: pieceSize) {
      if bytes.isEmpty { return (end, true) }
      rest += bytes
      let whole = (rest.lastIndex(of: 10) ?? -1) + 1
      rest[..<whole].split(separator: 10).forEach(entry)
      rest.removeFirst(whole)
      end += Int64(whole)
    }
    return (end, false)
  }

  /// Records pages that are finished and on the disk. If this fails, the pages are just saved again
  /// when the save is resumed.
  func record(_ urls: [String]) {
    guard !urls.isEmpty, !isRunningElsewhere else { return }
    let files = LocalFileSystem()
    if file == nil {
      try? files.makeDirectories((path as NSString).deletingLastPathComponent)
      file = try? files.openForWriting(path)
      guard (try? file?.tryLock()) == true else {
        isRunningElsewhere = true
        return
      }
      try? file?.truncate(to: size)
    }
    let text = Array(urls.map { $0 + "\n" }.joined().utf8)
    guard (try? file?.write(text, at: size)) != nil else { return }
    size += Int64(text.count)
  }

  /// Deletes the record because the save is complete.
  func end() {
    guard !isRunningElsewhere else { return }
    try? LocalFileSystem().removeFile(path)
    file = nil
  }

  /// Deletes the records of interrupted saves that contain a page, or that may contain it because
  /// they cannot be read. These saves start from the beginning.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - directory: the directory of the records.
  package static func forget(_ url: String, in directory: URL) {
    let files = LocalFileSystem()
    var names: [String] = []
    _ = files.list(directory.path) { if $0.hasSuffix(".save") { names.append($0) } }
    let line = Array(url.utf8)
    for name in names {
      let path = directory.appendingPathComponent(name).path
      var mayContainPage = false
      do throws(ArchiveError) {
        guard let file = try files.openForReading(path) else { continue }
        let end = forEachLine(of: file) { if $0.elementsEqual(line) { mayContainPage = true } }
        if !end.isComplete { mayContainPage = true }
      } catch {
        mayContainPage = true
      }
      if mayContainPage { try? files.removeFile(path) }
    }
  }

  /// Returns the file name for a request, which is the same for equal requests.
  private static func name(of request: SaveRequest) -> String {
    let bounds = request.bounds
    var digest = DigestBuilder(.sha256)
    for page in request.pages { digest.update((page + "\n").utf8) }
    let tokens =
      ["\(bounds.depth) \(bounds.staysOnHost) \(request.includesImages)"]
      + (request.isComplete == true ? ["complete"] : [])
      + request.feeds.map { "feed \($0.url) \($0.maxItems ?? -1)" }
      + bounds.includes.map { "+" + $0 } + bounds.excludes.map { "-" + $0 }
    digest.update(tokens.joined(separator: "\n").utf8)
    return Hexadecimal.text(digest.digest().bytes.prefix(12)) + ".save"
  }
}
