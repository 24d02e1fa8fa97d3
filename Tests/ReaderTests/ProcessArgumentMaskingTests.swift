import Platform
import Testing

@Suite struct PasswordArgumentTests {
  /// Returns the bytes of an argument, and of the next one, after hiding the password in it.
  private static func hidden(
    _ credentials: [UInt8], in ending: [UInt8], of argument: [UInt8]
  ) -> [UInt8] {
    var memory = (argument + [0] + Array("next=1".utf8) + [0]).map(CChar.init(bitPattern:))
    memory.withUnsafeMutableBufferPointer { buffer in
      guard let text = buffer.baseAddress else { return }
      ProcessArgumentMasking.overwritePassword(
        PathText.decode(credentials), in: PathText.decode(ending), at: text)
    }
    return memory.map(UInt8.init(bitPattern:))
  }

  @Test(
    arguments: [
      ("user:secret", "user:secret", "-uuser:secret", "-uuser:xxxxxx"),
      ("u:p:q", "http://u:p:q@h/", "http://u:p:q@h/", "http://u:xxx@h/"),
      ("u:é", "u:é", "u:é", "u:xx"), ("u:", "u:", "u:", "u:"), ("user", "user", "user", "user"),
      ("u:secret", "u:secret", "u:other", "u:other"), ("u:secret", "u:secret", "t", "t"),
      ("u:secret", "u:secret", "u:secret/x", "u:secret/x"),
    ] as [(String, String, String, String)])
  func `only the password is overwritten`(
    _ credentials: String, _ ending: String, _ argument: String, _ expected: String
  ) {
    let memory = Self.hidden(
      Array(credentials.utf8), in: Array(ending.utf8), of: Array(argument.utf8))
    #expect(memory == Array((expected + "\0next=1\0").utf8))
  }

  @Test(arguments: [5, 200])
  func `bytes that are not UTF-8 do not move the overwritten range`(_ count: Int) {
    let raw = [UInt8](repeating: 0xE9, count: count)
    let credentials = Array("u:".utf8) + raw
    let replaced = Array("u:".utf8) + [UInt8](repeating: 0x78, count: count)
    let rest = Array("\0next=1\0".utf8)
    #expect(Self.hidden(credentials, in: credentials, of: credentials) == replaced + rest)
    let url = Array("http://h\u{FC}/".utf8) + credentials + Array("@h/".utf8)
    #expect(
      Self.hidden(credentials, in: url, of: url)
        == Array("http://h\u{FC}/".utf8) + replaced + Array("@h/".utf8) + rest)
  }

  @Test(
    arguments: [
      ("http://u:p@h/", "u:p"), ("u:p@h", "u:p"), ("https://a@b:c@h:8/x@y", "a@b:c"),
      ("http://u:\u{EFE9} é@h", "u:\u{EFE9} é"), ("http://h/u:p@x", nil), ("http://h?u:p@x", nil),
      ("h", nil), ("", nil),
    ] as [(String, String?)])
  func `the credentials in a URL are found as they are written`(_ url: String, _ text: String?) {
    #expect(ProcessArgumentMasking.credentials(inURL: url).map(String.init) == text)
  }
}
