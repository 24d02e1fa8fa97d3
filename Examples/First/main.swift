import Foundation
import OfflineCache

let cache = HTTPCache(folder: URL(fileURLWithPath: "pages"))
for address in CommandLine.arguments.dropFirst() {
  guard let url = WebURL(address) else {
    print(address, "is not a URL")
    continue
  }
  do {
    let page = try await cache.data(from: url)
    print(page.answer.response.status, page.url, page.answer.source, page.bytes.count, "bytes")
  } catch {
    print(url, error.localizedDescription)
  }
}
cache.close()
