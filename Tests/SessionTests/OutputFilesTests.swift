import Foundation
import Platform
import Testing

@testable import Session

/// Files that replace existing ones when they are complete.
@Suite final class OutputFilesTests {
  private let directory: String

  init() throws {
    directory =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("outputs \(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(directory)/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  private func put(_ text: String, _ file: Int32) {
    #expect(write(file, text, text.utf8.count) == text.utf8.count)
  }

  @Test(arguments: [true, false])
  func `a file keeps its content until the new one is complete, and no other file remains`(
    isNameless: Bool
  ) throws {
    let path = directory + "/a"
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    let files = OutputFiles(
      [
        OutputGrant(path, replacesExisting: true),
        OutputGrant(directory + "/b", replacesExisting: true),
      ],
      usesNamelessFiles: isNameless)
    for isComplete in [false, true] {
      let file = files.create(path)
      try #require(file >= 0)
      put("new", file)
      #expect(text("a") == "old")
      if isComplete { #expect(files.complete(path) == 0) } else { files.discard(path) }
      #expect(try names() == ["a"])
    }
    #expect(text("a") == "new")
    let newFile = files.create(directory + "/b")
    try #require(newFile >= 0)
    put("b", newFile)
    #expect(files.complete(directory + "/b") == 0)
    #expect(text("b") == "b")
    var status = stat()
    let mask = umask(0)
    umask(mask)
    #expect(stat(directory + "/b", &status) == 0 && status.st_mode & 0o777 == 0o666 & ~mask)
  }

  @Test(arguments: [true, false])
  func `a file may have a name that is not UTF-8`(isNameless: Bool) throws {
    let directoryName = "\(directory)/\u{EFE9}"
    let (path, writtenName) = (directoryName + "/a", Array("\(directory)/".utf8) + [0xE9])
    let files = OutputFiles(
      [OutputGrant(directoryName, suffix: "a", replacesExisting: true)],
      usesNamelessFiles: isNameless)
    #expect(files.makeDirectory(directoryName) == 0)
    for text in ["old", "new"] {
      let file = files.create(path)
      try #require(file >= 0)
      put(text, file)
      #expect(files.complete(path) == 0)
    }
    var status = stat()
    let bytes = (writtenName + Array("/a".utf8)).map(CChar.init(bitPattern:)) + [0]
    #expect(stat(bytes, &status) == 0 && status.st_size == 3)
    // Foundation cannot remove it.
    unlink(bytes)
    rmdir(writtenName.map(CChar.init(bitPattern:)) + [0])
  }

  @Test(arguments: [true, false])
  func `incomplete files are deleted with their owner`(isNameless: Bool) throws {
    do {
      let files = OutputFiles(
        [OutputGrant(directory + "/a", replacesExisting: true)], usesNamelessFiles: isNameless)
      let file = files.create(directory + "/a")
      try #require(file >= 0)
      put("new", file)
    }
    #expect(try names() == [])
  }

  @Test(arguments: [true, false])
  func `an existing file is not replaced without permission, even one created in the meantime`(
    isNameless: Bool
  ) throws {
    let files = OutputFiles(
      [OutputGrant(directory + "/a", replacesExisting: false)], usesNamelessFiles: isNameless)
    let file = files.create(directory + "/a")
    try #require(file >= 0)
    put("new", file)
    try Data("other".utf8).write(to: URL(fileURLWithPath: directory + "/a"))
    #expect(files.complete(directory + "/a") == EEXIST)
    #expect(files.create(directory + "/a") == -EEXIST)
    #expect(text("a") == "other")
    #expect(try names() == ["a"])
  }

  @Test func `only granted paths are written`() throws {
    let made = directory + "/pages"
    let files = OutputFiles([
      OutputGrant(directory + "/a", replacesExisting: true),
      OutputGrant(made, suffix: ".md", replacesExisting: true),
    ])
    for path in [
      "/b", "/a/../b", "/pages/x.html", "/pages/.x.md", "/pages/../x.md", "/pages/sub/x.md",
      "/pages.md", "", "/pages",
    ] {
      #expect(files.create(directory + path) == -EPERM, "\(path)")
    }
    #expect(files.complete(directory + "/a") == EPERM)
    #expect(files.makeDirectory(directory + "/other") == EPERM)
    #expect(files.create(made + "/x.md") == -ENOENT)
    #expect(files.makeDirectory(made) == 0)
    #expect(files.create(made + "/x.md") >= 0)
    #expect(files.complete(made + "/x.md") == 0)
    #expect(try names() == ["pages"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: made) == ["x.md"])
  }

  @Test func `a directory is created with its parents, and a failure is reported by its reason`()
    throws
  {
    let file = directory + "/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let paths = [
      "/a/b/c", "/a/b/c", "/a/b/c/", "/file", "/file/x", "/" + String(repeating: "n", count: 256),
    ].map { directory + $0 }
    let files = OutputFiles(paths.map { OutputGrant($0, suffix: ".md", replacesExisting: true) })
    #expect(paths.map(files.makeDirectory) == [0, 0, 0, ENOTDIR, ENOTDIR, ENAMETOOLONG])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/a/b") == ["c"])
  }

  @Test
  func `a name that is too long, or in a missing directory, fails before anything is written`() {
    let long = directory + "/" + String(repeating: "n", count: 256)
    let longest = directory + "/" + String(repeating: "n", count: 255)
    let files = OutputFiles(
      [long, longest, directory + "/none/a", directory + "/x/"].map {
        OutputGrant($0, replacesExisting: true)
      })
    #expect(files.create(long) == -ENAMETOOLONG)
    #expect(files.create(directory + "/none/a") == -ENOENT)
    #expect(files.create(directory + "/x/") == -EISDIR)
    #expect(files.create(longest) >= 0)
    #expect(files.complete(longest) == 0)
  }
}
