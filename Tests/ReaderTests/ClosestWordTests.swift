@testable import Configuration
import Testing

@testable import Pages

@Suite struct ClosestWordTests {
  @Test func `a suggested word is similar`() {
    let tokens = ["patience", "mode", "timeout"]
    #expect(ClosestWord.to("paitence", among: tokens) == "patience")
    #expect(ClosestWord.to("Mode", among: tokens) == "mode")
    #expect(ClosestWord.to("xyz", among: tokens) == nil)
    // Characters are counted, not bytes.
    #expect(ClosestWord.to("größe", among: ["gröbe"]) == "gröbe")
    #expect(ClosestWord.to("яблоко", among: ["яболко", "трактор"]) == "яболко")
    #expect(ClosestWord.to("日本", among: ["時計"]) == nil)
    #expect(ClosestWord.distance(String(repeating: "a", count: 1000), "a") == .max)
  }
}
