extension WebURL {
  /// The URL of a host that somebody names, with or without the rest: by https, one of this machine by http.
  package static func ofHost(_ words: String) -> WebURL? {
    let authority = words.prefix { !"/?#".contains($0) }
    let host = authority.hasPrefix("[") ? authority : authority.prefix { $0 != ":" }
    return WebURL((isOfThisMachine(host) ? "http://" : "https://") + words)
  }

  /// Whether a host is this machine, as its name tells.
  package static func isOfThisMachine(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
      || host.hasPrefix("[::1]")
  }
}
