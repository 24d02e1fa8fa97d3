import Foundation
import FoundationNetworking
import OfflineCache
import OfflineCacheURLSession

/// `replay FILE.warc URL` loads a URL through a URLSession without a network, from the responses in
/// a WARC file. Tests of an application can replace servers in this way.
@main
enum Replay {
  static func main() {
    let words = CommandLine.arguments
    guard words.count == 3, let url = URL(string: words[2]) else {
      FileHandle.standardError.write(Data("usage: replay FILE.warc URL\n".utf8))
      exit(2)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: folder))
    configuration.seeds = [.warc(URL(fileURLWithPath: words[1]))]
    configuration.isOffline = true
    let cache = HTTPCache(configuration)
    let collector = Collector()
    let sessions = URLSessionConfiguration.ephemeral
    cache.install(in: sessions)
    let session = URLSession(configuration: sessions, delegate: collector, delegateQueue: nil)
    session.dataTask(with: url).resume()
    session.finishTasksAndInvalidate()
    collector.isDone.wait()
    cache.close()
    try? FileManager.default.removeItem(at: folder)
    FileHandle.standardOutput.write(collector.content)
    exit(collector.hasFailed ? 1 : 0)
  }
}

/// Collects the content of one task. Until `isDone` is signalled, only the session's queue uses its
/// members.
final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private(set) var content = Data()
  private(set) var hasFailed = false
  let isDone = DispatchSemaphore(value: 0)

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    content.append(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    hasFailed = error != nil
    isDone.signal()
  }
}
