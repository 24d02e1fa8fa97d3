extension WebURL {
  /// The URL of a host that somebody names, with or without the rest: by https, and by http for a host that is
  /// reached within a private network only, or by port 80.
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
