extension Rule {
  /// What rules are asked about.
  struct Subject: Sendable {
    /// The URL that was asked.
    var url: WebURL
    /// The request method.
    var method = "GET"
    /// The media type of the answer without parameters, in lower case; empty when it names none,
    /// nil before there is an answer.
    var mediaType: String?
    /// The length of the decoded content; nil while it is not known.
    var size: Int64?
  }

  /// Whether the rule applies; nil when that is not known yet.
  func applies(to subject: Subject) -> Bool? {
    guard matchesRequest(subject.url, subject.method) else { return false }
    if !mediaTypes.isEmpty {
      guard let type = subject.mediaType else { return nil }
      guard mediaTypes.contains(where: { Glob.matches($0.lowercased().utf8, type.utf8) }) else {
        return false
      }
    }
    guard minimumSize != nil || maximumSize != nil else { return true }
    guard let size = subject.size else { return nil }
    return size >= minimumSize ?? 0 && size <= maximumSize ?? .max
  }

  private func matchesRequest(_ url: WebURL, _ method: String) -> Bool {
    (hosts.isEmpty || hosts.contains { HostPattern.matches($0, url) })
      && (paths.isEmpty || matchesPath(url)) && (extensions.isEmpty || matchesExtension(url))
      && (methods.isEmpty || methods.contains { $0.uppercased() == method.uppercased() })
      && condition?.holds(url, method) ?? true
  }

  private func matchesPath(_ url: WebURL) -> Bool {
    let path = PercentEncoding.decoded(url.path.utf8)
    return paths.contains { Glob.matches(PercentEncoding.decoded($0.utf8), path) }
  }

  private func matchesExtension(_ url: WebURL) -> Bool {
    guard let found = url.pathExtension else { return false }
    return extensions.contains {
      ($0.hasPrefix(".") ? String($0.dropFirst()) : $0).lowercased() == found
    }
  }
}

/// Patterns of hosts.
package enum HostPattern {
  /// Whether a URL's host, and its port if the pattern names one, are what a pattern describes.
  package static func matches(_ pattern: String, _ url: WebURL) -> Bool {
    guard let host = url.host else { return false }
    let (name, port) = parts(pattern)
    if let port, port != url.port ?? (url.scheme == "https" ? 443 : 80) { return false }
    // A name with other letters is compared in its ASCII form; a star takes no part in that.
    let ascii = name.contains("*") ? name.lowercased() : HostName.normalised(Array(name.utf8)[...])
    return Glob.matches((ascii ?? name).utf8, host.utf8)
  }

  private static func parts(_ pattern: String) -> (name: String, port: Int?) {
    guard let colon = pattern.lastIndex(of: ":"),
      let port = Int(pattern[pattern.index(after: colon)...])
    else { return (pattern, nil) }
    return (String(pattern[..<colon]), port)
  }
}

extension WebURL {
  /// The extension of the last part of the path, decoded, in lower case; nil when it has none.
  var pathExtension: String? {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    guard name.contains(UInt8(ascii: ".")) else { return nil }
    let end = PercentEncoding.decoded(name.prefix { $0 != UInt8(ascii: ".") }.reversed())
    return end.isEmpty ? nil : String(decoding: end, as: UTF8.self).lowercased()
  }
}

/// Patterns as shells write them: `*` stands for any text, also with slashes, `?` for one octet,
/// everything else for itself.
package enum Glob {
  /// Whether all of a text is what a pattern describes.
  ///
  /// Takes time in proportion to the product of both lengths at most, and no stack.
  package static func matches(
    _ pattern: some Collection<UInt8>, _ text: some Collection<UInt8>
  ) -> Bool {
    let (pattern, text) = (Array(pattern), Array(text))
    var (place, index) = (0, 0)
    // The latest star, and where the text after it is tried to begin.
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, index)
        place += 1
      } else if place < pattern.count,
        pattern[place] == UInt8(ascii: "?") || pattern[place] == text[index]
      {
        place += 1
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
