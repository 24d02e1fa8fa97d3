import HTTPCaching

extension Rule {
  /// The properties of a request or response that rules are matched against.
  struct Subject: Sendable {
    /// The requested URL.
    var url: WebURL
    /// The request method.
    var method = "GET"
    /// The lowercase media type of the response without parameters; empty if the response declares
    /// none, nil before there is a response.
    var mediaType: String?
    /// The length of the decoded content in bytes; nil while it is unknown.
    var size: Int64?
  }

  /// Returns whether the rule matches; nil if this cannot be determined yet.
  func applies(to subject: Subject) -> Bool? {
    guard matchesRequest(subject.url, subject.method) else { return false }
    if !mediaTypes.isEmpty {
      guard let type = subject.mediaType else { return nil }
      guard mediaTypes.contains(where: { Glob.matches($0.lowercased().utf8, type.utf8) }) else {
        return false
      }
    }
    guard minSize != nil || maxSize != nil else { return true }
    guard let size = subject.size else { return nil }
    return size >= minSize ?? 0 && size <= maxSize ?? .max
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

extension Rule.Subject {
  /// Creates the properties of a response to a request for a URL.
  init(_ response: ResponseHead, to method: String, _ url: WebURL, size: Int64?) {
    let field = response.fields.values(of: "Content-Type").first ?? ""
    let type = FieldList.trimmed(Array(field.utf8.prefix { $0 != UInt8(ascii: ";") })[...])
    self.init(
      url: url, method: method,
      mediaType: String(decoding: type, as: UTF8.self).lowercased(), size: size)
  }
}

extension WebURL {
  /// The lowercase, percent-decoded extension of the last path component; nil if it has none.
  var pathExtension: String? {
    let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }
    guard name.contains(UInt8(ascii: ".")) else { return nil }
    let end = PercentEncoding.decoded(name.prefix { $0 != UInt8(ascii: ".") }.reversed())
    return end.isEmpty ? nil : String(decoding: end, as: UTF8.self).lowercased()
  }
}
