import Document
import Foundation
import Library
import ReaderMode
import Testing

@testable import TerminalUI

@Suite struct ReadingPositionsTests {
  private static let now = Date(timeIntervalSince1970: 1_795_262_400)

  private static func record(
    _ url: String = "https://a.test/", percent: Int = 40, offset: Int = 4
  ) -> ReadingLog.Record {
    let document = Document(bytes: Array("<p>one two three four".utf8))
    return ReadingLog.Record(
      url: url, title: "A", date: now, percent: percent,
      anchor: TextAnchor(at: UInt32(offset), in: document, blocks: 1), bookmark: nil)
  }

  @Test func `a reading position is recorded once`() {
    var positions = ReadingPositions(now: Self.now)
    let written = [Self.record(), Self.record(), Self.record(percent: 50)].map {
      positions.write($0)
    }
    #expect(written == [true, false, true])
    #expect(positions.isLastRecorded("https://a.test/", Self.record().anchor.offset))
  }

  @Test func `input restarts the idle time`() {
    var positions = ReadingPositions(now: Self.now)
    #expect(!positions.isIdle(at: Self.now + 4) && positions.isIdle(at: Self.now + 5))
    positions.recordInput(at: Self.now + 4)
    #expect(!positions.isIdle(at: Self.now + 5) && positions.isIdle(at: Self.now + 9))
  }

  @Test func `a page left in the middle is continued there once`() {
    var positions = ReadingPositions(now: Self.now)
    positions.storeLeftPosition(Self.record())
    #expect(positions.opensBelowTop("https://a.test/", hasFragment: false))
    let beginnings = ["https://b.test/", "https://a.test/", "https://a.test/"].map {
      positions.consumeInitialPosition(of: $0, hasFragment: false)
    }
    #expect(beginnings == [nil, .left(Self.record()), nil])
  }

  @Test func `a finished page, or one opened at an anchor, is not continued`() {
    var positions = ReadingPositions(now: Self.now)
    positions.storeLeftPosition(Self.record(percent: ReadingPositions.minFinishedPercent))
    #expect(!positions.opensBelowTop("https://a.test/", hasFragment: false))
    let finished = positions.consumeInitialPosition(of: "https://a.test/", hasFragment: false)
    #expect(finished == nil)
    positions.storeLeftPosition(Self.record())
    let beginnings = [true, false].map {
      positions.consumeInitialPosition(of: "https://a.test/", hasFragment: $0)
    }
    #expect(beginnings == [nil, .left(Self.record())])
  }

  @Test func `a bookmark takes precedence over the last position, and only on its page`() {
    var positions = ReadingPositions(now: Self.now)
    let marker = Self.record(percent: 80, offset: 8)
    positions.storeLeftPosition(Self.record())
    positions.setDestination(to: marker)
    let marked = positions.consumeInitialPosition(of: "https://a.test/", hasFragment: false)
    #expect(marked == .destination(marker))
    positions.setDestination(to: marker)
    let beginnings = ["https://b.test/", "https://a.test/"].map {
      positions.consumeInitialPosition(of: $0, hasFragment: false)
    }
    #expect(beginnings == [nil, .left(Self.record())])
  }
}
