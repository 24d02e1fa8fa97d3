import Foundation
import OfflineCache

/// `client FOLDER URL` prints a page from its server, or the copy saved in FOLDER if the server
/// does not respond.
@main
enum Client {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 3, let url = WebURL(words[2]), url.isWeb else {
      complain("usage: client FOLDER URL")
      exit(2)
    }
    let cache = HTTPCache(folder: URL(fileURLWithPath: words[1]))
    let isShown = await show(url, from: cache)
    // A background revalidation of the copy may still be running.
    cache.finishBackgroundWork(timeout: 20)
    await cache.nonblocking.close()
    exit(isShown ? 0 : 1)
  }

  /// Writes the content as it arrives, and returns whether the page was loaded.
  private static func show(_ url: WebURL, from cache: HTTPCache) async -> Bool {
    for await event in cache.events(for: WebRequest(url: url)) {
      switch event {
      case .response(let answer, let url):
        complain("\(answer.response.status) \(url) \(words(for: answer.source))")
      case .data(let bytes): FileHandle.standardOutput.write(Data(bytes))
      case .finished: return true
      case .failed(let error): complain("\(error)")
      default: break
      }
    }
    return false
  }

  private static func words(for source: LoadedResponse.Source) -> String {
    switch source {
    case .network: "from the server"
    case .validated, .fresh: "saved, and up to date"
    default: "a saved copy"
    }
  }

  private static func complain(_ words: String) {
    FileHandle.standardError.write(Data((words + "\n").utf8))
  }
}
