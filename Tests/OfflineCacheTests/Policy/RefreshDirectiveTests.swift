import Testing

@testable import OfflineCache

@Suite struct RefreshDirectiveTests {
  @Test(
    arguments: [
      ("<meta http-equiv=refresh content=0>One moment", "http://a.test/p"),
      ("<meta http-equiv=refresh content='1; url=/q'>", "http://a.test/q"),
      ("<meta http-equiv=refresh content='5; url=/q'>", nil),
      ("<meta http-equiv=refresh content='0; url=/q'><form><button>Go</button></form>", nil),
      ("", nil),
      // Clients show such pages instead of following their refresh.
      ("<meta http-equiv=refresh content=0>" + String(repeating: "wait ", count: 60), nil),
      ("<meta http-equiv=refresh content=0>" + String(repeating: "\u{5F85}", count: 60), nil),
    ] as [(String, String?)])
  func `only a short page without a form is a step of a chain`(text: String, target: String?) {
    let bytes = Array(text.utf8)
    let fields = FieldLines([.init("Content-Type", "text/html")])
    let response = CandidateResponse(
      response: ResponseHead(status: 200, fields: fields), url: Sample.url("http://a.test/p"),
      beginning: bytes, length: Int64(bytes.count))
    #expect(response.refreshTarget?.description == target)
  }

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
