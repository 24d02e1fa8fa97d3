extension WebURL {
  /// Returns the URL for a host name that may be followed by a port and a path; nil if the text is
  /// invalid. The scheme is https, except for port 80 and for hosts on a private network.
  package static func forHost(_ text: String) -> WebURL? {
    guard let url = WebURL("https://" + text) else { return nil }
    return Site.isPrivate(url.host) || url.port == 80 ? WebURL("http://" + text) : url
  }

  /// Returns whether a host denotes this device, judged by its name.
  package static func isLoopback(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
      || host.hasPrefix("[::1]")
  }
}
