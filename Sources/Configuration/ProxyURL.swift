import OfflineCache

/// Proxy URLs in the form that libcurl accepts.
enum ProxyURL {
  private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// Returns whether a text is a proxy URL, or empty for no proxy.
  static func isValid(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    guard let url = WebURL(text), let host = url.host, !host.isEmpty else { return false }
    return schemes.contains(url.scheme)
  }
}
