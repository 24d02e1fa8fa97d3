/// A request after all rewrites.
struct RewrittenRequest: Sendable {
  /// The request to send, before the cache adds its own fields; its URL is the requested one.
  var request: WebRequest
  /// The URL to which the request is sent.
  var target: WebURL
  /// The URL under which the response is stored.
  var storageURL: WebURL
  /// The requested URL.
  private let requestedURL: WebURL
  /// The target prefix (`by`) and the prefix that it replaced; nil if the URL was not rewritten.
  private var replacedPrefix: (by: URLPrefix, prefix: URLPrefix)?
  /// The lowercase names of the fields that rewrites set or remove.
  private(set) var overriddenFields: Set<String> = []

  /// Whether the request is sent to another URL.
  var isRetargeted: Bool { target != requestedURL }
  /// Whether the request is sent to another origin.
  var leavesOrigin: Bool { target.origin != requestedURL.origin }

  /// Applies rewrites to a request for a URL, which must be the normalized URL of the request.
  init(_ request: WebRequest, for url: WebURL, by rewrites: [Rewrite]) {
    self.request = request
    target = url
    storageURL = url
    requestedURL = url
    let applying = rewrites.compactMap { rewrite in
      rewrite.remainder(of: url).map { (rewrite, remainder: $0) }
    }
    for (rewrite, remainder) in applying {
      guard let base = rewrite.target.flatMap(URLPrefix.init),
        let target = base.appending(remainder), target.isWeb
      else { continue }
      self.target = target
      if rewrite.keysByTarget { storageURL = target }
      replacedPrefix = (rewrite.prefix ?? URLPrefix.origin(of: url)).flatMap(URLPrefix.init)
        .map { (base, $0) }
      break
    }
    if leavesOrigin { PortableField.removeOthers(in: &self.request.fields) }
    if target != url { self.request.fields["Host"] = nil }
    applyFieldChanges(applying.map(\.0))
  }

  /// Returns the URL to which a reference in a response leads, mapped back from the target of the
  /// rewrite to the requested URL space if it is below that target.
  func requestedURL(for reference: String) -> String {
    guard let location = target.resolve(reference) else { return reference }
    guard let replacedPrefix, let remainder = replacedPrefix.by.remainder(of: location),
      let source = replacedPrefix.prefix.appending(remainder)
    else { return location.description }
    return source.withFragment(location.fragment).description
  }

  private mutating func applyFieldChanges(_ rewrites: [Rewrite]) {
    for rewrite in rewrites {
      if request.proxy == nil { request.proxy = rewrite.proxy }
      for name in rewrite.removedFields where overriddenFields.insert(name.lowercased()).inserted {
        request.fields[name] = nil
      }
      for field in rewrite.fields where overriddenFields.insert(field.name.lowercased()).inserted {
        request.fields[field.name] = field.value
      }
    }
  }
}
