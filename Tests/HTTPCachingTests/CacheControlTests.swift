import Testing

@testable import HTTPCaching

@Suite("Cache-Control")
struct CacheControlTests {
  @Test(
    arguments: [
      (["max-age=60"], CacheControl.Seconds.value(60)), (["MAX-Age=60"], .value(60)),
      (["max-age=\"60\""], .value(60)), (["a, max-age=60 ,b"], .value(60)),
      (["max-age=060"], .value(60)), (["a=\"max-age=1\", max-age=60"], .value(60)),
      (["a=\"x\\\", max-age=1\", max-age=60"], .value(60)),
      (["max-age=60, max-age=1"], .value(60)), (["no-cache", "max-age=60"], .value(60)),
      (["max-age=99999999999999999999"], .value(1 << 31)), (["max-age=60;x"], .value(60)),
      (["max-age=-1"], .malformed), (["max-age=1.5"], .value(1)), (["max-age="], .malformed),
      (["max-age=x60"], .malformed),
      (["public; max-age=60"], .value(60)), (["a=\"x; max-age=1\"; max-age=60"], .value(60)),
      (["a=\"x, max-age=60"], .value(60)), (["a=\"x\\\", max-age=60"], .value(60)),
      (["max-age"], .malformed), (["max-age='60'"], .malformed), (["max-age =60"], .malformed),
      (["max-age= 60"], .malformed), (["max-age=\"60"], .malformed), (["max-age=٦٠"], .malformed),
    ] as [([String], CacheControl.Seconds)])
  func `RFC 9111 §5.2: directive arguments are parsed in every valid form`(
    _ lines: [String], _ expected: CacheControl.Seconds
  ) {
    #expect(CacheControl(lines).seconds("max-age") == expected)
  }

  @Test(arguments: [
    "no-store; max-age=60", "max-age=60;no-store", "private; no-store", "a=\"b, no-store",
    "no-cache=\"set-cookie, no-store", "a=\"b\"; c=\"d, no-store",
  ])
  func `a wrong separator or an unterminated quoted string hides no directive`(_ value: String) {
    #expect(CacheControl([value]).contains("no-store"))
  }

  @Test(arguments: ["", ",,,", "x-max-age=60", "\"max-age=60\"", "="])
  func `absent directives are nil`(_ value: String) {
    #expect(CacheControl([value]).seconds("max-age") == nil)
  }

  @Test func `random input never crashes`() {
    for seed in 0..<3000 {
      var state = UInt64(seed) &* 2_862_933_555_777_941_757 &+ 3_037_000_493
      let alphabet = Array("\",=\\ \ta1é")
      var text = ""
      for _ in 0..<(seed % 13) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      for directive in CacheControl([text]).directives { #expect(!directive.name.isEmpty) }
    }
  }
}
