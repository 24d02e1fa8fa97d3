/// The file naming scheme of a mirroring program.
///
/// With wget's `--restrict-file-names`, names contain decoded bytes by default, except that slashes
/// and control characters are written as `%XX`. In the Windows mode, this also applies to
/// ``\ | : ? " * < >``, `@` replaces `?`, and `+` precedes the port. Other programs keep the
/// encoding of the URL.
struct MirrorNames: Sendable {
  /// The separator between the host and the port.
  let portSeparator: String
  /// The separator between the path and the query.
  let querySeparator: String
  /// Returns whether a byte is written as `%XX`; nil if names keep the encoding of the URL.
  let escapes: (@Sendable (UInt8) -> Bool)?

  /// The naming schemes, most common first.
  static let styles = [
    MirrorNames(portSeparator: ":", querySeparator: "?") { isControl($0) || $0 == 0x2F },
    MirrorNames(portSeparator: ":", querySeparator: "?") {
      isControl($0) || isHigh($0) || $0 == 0x2F
    },
    MirrorNames(portSeparator: "+", querySeparator: "@") { isControl($0) || isReserved($0) },
    MirrorNames(portSeparator: "+", querySeparator: "@") {
      isControl($0) || isHigh($0) || isReserved($0)
    },
    MirrorNames(portSeparator: ":", querySeparator: "?", escapes: nil),
  ]

  /// Returns the possible paths of a URL's file below the directory of its host, most likely first:
  /// the plain name, the name with `.html` (`--adjust-extension`), and the index of a directory
  /// with that name.
  func paths(of url: WebURL) -> [[String]] {
    let path = url.path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    let last = path.last.map { fileName(of: Array($0)) } ?? ""
    // Repeated slashes count as one.
    let parts = path.dropLast().filter { !$0.isEmpty }.map { fileName(of: Array($0)) }
    let base = last.isEmpty ? "index.html" : last
    guard let query = url.query else {
      let plain = [parts + [base]]
      return last.isEmpty
        ? plain : plain + [parts + [base + ".html"], parts + [base, "index.html"]]
    }
    let name = base + querySeparator + fileName(of: Array(query.utf8))
    return [parts + [name], parts + [name + ".html"]]
  }

  private func fileName(of part: [UInt8]) -> String {
    guard let escapes else { return String(decoding: part, as: UTF8.self) }
    let decoded = PercentEncoding.decoded(part)
    return String(decoding: PercentEncoding.encoded(decoded, where: escapes), as: UTF8.self)
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
  private static func isHigh(_ byte: UInt8) -> Bool { (0x80...0x9F).contains(byte) }
  private static func isReserved(_ byte: UInt8) -> Bool { "/\\|:?\"*<>".utf8.contains(byte) }
}
