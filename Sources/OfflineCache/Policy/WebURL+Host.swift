extension WebURL {
  /// Returns the URL of a host name that may be followed by port and path. The scheme is https, but http for port
  /// 80 and for hosts of a private network.
  package static func ofHost(_ words: String) -> WebURL? {
    guard let url = WebURL("https://" + words) else { return nil }
    return Site.isPrivate(url.host) || url.port == 80 ? WebURL("http://" + words) : url
  }

  /// Whether a host is this machine, as its name tells.
  package static func isOfThisMachine(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
      || host.hasPrefix("[::1]")
  }
}
