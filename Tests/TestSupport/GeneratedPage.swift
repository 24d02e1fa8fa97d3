/// A page that consists of its URL on many lines, so that every byte of it can be verified.
public struct GeneratedPage: Sendable {
  /// The number of the page.
  public let number: Int
  /// The URL of the page.
  public let url: String
  /// The content of the page.
  public var content: [UInt8] {
    let line = Array((url + "\n").utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count * lines)
    for _ in 0..<lines { bytes += line }
    return bytes
  }

  private let lines: Int

  /// Creates the page with a number. Every 32nd page is longer than a spool keeps in memory.
  public init(host: String, number: Int) {
    self.number = number
    lines = number % 32 == 31 ? 40_000 : 1 + number % 32 * 40
    url = "https://\(host).example/\(number)"
  }

  /// Creates the page at a URL; nil if there is none.
  public init?(url: String) {
    // The words are "https:", the host, "example" and the number.
    let tokens = url.split { "/.".contains($0) }
    guard tokens.count == 4, let number = Int(tokens[3]) else { return nil }
    self.init(host: String(tokens[1]), number: number)
    guard self.url == url else { return nil }
  }
}
