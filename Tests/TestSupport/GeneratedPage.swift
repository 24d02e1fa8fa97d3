/// A page whose content is its URL on many lines, so that every byte of it can be checked.
public struct GeneratedPage: Sendable {
  /// Its number.
  public let number: Int
  /// Its URL.
  public let url: String
  /// Its content.
  public var content: [UInt8] {
    let line = Array((url + "\n").utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count * lines)
    for _ in 0..<lines { bytes += line }
    return bytes
  }

  private let lines: Int

  /// The page with a number; every 32nd is longer than what a spool keeps in memory.
  public init(host: String, number: Int) {
    self.number = number
    lines = number % 32 == 31 ? 40_000 : 1 + number % 32 * 40
    url = "https://\(host).example/\(number)"
  }

  /// The page at a URL, or nil when there is none.
  public init?(url: String) {
    // https: HOST example NUMBER
    let words = url.split { "/.".contains($0) }
    guard words.count == 4, let number = Int(words[3]) else { return nil }
    self.init(host: String(words[1]), number: number)
    guard self.url == url else { return nil }
  }
}
