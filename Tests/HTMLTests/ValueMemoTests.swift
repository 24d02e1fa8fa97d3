import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

@Suite("What is remembered of a page while it is read")
struct ValueMemoTests {
  @Test
  func `what is found in a value is what would be found without a memory, whatever came before`() {
    var random = SplitMix64(seed: 11)
    // Few letters, so that values come again, share their beginnings and their lengths.
    let page = (0..<4096).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 3) }
    func sum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
      bytes.reduce(7) { $0 &* 31 &+ UInt64($1) }
    }
    page.withUnsafeBufferPointer { bytes in
      var memo = ValueMemo()
      var asked = 0
      for _ in 0..<20_000 {
        let start = Int(random.next() % 4000)
        let range = start..<start + Int(random.next() % 40)
        let found = memo.result(of: range, in: bytes) { value in
          asked += 1
          return sum(value)
        }
        let own = UnsafeBufferPointer(rebasing: bytes[range])
        #expect(found == (range.isEmpty ? 0 : sum(own)))
      }
      #expect(asked < 20_000)
    }
  }

  @Test(arguments: 1...40)
  func `a value that comes again at once is not looked into again`(_ count: Int) {
    let page = [UInt8](repeating: 120, count: 2 * count) + [121]
    page.withUnsafeBufferPointer { bytes in
      var memo = ValueMemo()
      var asked = 0
      for start in [0, count, 0, 1] {
        let found = memo.result(of: start..<start + count, in: bytes) { _ in
          asked += 1
          return 5
        }
        // The last byte of the last one is another, where it reaches the end.
        #expect(found == 5)
      }
      #expect(asked == 1)
      _ = memo.result(of: count + 1..<2 * count + 1, in: bytes) { _ in
        asked += 1
        return 6
      }
      #expect(asked == 2)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `what is known to be shown changes nothing of what is hidden`(_ seed: UInt64) {
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
      tree.hiddenElements(page.hiding, isShown: page.isShown) == tree.hiddenElements(page.hiding))
  }
}
