import Foundation
import Saving
import Testing

/// The records of interrupted saves.
@Suite struct InterruptedSaveTests {
  @Test func `records that contain a page or cannot be read are forgotten with it`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("saves-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    for (name, page) in [("has", "http://a.example/"), ("other", "http://b.example/")] {
      try Data("\(page)\n".utf8).write(to: directory.appendingPathComponent("\(name).save"))
    }
    // A link to itself cannot be read.
    let link = directory.appendingPathComponent("unreadable.save").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
    InterruptedSave.forget("http://a.example/", in: directory)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names == ["other.save"])
  }
}
