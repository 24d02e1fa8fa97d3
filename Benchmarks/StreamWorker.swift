import Foundation
import OfflineCache
import OfflineCacheURLSession
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The work of `StreamRows` in a process of its own.
enum StreamWorker {
  /// Loads a URL through a URLSession whose delegate takes 1 ms for each piece.
  static func receiveSlowly(_ folder: String, _ address: String) throws {
    guard let url = URL(string: address) else { throw BenchError("\(address) is not a URL") }
    let cache = HTTPCache(folder: URL(fileURLWithPath: folder, isDirectory: true))
    let configuration = URLSessionConfiguration.ephemeral
    cache.install(in: configuration)
    let delegate = SlowDelegate()
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: url).resume()
    session.finishTasksAndInvalidate()
    let (count, error) = delegate.waitForEnd()
    cache.close()
    if let error { throw error }
    guard count == StreamRows.size << 20 else { throw BenchError("\(count) bytes arrived") }
  }

  private final class SlowDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let result = Mutex<(count: Int, error: (any Error)?)>((0, nil))
    private let end = DispatchSemaphore(value: 0)

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      usleep(1000)
      result.withLock { $0.count += data.count }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      result.withLock { $0.error = error }
      end.signal()
    }

    func waitForEnd() -> (count: Int, error: (any Error)?) {
      end.wait()
      return result.withLock { $0 }
    }
  }

  /// Pieces of 1 MB, as fast as they are requested.
  private struct Megabytes: AsyncSequence {
    let count: Int

    struct Iterator: AsyncIteratorProtocol {
      var remaining: Int

      mutating func next() async -> [UInt8]? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        return [UInt8](repeating: 7, count: 1 << 20)
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(remaining: count) }
  }

  /// Sends a stream.
  static func send(_ folder: String, _ address: String) throws {
    guard let url = WebURL(address) else { throw BenchError("\(address) is not a URL") }
    let cache = HTTPCache(folder: URL(fileURLWithPath: folder, isDirectory: true))
    var request = WebRequest(method: "PUT", url: url)
    request.bodyStream = BodyStream(
      Megabytes(count: StreamRows.size), length: Int64(StreamRows.size) << 20)
    let content = Mutex("")
    let end = DispatchSemaphore(value: 0)
    cache.start(request) { event in
      switch event {
      case .data(let bytes): content.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      case .failed(let error): content.withLock { $0 = "\(error)" }
      default: break
      }
      switch event {
      case .finished, .failed: end.signal()
      default: break
      }
    }
    end.wait()
    cache.close()
    let received = content.withLock { $0 }
    guard received == "\(StreamRows.size << 20)" else { throw BenchError("received: \(received)") }
  }

  /// What many loads found.
  private final class Findings: Sendable {
    let threads = Mutex(0)
    let wrong = Mutex<[String]>([])
  }

  /// Loads many URLs at the same time, and prints the maximum number of threads.
  static func loadAtOnce(_ folder: String, _ address: String, count: Int) throws {
    let cache = HTTPCache(folder: URL(fileURLWithPath: folder, isDirectory: true))
    let findings = Findings()
    let end = DispatchSemaphore(value: 0)
    Task {
      await withTaskGroup { group in
        for number in 0..<count {
          group.addTask {
            guard let url = WebURL("\(address)\(number)") else { return }
            let content = try? await cache.data(from: url).bytes
            if content != GeneratedText.page(number, size: 1024) {
              findings.wrong.withLock { $0.append("\(url)") }
            }
            let running = Self.threadCount
            findings.threads.withLock { $0 = max($0, running) }
          }
        }
      }
      end.signal()
    }
    end.wait()
    cache.close()
    let failed = findings.wrong.withLock { $0 }
    guard failed.isEmpty else { throw BenchError("\(failed.count) are wrong, as \(failed[0])") }
    print(findings.threads.withLock { $0 })
  }

  /// The number of threads of this process; 0 if it is unknown.
  private static var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }
}
