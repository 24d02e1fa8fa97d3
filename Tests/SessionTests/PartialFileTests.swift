import Foundation
import Testing

@testable import Session

@Suite final class PartialFileTests {
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("offread-draft-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  private var path: String { directory + "/file" }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory).sorted() }
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The results of link(2) on file systems with and without support for hard links.
  private static let links: [Int32?] = [nil, EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EINVAL]

  private func draft(link error: Int32?) -> PartialFile {
    guard let error else { return PartialFile(for: path, number: 1) }
    return PartialFile(
      for: path, number: 1, operations: PartialFileOperations(link: { _, _ in error }))
  }

  @Test(arguments: links)
  func `a file gets its final name when complete, also without hard links`(
    link error: Int32?
  ) throws {
    let file = draft(link: error)
    #expect(try file.open())
    #expect(try file.write(Array("one ".utf8)))
    #expect(try file.write(Array("two".utf8)))
    #expect(try names == [file.partialPath.split(separator: "/").last.map(String.init)])
    #expect(try file.complete())
    #expect(try names == ["file"])
    #expect(text(path) == "one two")
    file.discard()
    #expect(text(path) == "one two")
  }

  @Test(arguments: links)
  func `an existing file is kept, and the complete new file is saved next to it`(link error: Int32?)
    throws
  {
    let file = draft(link: error)
    #expect(try file.open())
    #expect(try file.write(Array("new".utf8)))
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(
      throws: PartialFile.Failure(
        message: "file already exists; the complete file is \(file.partialPath)")
    ) { try file.complete() }
    file.discard()
    #expect(text(path) == "old")
    #expect(text(file.partialPath) == "new")
    #expect(throws: PartialFile.Failure(message: "\(path) already exists", exists: true)) {
      try PartialFile(for: self.path, number: 2).open()
    }
  }

  @Test func `a reserved name is released if the file cannot be completed`() throws {
    let file = draft(link: EPERM)
    #expect(try file.open())
    try FileManager.default.removeItem(atPath: file.partialPath)
    #expect(throws: PartialFile.Failure.self) { try file.complete() }
    #expect(try names == [])
  }

  @Test func `a dropped file leaves nothing behind, whenever it is dropped`() throws {
    let early = PartialFile(for: path, number: 1)
    early.discard()
    #expect(try !early.open())
    #expect(try names == [])

    let file = PartialFile(for: path, number: 2)
    #expect(try file.open())
    #expect(try file.write([1]))
    file.discard()
    #expect(try !file.write([2]))
    #expect(try !file.complete())
    #expect(try names == [])
  }

  @Test func `dropping a file does not close its descriptor during a write`() throws {
    let file = PartialFile(for: path, number: 1)
    #expect(try file.open())
    var before = stat()
    var after = stat()
    let wasLent = try file.withDescriptor { descriptor in
      #expect(fstat(descriptor, &before) == 0)
      file.discard()
      #expect(fstat(descriptor, &after) == 0)
    }
    #expect(wasLent)
    #expect(after.st_ino == before.st_ino)
    #expect((before.st_nlink, after.st_nlink) == (1, 0))
    #expect(try !file.withDescriptor { _ in Issue.record("it is closed") })
  }
}
