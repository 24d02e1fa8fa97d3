import Foundation

// Hosts that want to be asked by https only (RFC 6797).
extension HTTPCache {
  /// The URL by https of one whose host wants to be asked in no other way; nil for any other URL.
  func secured(_ url: WebURL) -> WebURL? {
    guard url.scheme == "http", let host = url.host, let hosts = try? strictHosts.value,
      hosts.contains(host, now: clock())
    else { return nil }
    return url.secured
  }

  /// The key by https of one whose host wants to be asked in no other way.
  func securedKey(_ key: String) -> String? {
    guard key.hasPrefix("http:"), let url = WebURL(key).flatMap(secured) else { return nil }
    return self.key(of: url)
  }

  /// Takes what a host says by an answer; a connection whose certificate is wrong gives none.
  func noteStrictTransport(_ response: ResponseHead, of url: WebURL) {
    guard url.scheme == "https", let host = url.host,
      let policy = StrictTransport(response.fields)
    else { return }
    let now = clock()
    do throws(ArchiveError) {
      guard try strictHosts.value.changes(policy, of: host, now: now) else { return }
      try strictHosts.change { $0.take(policy, of: host, now: now) }
    } catch {
      note(error)
    }
  }
}
