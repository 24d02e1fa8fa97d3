import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("The stored responses that a load may serve")
struct StoredCopiesTests {
  private static let page = Sample.stored(id: "page")
  private static let copy = Sample.stored(id: "copy")
  private static let bad = Sample.stored(503, id: "bad")

  private static func copies(
    _ stored: [StoredResponse], page: StoredResponse? = nil, reason: CopyReason? = nil
  ) -> StoredCopies {
    var copies = StoredCopies(page: page.map { FallbackPage(page: $0, reason: reason) })
    copies.visible = stored
    copies.variants = Variants(matching: stored)
    return copies
  }

  /// A row of stored responses, with the fallback response that is selected among them.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stored: [StoredResponse]
    let page: StoredResponse?
    let mode: LoadMode
    let fallback: String?
  }

  static let rows = [
    Row(
      testDescription: "a copy is preferred to the page before the redirects",
      stored: [copy], page: page, mode: .networkFirst, fallback: "copy"),
    Row(
      testDescription: "the page before the redirects if there is no good copy",
      stored: [bad], page: page, mode: .networkFirst, fallback: "page"),
    Row(
      testDescription: "no good copy and no page", stored: [bad], page: nil, mode: .networkFirst,
      fallback: nil),
    Row(
      testDescription: "nothing is stored", stored: [], page: nil, mode: .networkFirst,
      fallback: nil),
    Row(
      testDescription: "copies are not used", stored: [copy], page: nil, mode: .networkOnly,
      fallback: nil),
  ]

  @Test(arguments: rows)
  func `the fallback response is selected`(_ row: Row) {
    var copies = Self.copies(row.stored, page: row.page)
    var options = LoadOptions()
    options.mode = row.mode
    copies.selectFallback(for: Sample.request(), options, at: Sample.now)
    #expect(copies.fallback?.id == row.fallback)
    #expect(copies.page?.id == row.page?.id)
  }

  @Test func `an unreadable response is removed, also as the page before the redirects`() {
    var copies = Self.copies([Self.copy, Self.bad], page: Self.page, reason: .offlineMode)
    copies.remove(Self.copy)
    #expect(copies.visible.map(\.id) == ["bad"])
    #expect(copies.variants.matching.map(\.id) == ["bad"])
    #expect(copies.page != nil && copies.offlineReason == .offlineMode)
    copies.remove(Self.page)
    #expect(copies.page == nil && copies.offlineReason == nil)
    copies.remove(Sample.stored(id: "another"))
    #expect(copies.visible.map(\.id) == ["bad"])
  }

  @Test func `the page before the redirects is selected once`() {
    var copies = Self.copies([Self.copy], page: Self.page, reason: .offlineMode)
    #expect(copies.selectPage()?.id == "page")
    #expect(copies.fallback?.id == "page")
    #expect(copies.page == nil && copies.offlineReason == nil)
    #expect(copies.selectPage() == nil)
    #expect(copies.fallback?.id == "page")
  }

  @Test func `a check is recorded for the fallback response only`() {
    var copies = Self.copies([Self.copy])
    let check = StoredResponse.Check(date: Sample.now, result: .unchanged)
    copies.record(check)
    #expect(copies.fallback == nil)
    copies.selectFallback(for: Sample.request(), LoadOptions(), at: Sample.now)
    copies.record(check)
    #expect(copies.fallback?.lastCheck == check)
    #expect(copies.visible.first?.lastCheck == nil)
  }

  @Test func `without stored responses nothing is left to fall back to`() {
    var copies = Self.copies([Self.copy], page: Self.page)
    copies.selectFallback(for: Sample.request(), LoadOptions(), at: Sample.now)
    copies.discardAll()
    #expect(copies.fallback == nil && copies.page == nil)
    copies.selectFallback(for: Sample.request(), LoadOptions(), at: Sample.now)
    #expect(copies.fallback == nil)
    // Older versions are still counted.
    #expect(copies.visible.map(\.id) == ["copy"])
  }
}
