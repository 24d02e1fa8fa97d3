import Document
import Foundation
import Library
import OfflineCache
import ReaderMode
import WARC

/// Ends the process by a fault: a trap, a signal or a stack overflow; does nothing for other names.
/// The program, `CrashingPages FOLDER VERSION FAULT`, searches a library of three pages, and the
/// fault occurs while the second one is read. It prints the found pages and those that were
/// skipped.
func die(by fault: String) {
  func fill(_ depth: Int) -> Int { depth < 0 ? 0 : fill(depth + 1) &* 3 &+ depth }
  switch fault {
  case "trap": fatalError("the page cannot be read")
  case "stack": print(fill(1))
  case "segv": UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
  case "abort": abort()
  case "interrupt": end(by: SIGINT)
  case "terminate": end(by: SIGTERM)
  case "kill": end(by: SIGKILL)
  default: break
  }
}

/// Sends this process a signal as another process would, because most threads block signals that
/// are raised within a thread.
func end(by signal: Int32) {
  Foundation.signal(signal, SIG_DFL)
  kill(getpid(), signal)
  while true { pause() }
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { fatalError("usage: CrashingPages FOLDER VERSION FAULT") }
let (directory, version, fault) = (URL(fileURLWithPath: arguments[1]), arguments[2], arguments[3])

let archive = directory.appendingPathComponent("archive")
let file = archive.appendingPathComponent("pages.warc")
if !FileManager.default.fileExists(atPath: file.path) {
  try FileManager.default.createDirectory(at: archive, withIntermediateDirectories: true)
  var bytes: [UInt8] = []
  for number in 1...3 {
    let record = WARCRecord(
      .resource, date: Date(timeIntervalSince1970: 1_700_000_000),
      targetURI: "http://a.test/\(number)", contentType: "text/html")
    let page = "<title>Page \(number)</title><p>harbour"
    try WARCWriter(compression: .none).write(record, block: Array(page.utf8)) { bytes += $0 }
  }
  try Data(bytes).write(to: file)
}

PageWatch.start(
  directory: directory.appendingPathComponent("crashes"), version: version, isReadOnly: false)
let cache = HTTPCache(folder: directory)
let library = PageLibrary(
  directory: directory.appendingPathComponent("library"),
  database: directory.appendingPathComponent("library.sqlite"), device: "a")
let index = SearchIndex(
  path: directory.appendingPathComponent("search.sqlite"), cache: cache, library: library,
  readPages: { stored, _, view, _, receive in
    if stored.key.hasSuffix("/2") { die(by: fault) }
    let page = "<title>\(stored.key)</title><p>harbour"
    receive(
      stored.key, Document(bytes: Array(page.utf8), mediaType: "text/html", url: "", view: view))
  }, note: { print($0) })
try index.catchUp()
let hits = try index.search(SearchQuery("harbour", timeZone: .gmt), limit: 9)
print(hits.map(\.key).sorted().joined(separator: " "))
for page in PageWatch.drainExcluded() { print("left out: \(page.key): \(page.reason)") }
