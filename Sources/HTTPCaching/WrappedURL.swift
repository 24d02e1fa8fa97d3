/// URLs of browsers and their extensions that contain the URL of the page that they show: reader
/// views, the source view, and tabs that an extension suspended.
package enum WrappedURL {
  /// The schemes of reader views: `about:reader?url=` of Firefox, `chrome-distiller:` of Chromium,
  /// `read:` of Edge. Those of extensions end with `extensionSuffix`.
  private static let schemes: Set = ["about", "chrome-distiller", "read"]
  private static let extensionSuffix = "-extension"
  private static let sourcePrefix = "view-source:"

  /// The beginnings of parameters, in the query or fragment, whose value is the URL.
  private static let parameters = ["url=", "uri="]

  /// Returns the web URL that an address contains; nil if the address is of another kind.
  package static func content(of address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon].lowercased()
    if scheme + ":" == sourcePrefix { return String(address[address.index(after: colon)...]) }
    guard schemes.contains(scheme) || scheme.hasSuffix(extensionSuffix) else { return nil }
    var rest = address[colon...]
    while let delimiter = rest.firstIndex(where: { "?#&".contains($0) }) {
      rest = rest[rest.index(after: delimiter)...]
      guard let parameter = parameters.first(where: { rest.hasPrefix($0) }) else { continue }
      // Extensions that do not encode the URL write it last.
      let value = String(rest.dropFirst(parameter.count))
      if WebURL(value)?.isWeb == true { return value }
      let encoded = value.utf8.prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#") }
      return String(decoding: PercentEncoding.decoded(encoded), as: UTF8.self)
    }
    return nil
  }
}
