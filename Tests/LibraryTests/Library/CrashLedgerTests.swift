import Foundation
import Testing

@testable import Library

/// Pages that are skipped after crashing the program.
@Suite struct CrashLedgerTests {
  private static let page = "https://a.test/"

  private static func ledger(_ deaths: [(Int32, String)]) -> CrashLedger {
    var ledger = CrashLedger()
    for (signal, version) in deaths {
      ledger.add(WatchRecord(signal: signal, version: version, pages: [page]))
    }
    return ledger
  }

  @Test(
    arguments: [
      ("no death", [], false),
      ("one", [(SIGILL, "1")], false),
      ("two", [(SIGILL, "1"), (SIGILL, "1")], true),
      ("two by other faults", [(SIGSEGV, "1"), (SIGABRT, "1")], true),
      ("three", [(SIGTRAP, "1"), (SIGBUS, "1"), (SIGILL, "1")], true),
      ("one by another version", [(SIGILL, "0"), (SIGILL, "1")], false),
      ("two by another version", [(SIGILL, "0"), (SIGILL, "0")], false),
      ("two after an upgrade", [(SIGILL, "0"), (SIGILL, "0"), (SIGILL, "1"), (SIGILL, "1")], true),
      ("interrupted", [(SIGINT, "1"), (SIGINT, "1")], false),
      ("terminated", [(SIGTERM, "1"), (SIGTERM, "1")], false),
      ("killed, or no power", [(0, "1"), (0, "1"), (SIGKILL, "1")], false),
      ("a fault and a kill", [(SIGILL, "1"), (0, "1")], false),
    ] as [(String, [(Int32, String)], Bool)])
  func `a page is skipped after two crashes of this version`(
    _ name: String, _ deaths: [(Int32, String)], _ isLeftOut: Bool
  ) {
    let ledger = Self.ledger(deaths)
    #expect(ledger.excludedPages(by: "1").map(\.key) == (isLeftOut ? [Self.page] : []))
  }

  @Test func `another version tries a skipped page again`() {
    let ledger = Self.ledger([(SIGILL, "1"), (SIGILL, "1")])
    #expect(ledger.excludedPages(by: "2").isEmpty)
    #expect(ledger.excludedPages(byOthersThan: "2") == [Self.page])
    #expect(ledger.excludedPages(byOthersThan: "1").isEmpty)
    #expect(ledger.excludedPages(by: "1")[0].reason.contains("twice (SIGILL)"))
  }

  @Test func `pages are counted separately`() {
    var ledger = CrashLedger()
    ledger.add(WatchRecord(signal: SIGILL, version: "1", pages: ["a", "b"]))
    ledger.add(WatchRecord(signal: SIGILL, version: "1", pages: ["b", "c"]))
    #expect(ledger.excludedPages(by: "1").map(\.key) == ["b"])
  }

  @Test(arguments: [0, 127, 128, 1000, 128 + 1024])
  func `an incompletely written file is ignored or contains no pages`(_ length: Int) {
    #expect(WatchRecord([UInt8](repeating: 0, count: length)) == nil)
    var bytes = Array("offread1".utf8) + [4, 0, 0, 0, 0, 0, 0, 0, 0x31]
    bytes += [UInt8](repeating: 0, count: max(0, length - bytes.count))
    let expected = WatchRecord(signal: 4, version: "1", pages: [])
    #expect(WatchRecord(bytes) == (bytes.count < WatchRecord.headLength ? nil : expected))
  }

  @Test func `the page of the crashed thread counts, or those of all threads if it is unknown`() {
    func slot(_ name: String, died: UInt8) -> [UInt8] {
      let head: [UInt8] = [UInt8(name.utf8.count), 0, 0, 0, died, 0, 0, 0]
      let rest = WatchRecord.slotLength - head.count - name.utf8.count
      return head + name.utf8 + [UInt8](repeating: 0, count: rest)
    }
    let head =
      Array("offread1".utf8) + [UInt8(SIGILL)] + [UInt8](repeating: 0, count: 7)
      + "1".utf8 + [UInt8](repeating: 0, count: 111)
    let withFinishedSlot = head + slot("a", died: 0) + slot("", died: 0) + slot("b", died: 1)
    #expect(WatchRecord(withFinishedSlot)?.pages == ["b"])
    let withUnfinishedSlots = head + slot("a", died: 0) + slot("b", died: 0)
    #expect(WatchRecord(withUnfinishedSlots)?.pages == ["a", "b"])
  }

  @Test(arguments: ["", "{", "{\"pages\":3}"])
  func `a damaged file of crashes is set aside before it is replaced`(_ text: String) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("crashes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("crashes.json")
    try Data(text.utf8).write(to: file)
    var record = Array("offread1".utf8) + [UInt8(SIGILL)] + [UInt8](repeating: 0, count: 7)
    record += [0x31] + [UInt8](repeating: 0, count: 111)
    record += [1, 0, 0, 0, 1, 0, 0, 0, 0x61]
    record += [UInt8](
      repeating: 0, count: WatchRecord.headLength + WatchRecord.slotLength - record.count)
    try Data(record).write(to: directory.appendingPathComponent("x.pages"))
    var notes: [String] = []
    let ledger = try PageWatch.collect(in: directory) { notes.append($0) }
    #expect(ledger.pages.map(\.key) == ["a"] && PageWatch.ledger(in: directory) == ledger)
    #expect(notes.count == (text.isEmpty ? 0 : 1))
    let copy = try? Data(contentsOf: file.appendingPathExtension("damaged"))
    #expect(copy == (text.isEmpty ? nil : Data(text.utf8)))
  }
}
