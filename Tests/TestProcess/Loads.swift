import Dispatch
import Foundation
import OfflineCache
import Synchronization
import TestFiles
import TestSupport

/// Many concurrent loads through URLSession and libcurl, in a process in which nothing else opens
/// descriptors or allocates memory.
struct Loads {
  /// The number of loads, after 2000 loads that allocate everything that is allocated once.
  let count: Int
  /// The maximum number of bytes by which the process may grow during these loads.
  let growth: Int

  private static let parallel = 16, warmUp = 2000

  private let server: ScriptedServer
  private let directory: URL
  private let cache: HTTPCache
  private let filler = String(repeating: "text ", count: 400)

  init(count: Int, growth: Int) {
    (self.count, self.growth) = (count, growth)
    guard let server = try? ScriptedServer() else { fatalError("no server can be started") }
    self.server = server
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let location = ArchiveLocation(
      archive: directory.appendingPathComponent("archive"),
      index: directory.appendingPathComponent("index.sqlite"))
    cache = HTTPCache(CacheConfiguration(location: location, device: "test"))
  }

  /// Runs the loads.
  /// - Returns: messages about wrong loads and about leaks; empty if there are none.
  func run() -> [String] {
    server.onOthers { [filler] request in
      .response([("Cache-Control", "max-age=1000")], text: request.target + filler)
    }
    defer {
      cache.close()
      try? FileManager.default.removeItem(at: directory)
    }
    var complaints = complaints(of: Self.warmUp)
    let (open, memory) = (Self.descriptors, Self.residentMemory)
    guard open > 0, memory > 0 else { return ["/proc tells neither descriptors nor memory"] }
    complaints += self.complaints(of: count)
    if Self.descriptors > open + 8 {
      complaints.append("\(open) descriptors became \(Self.descriptors)")
    }
    let grown = Self.residentMemory - memory
    if grown > growth { complaints.append("\(memory) bytes of memory grew by \(grown)") }
    return complaints
  }

  /// Runs loads, `parallel` of them at a time, and returns messages about problems.
  private func complaints(of count: Int) -> [String] {
    let right = Atomic<Int>(0)
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: Self.parallel) { _ in
      while true {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        if isRight(number) { right.add(1, ordering: .relaxed) }
      }
    }
    var complaints: [String] = []
    let rightCount = right.load(ordering: .relaxed)
    if rightCount < count { complaints.append("\(count - rightCount) of \(count) loads are wrong") }
    if !cache.finishBackgroundWork(timeout: 60) { complaints.append("work is left") }
    return complaints
  }

  /// Loads a page, and returns whether the content is correct. Every seventh load is cancelled
  /// immediately.
  private func isRight(_ number: Int) -> Bool {
    let target = "/page/\(number % 200)"
    let result = Mutex((content: [UInt8](), error: LoadError?.none))
    let end = DispatchSemaphore(value: 0)
    let load = cache.start(WebRequest(url: server.url + target)) { event in
      switch event {
      case .data(let bytes): result.withLock { $0.content += bytes }
      case .finished: end.signal()
      case .failed(let error):
        result.withLock { $0.error = error }
        end.signal()
      case .redirected, .response, .refreshed, .checked: break
      }
    }
    let isGivenUp = number % 7 == 3
    if isGivenUp { load.cancel() }
    end.wait()
    return result.withLock { result in
      if isGivenUp, case .transport(let failure) = result.error, failure.kind == .cancelled {
        return true
      }
      return result.error == nil && result.content == Array((target + filler).utf8)
    }
  }

  /// The number of open descriptors of the process.
  private static var descriptors: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
  }

  /// The resident memory of the process in bytes.
  private static var residentMemory: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let tokens = text.components(separatedBy: " ")
    return tokens.count > 1 ? (Int(tokens[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }
}
