import Foundation

// Applies HTTP Strict Transport Security (RFC 6797).
extension HTTPCache {
  /// Returns the https URL for an http URL whose host has an HSTS policy; nil for any other URL. If
  /// the policies cannot be read, the error is recorded as the warning.
  func secured(_ url: WebURL) -> WebURL? {
    guard url.scheme == "http", let host = url.host else { return nil }
    do throws(ArchiveError) {
      guard try hstsStore.value.contains(host, now: clock()) else { return nil }
    } catch {
      record(.credentials("the list of hosts that require https cannot be read: \(error.reason)"))
      return nil
    }
    return url.secured
  }

  /// Returns the cache key of the https URL for the key of an http URL whose host has an HSTS
  /// policy; nil for any other key.
  func securedKey(_ key: String) -> String? {
    guard key.hasPrefix("http:"), let url = WebURL(key).flatMap(secured) else { return nil }
    return self.key(of: url)
  }

  /// Applies the HSTS policy in a response. The certificate of the server needs no further check,
  /// because a connection with an invalid certificate delivers no response.
  func applyStrictTransport(_ response: ResponseHead, of url: WebURL) {
    guard url.scheme == "https", let host = url.host,
      let policy = StrictTransport(response.fields)
    else { return }
    let now = clock()
    do throws(ArchiveError) {
      guard try hstsStore.value.isChanged(policy, of: host, now: now) else { return }
      try hstsStore.change { $0.apply(policy, of: host, now: now) }
    } catch {
      record(error)
    }
  }
}
