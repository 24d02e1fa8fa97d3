import Testing

@testable import OfflineCache

@Suite struct SiteTests {
  @Test(
    arguments: [
      ("a.org", "a.org", true), ("a.org", "www.a.org", true), ("m.a.org", "www.a.org", true),
      ("a.org", "b.org", false), ("xa.org", "a.org", false), ("a.co.uk", "b.co.uk", false),
      ("x.a.co.uk", "y.a.co.uk", true), ("10.0.0.1", "20.0.0.1", false),
      ("[::1]", "[::1]", true), ("localhost", "localhost", true), ("localhost", "a.org", false),
    ] as [(String, String, Bool)])
  func `hosts of the same site are recognized`(_ a: String, _ b: String, _ isSame: Bool) {
    #expect(Site.isSame(a, b) == isSame)
    #expect(Site.isSame(b, a) == isSame)
  }

  @Test(
    arguments: [
      ("10.1.2.3", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.0.1", true),
      ("192.169.0.1", false), ("169.254.1.1", true), ("100.64.0.1", true), ("100.128.0.1", false),
      ("127.0.0.1", true), ("8.8.8.8", false), ("[::1]", true), ("[fe80::1]", true),
      ("[fd00::1]", true), ("[2001:db8::1]", true), ("203.0.113.9", true),
      ("[2606:4700::1111]", false), ("[::ffff:10.0.0.1]", true),
      ("router", true), ("printer.local", true), ("a.home.arpa", true),
      ("local.example.org", false),
      ("example.org", false),
    ] as [(String, Bool)])
  func `private hosts are recognized`(_ host: String, _ isPrivate: Bool) {
    #expect(Site.isPrivate(host) == isPrivate)
  }
}
