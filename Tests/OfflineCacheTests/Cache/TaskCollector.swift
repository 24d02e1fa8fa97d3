import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the content of a load through any session.
final class TaskCollector: NSObject, URLSessionDataDelegate, Sendable {
  private let body = Mutex<[UInt8]>([])
  private let end = DispatchSemaphore(value: 0)

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    body.withLock { $0 += data }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end.signal()
  }

  /// Waits for the end of the load and returns its content.
  func waitForEnd() -> String {
    end.wait()
    return String(decoding: body.withLock { $0 }, as: UTF8.self)
  }
}
