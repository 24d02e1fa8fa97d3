import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

@Suite("Memoization of parsed values of a page")
struct ValueMemoTests {
  @Test
  func `a memoized result equals the computed one, whatever the earlier values were`() {
    var random = SplitMix64(seed: 11)
    // Few letters, so that values recur and share prefixes and lengths.
    let page = (0..<4096).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 3) }
    func sum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
      bytes.reduce(7) { $0 &* 31 &+ UInt64($1) }
    }
    page.withUnsafeBufferPointer { bytes in
      var cache = AttributeValueCache()
      var computationCount = 0
      for _ in 0..<20_000 {
        let start = Int(random.next() % 4000)
        let range = start..<start + Int(random.next() % 40)
        let cachedResult = cache.result(of: range, in: bytes) { value in
          computationCount += 1
          return sum(value)
        }
        let value = UnsafeBufferPointer(rebasing: bytes[range])
        #expect(cachedResult == (range.isEmpty ? 0 : sum(value)))
      }
      #expect(computationCount < 20_000)
    }
  }

  @Test(arguments: 1...40)
  func `a value repeated immediately is not computed again`(_ count: Int) {
    let page = [UInt8](repeating: 120, count: 2 * count) + [121]
    page.withUnsafeBufferPointer { bytes in
      var cache = AttributeValueCache()
      var computationCount = 0
      for start in [0, count, 0, 1] {
        let cachedResult = cache.result(of: start..<start + count, in: bytes) { _ in
          computationCount += 1
          return 5
        }
        // If it reaches the end, the last byte of the last value differs.
        #expect(cachedResult == 5)
      }
      #expect(computationCount == 1)
      _ = cache.result(of: count + 1..<2 * count + 1, in: bytes) { _ in
        computationCount += 1
        return 6
      }
      #expect(computationCount == 2)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `memoized visibility does not change which elements are hidden`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let attributes = [
      "", " hidden", " style='display:none'", " style='visibility:hidden'", " class=a", " class=b",
      " style='visibility:visible'", " class='a b'", " id=c", " aria-hidden=true",
    ]
    var html = "<style>.a{display:none} .b .a{display:block} #c{visibility:hidden}</style>"
    var open: [String] = []
    for number in 0..<80 {
      if random.next() % 3 == 0, let name = open.popLast() {
        html += "</\(name)>"
      } else {
        let name = ["div", "section", "p", "span", "ul"][Int(random.next() % 5)]
        html += "<\(name)\(attributes[Int(random.next() % 10)])>text \(number) "
        open.append(name)
      }
    }
    let tree = DOMParser.parse(Array(html.utf8))
    let page = PageBlocks(tree)
    #expect(
      tree.hiddenElements(page.hidingRules, isKnownVisible: page.isKnownVisible)
        == tree.hiddenElements(page.hidingRules))
  }
}
