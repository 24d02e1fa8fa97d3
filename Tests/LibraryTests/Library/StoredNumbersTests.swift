import Document
import Foundation
import ReaderMode
import Testing

@testable import Library

/// Numbers in files that another device, or a damaged disk, has written.
@Suite struct StoredNumbersTests {
  @Test(arguments: ["nan", "inf", "1e300", "-1e300", "99999999999999999999", "0x10p9999", ""])
  func `an invalid interval or time is ignored`(_ value: String) {
    var page = LibraryPage(key: "https://a.test/")
    page.apply(.interval, value, at: 0)
    page.apply(.notBefore, value, at: 0)
    #expect(page.interval == nil && page.retryAfter == nil)
  }

  @Test func `a valid interval or time is accepted`() {
    var page = LibraryPage(key: "https://a.test/")
    page.apply(.interval, "3600", at: 0)
    page.apply(.notBefore, "1795257600", at: 0)
    #expect(page.interval == 3600)
    #expect(page.retryAfter == Date(timeIntervalSince1970: 1_795_257_600))
  }

  @Test(
    arguments: [
      (Int.max, 1), (Int.max, Int.max), (1, Int.max), (Int.min, 5), (5, Int.min), (5, 0), (20, 10),
      (1 << 40, 25),
    ] as [(Int, Int)])
  func `a reading position is within the page, whatever its stored numbers are`(
    _ offset: Int, _ length: Int
  ) throws {
    let document = Document(
      bytes: Array("<p>A page of 25 characters".utf8), mediaType: "text/html", url: "")
    for text in ["", "of 25 characters of text"] {
      let samples = [offset, .min, .max].map { #"{"start":\#($0),"text":"\#(text)"}"# }
      let json =
        #"{"offset":\#(offset),"length":\#(length),"samples":[\#(samples.joined(separator: ","))]}"#
      let anchor = try JSONDecoder().decode(TextAnchor.self, from: Data(json.utf8))
      #expect(anchor.offset(in: document) <= document.text.count)
    }
  }
}
