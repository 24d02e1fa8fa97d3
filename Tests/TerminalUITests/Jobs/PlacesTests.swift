import Document
import Foundation
import Library
import ReaderMode
import Testing

@testable import TerminalUI

@Suite struct PlacesTests {
  private static let now = Date(timeIntervalSince1970: 1_795_262_400)

  private static func record(
    _ url: String = "https://a.test/", percent: Int = 40, offset: Int = 4
  ) -> ReadingLog.Record {
    let document = Document(bytes: Array("<p>one two three four".utf8))
    return ReadingLog.Record(
      url: url, title: "A", date: now, percent: percent,
      anchor: TextAnchor(at: UInt32(offset), in: document, blocks: 1), mark: nil)
  }

  @Test func `a reading position is recorded once`() {
    var places = Places(now: Self.now)
    let written = [Self.record(), Self.record(), Self.record(percent: 50)].map {
      places.write($0)
    }
    #expect(written == [true, false, true])
    #expect(places.isWritten("https://a.test/", Self.record().anchor.offset))
  }

  @Test func `a key postpones the time at rest`() {
    var places = Places(now: Self.now)
    #expect(!places.isAtRest(at: Self.now + 4) && places.isAtRest(at: Self.now + 5))
    places.noteInput(at: Self.now + 4)
    #expect(!places.isAtRest(at: Self.now + 5) && places.isAtRest(at: Self.now + 9))
  }

  @Test func `a page left in the middle is continued there once`() {
    var places = Places(now: Self.now)
    places.recall(Self.record())
    #expect(places.isContinued("https://a.test/", hasFragment: false))
    let beginnings = ["https://b.test/", "https://a.test/", "https://a.test/"].map {
      places.beginning(of: $0, hasFragment: false)
    }
    #expect(beginnings == [nil, .left(Self.record()), nil])
  }

  @Test func `a finished page, or one opened at an anchor, is not continued`() {
    var places = Places(now: Self.now)
    places.recall(Self.record(percent: Places.finished))
    #expect(!places.isContinued("https://a.test/", hasFragment: false))
    let finished = places.beginning(of: "https://a.test/", hasFragment: false)
    #expect(finished == nil)
    places.recall(Self.record())
    let beginnings = [true, false].map { places.beginning(of: "https://a.test/", hasFragment: $0) }
    #expect(beginnings == [nil, .left(Self.record())])
  }

  @Test func `a bookmark takes precedence over the last position, and only on its page`() {
    var places = Places(now: Self.now)
    let mark = Self.record(percent: 80, offset: 8)
    places.recall(Self.record())
    places.go(to: mark)
    let marked = places.beginning(of: "https://a.test/", hasFragment: false)
    #expect(marked == .destination(mark))
    places.go(to: mark)
    let beginnings = ["https://b.test/", "https://a.test/"].map {
      places.beginning(of: $0, hasFragment: false)
    }
    #expect(beginnings == [nil, .left(Self.record())])
  }
}
