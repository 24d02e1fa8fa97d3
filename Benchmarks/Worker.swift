import Foundation
import OfflineCache
import OfflineCacheURLSession
import Synchronization
import WARC

/// The parts of the work that run in a separate process. Figures in seconds are printed to standard
/// output.
enum Worker {
  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 2 else { throw BenchError("work needs a job and a folder") }
    let folder = arguments[1]
    func number(_ index: Int) throws -> Int {
      guard arguments.count > index, let number = Int(arguments[index]) else {
        throw BenchError("a number is missing")
      }
      return number
    }
    switch arguments[0] {
    case "archive": try makeArchive(folder, records: number(2), segments: number(3))
    case "open":
      let (archive, seconds) = open(folder)
      archive.close()
      print(seconds)
    case "lookup": try lookUp(folder, among: number(2), count: number(3))
    case "catchup":
      let (archive, _) = open(folder)
      for _ in 0..<20 {
        let start = Clock.now
        try archive.catchUp()
        print(Clock.now - start)
      }
      archive.close()
    case "page":
      let page = GeneratedText.page(1, size: try number(2), hasTables: true)
      try Data(page).write(to: URL(fileURLWithPath: folder))
    case "article":
      let page = TerminalBench.article(size: try number(2))
      try Data(page).write(to: URL(fileURLWithPath: folder))
    case "table":
      let table = GeneratedText.table(rows: try number(2), columns: try number(3))
      try Data(table).write(to: URL(fileURLWithPath: folder))
    case "library": try LibraryWorker.make(folder, pages: number(2))
    case "pictures":
      try LibraryWorker.makePictures(folder, pages: number(2), picture: number(3))
    case "segment": try LibraryWorker.makeSegment(folder, bytes: number(2))
    case "outlines": try LibraryWorker.makeOutlines(folder, bytes: number(2))
    case "kept": try LibraryWorker.makeKept(folder, arguments[2], pages: number(3))
    case "search": try LibraryWorker.search(folder, among: number(2))
    case "screen": try LibraryWorker.showScreen(folder)
    case "groups": try GroupWorker.make(folder)
    case "screens": try GroupWorker.showScreens(folder)
    case "paint": try RenderBench.paint(folder)
    case "bidi": RenderBench.bidi()
    case "load": try load(folder, arguments[2], count: number(3), parallel: number(4))
    case "slow": try StreamWorker.receiveSlowly(folder, arguments[2])
    case "upload": try StreamWorker.send(folder, arguments[2])
    case "threads": try StreamWorker.loadAtOnce(folder, arguments[2], count: number(3))
    default: throw BenchError("no job \(arguments[0])")
    }
  }

  private static func location(_ folder: String) -> ArchiveLocation {
    let base = URL(fileURLWithPath: folder, isDirectory: true)
    return ArchiveLocation(
      archive: base.appendingPathComponent("archive", isDirectory: true),
      index: base.appendingPathComponent("index.sqlite"))
  }

  private static func open(_ folder: String) -> (Archive, seconds: Double) {
    let location = location(folder)
    let start = Clock.now
    let archive = Archive(location: location, machine: "bench")
    return (archive, Clock.now - start)
  }

  // MARK: An archive of many small records

  private static func url(_ number: Int) -> String {
    "https://host\(number % 997).example/articles/\(number)/a-page-with-a-name?part=\(number % 7)"
  }

  private static func makeArchive(_ folder: String, records: Int, segments: Int) throws {
    let archive = "\(folder)/archive"
    try FileManager.default.createDirectory(
      atPath: archive, withIntermediateDirectories: true)
    let writer = WARCWriter(compression: .none)
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    for segment in 0..<segments {
      let path = "\(archive)/made-\(1000 + segment).warc"
      guard let file = fopen(path, "w") else { throw BenchError("\(path) cannot be written") }
      defer { fclose(file) }
      for number in stride(from: segment, to: records, by: segments) {
        let body = "page \(number)\n"
        let block =
          "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n"
          + "ETag: \"\(number)\"\r\nLast-Modified: Fri, 13 Nov 2026 10:00:00 GMT\r\n\r\n" + body
        let record = WARCRecord(
          .response, date: date.addingTimeInterval(Double(number)), targetURI: url(number),
          contentType: "application/http;msgtype=response")
        try writer.write(record, block: Array(block.utf8)) { fwrite($0, 1, $0.count, file) }
      }
    }
  }

  private static func lookUp(_ folder: String, among size: Int, count: Int) throws {
    let (archive, opening) = open(folder)
    var times: [Double] = []
    times.reserveCapacity(count)
    var number = 17
    for _ in 0..<count {
      number = (number &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
      let key = url((number >> 3) % size)
      let start = Clock.now
      let found = try archive.captures(of: key)
      times.append(Clock.now - start)
      guard found.count == 1 else { throw BenchError("\(key): \(found.count) versions") }
    }
    archive.close()
    print(opening, times.percentile(0.5), times.percentile(0.99))
  }

  // MARK: Fetching

  private static func load(
    _ folder: String, _ address: String, count: Int, parallel: Int
  ) throws {
    var configuration = CacheConfiguration(location: location(folder), device: "bench")
    // The same number of connections as the program that it is compared with.
    configuration.maxConnectionsPerHost = parallel
    let cache = HTTPCache(configuration)
    let places = DispatchSemaphore(value: 0)
    for _ in 0..<parallel { places.signal() }
    let failures = Mutex<[String]>([])
    for number in 0..<count {
      places.wait()
      guard let url = WebURL("\(address)\(number)") else { continue }
      cache.startInSession(WebRequest(url: url)) { event in
        switch event {
        case .finished(let stored):
          if stored == nil { failures.withLock { $0.append("\(number) was not saved") } }
          places.signal()
        case .failed(let error):
          failures.withLock { $0.append("\(number): \(error)") }
          places.signal()
        case .redirected, .response, .data, .refreshed, .checked: break
        }
      }
    }
    for _ in 0..<parallel { places.wait() }
    cache.close()
    let failed = failures.withLock { $0 }
    guard failed.isEmpty else { throw BenchError("\(failed.count) failed; \(failed[0])") }
  }
}
