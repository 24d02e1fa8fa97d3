import Foundation
import Testing

@testable import HTTPCaching

@Suite("No-Vary-Search")
struct NoVarySearchTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let field: String?
    let first: String
    let second: String
    let areSame: Bool

    init(_ field: String?, _ first: String, _ second: String, _ areSame: Bool) {
      testDescription = "\(field ?? "none"): \(first) and \(second)"
      (self.field, self.first, self.second, self.areSame) = (field, first, second, areSame)
    }
  }

  static let rows: [Row] = [
    .init(nil, "?a=1", "?a=1", true), .init(nil, "?a=1", "?a=2", false),
    .init(nil, "?a=1&b=2", "?b=2&a=1", false), .init(nil, "", "?", true),
    .init("params=(\"a\")", "?a=1&b=2", "?b=2", true),
    .init("params=(\"a\")", "?a=1&b=2", "?b=3", false),
    .init("params=(\"a\" \"c\")", "?c&b=2&a", "?b=2", true),
    .init("params=(\"a b\")", "?a+b=1", "?a%20b=2", true),
    .init("params=(\"%61\")", "?a=1", "", true),
    .init("params=(\"a\")", "?A=1", "", false),
    .init("params", "?a=1", "?b=2&c", true), .init("params=?1", "?a=1", "", true),
    .init("params=?0", "?a=1", "", false),
    .init("params, except=(\"id\")", "?id=1&x=2", "?y=3&id=1", true),
    .init("params, except=(\"id\")", "?id=1", "?id=2", false),
    .init("except=(\"id\")", "?a=1", "?a=2", false),
    .init("params=(\"a\"), except=(\"id\")", "?a=1", "", false),
    .init("key-order", "?a=1&b=2", "?b=2&a=1", true),
    .init("key-order", "?a=1&a=2", "?a=2&a=1", false),
    .init("key-order=?0", "?a=1&b=2", "?b=2&a=1", false),
    .init("key-order, params=(\"u\")", "?u=1&b=2&a=1", "?a=1&b=2&u=9", true),
    .init("params=(\"a\");x=1, unknown=\"y\"", "?a=1", "", true),
    .init("params=(a)", "?a=1", "", false), .init("params=\"a\"", "?a=1", "", false),
    .init("key-order=1, params", "?a=1", "", false), .init("params=(\"a\"", "?a=1", "", false),
    .init("params=(\"a\"),", "?a=1", "", false), .init("Params", "?a=1", "", false),
    .init("params=(\"a\")", "?a=%zz&b=%c3%a9", "?b=%C3%A9", true),
    .init("params=(\"a\")", "?b=e%CC%81", "?b=%C3%A9", false),
  ]

  @Test(arguments: rows)
  func `queries are compared according to the field`(_ row: Row) {
    let fields = FieldLines(row.field.map { [.init("no-vary-search", $0)] } ?? [])
    let rule = NoVarySearch(fields)
    let base = "https://h/p"
    #expect(rule.areEquivalent(base + row.first, base + row.second) == row.areSame)
    #expect(rule.areEquivalent(base + row.second, base + row.first) == row.areSame)
    #expect(!rule.areEquivalent(base + row.first, "https://h/q" + row.first))
  }

  @Test func `multiple lines form one dictionary, in which the last value of a key applies`() {
    let rule = NoVarySearch(
      FieldLines([.init("No-Vary-Search", "params"), .init("No-Vary-Search", "params=(\"a\")")]))
    #expect(rule.ignored == .only([Array("a".utf8)]))
  }

  @Test(arguments: [
    "a=1, b=-2.5", "a=\"x\\\"y\\\\\"", "a=tok/en:*", "a=:YWJj:", "a=@1659578233",
    "a=%\"f%c3%bc\"", "a=(1 \"x\" t);q=1;r, b", "a;x=?0", "*a=?1", "a=()",
  ])
  func `RFC 9651 §3.2: other members with values of any type are accepted`(_ text: String) {
    let rule = NoVarySearch(FieldLines([.init("No-Vary-Search", text + " ,\tparams")]))
    #expect(rule.ignored == .allExcept([]))
  }

  @Test(arguments: [
    "a=", "a=?2", "a=\"", "a=\"\\x\"", "a,,b", "a,", "A", "a b", "a=(1 2", "a=(1,2)",
    "a=(1\"x\")",
    "a=:YQ", "a=\"é\"", "a=#", "=1", ";", "a;", "a;X", "a=%", "a=(",
  ])
  func `RFC 9651 §4.2: an invalid dictionary is ignored`(_ text: String) {
    let rule = NoVarySearch(FieldLines([.init("No-Vary-Search", "params, " + text)]))
    #expect(rule.ignored == .only([]))
  }

  @Test func `random input never crashes`() {
    var state: UInt64 = 11
    let alphabet = Array("params=()\"\\?10;,: a%&")
    for count in 0..<5000 {
      var text = count % 2 == 0 ? "params=" : ""
      for _ in 0..<(count % 17) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        text.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      let rule = NoVarySearch(FieldLines([.init("No-Vary-Search", text)]))
      #expect(rule.areEquivalent("http://h/?\(text)", "http://h/?\(text)"))
    }
  }
}
