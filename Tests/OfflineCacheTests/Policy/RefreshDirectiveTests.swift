import Testing

@testable import OfflineCache

@Suite struct RefreshDirectiveTests {
  @Test(
    arguments: [
      ("0", 0, ""), ("5", 5, ""), ("0; url=/next", 0, "/next"),
      ("2.5;URL=next.html", 2.5, "next.html"),
      (" 1 , url = 'a b' ", 1, "a b"), ("0;/bare", 0, "/bare"), ("0; url=", 0, ""),
      ("0; url=\"x\" y", 0, "x"), ("url=/x", 0, "/x"), ("", 0, ""), ("1.2.3; url=/x", 0, "/x"),
      ("0;url", 0, "url"), ("0; urls/list", 0, "urls/list"), ("0; url='", 0, ""),
    ] as [(String, Double, String)])
  func `delay and target of a refresh`(value: String, delay: Double, target: String) {
    let refresh = RefreshDirective(value)
    #expect(refresh.delay == delay && refresh.target == target, "\(refresh)")
  }
}
