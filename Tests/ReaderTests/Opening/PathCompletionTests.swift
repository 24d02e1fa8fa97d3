import Foundation
import Testing

@testable import Reader

@Suite struct PathCompletionTests {
  @Test(
    arguments: [
      ("", ["sub/", "a file.html", "b.txt"]), ("a", ["a file.html"]), ("s", ["sub/"]),
      ("sub/", ["sub/c.html"]), ("sub/c", ["sub/c.html"]), ("sub/x", []), (".", [".hidden"]),
      ("none/", []), ("A", []),
    ] as [(String, [String])])
  func `names that begin with the typed path are found`(
    typed: String, expected: [String]
  ) throws {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: home) }
    try FileManager.default.createDirectory(
      at: home.appendingPathComponent("sub"), withIntermediateDirectories: true)
    for name in ["b.txt", "a file.html", ".hidden", "sub/c.html"] {
      try Data().write(to: home.appendingPathComponent(name))
    }
    for (prefix, before) in [("absolute", home.path + "/"), ("home", "~/")] {
      let found = PathCompletion.paths(beginningWith: before + typed, limit: 9, home: home.path)
      #expect(found == expected.map { before + $0 }, "\(prefix)")
    }
    try Data().write(to: home.appendingPathComponent("n\nl.html"))
    #expect(PathCompletion.paths(beginningWith: "~/n", limit: 9, home: home.path).isEmpty)
    let urls = PathCompletion.paths(
      beginningWith: "~/n", limit: 9, home: home.path, givesURLs: true)
    #expect(urls == ["file://\(home.path)/n%0Al.html"])
    #expect(PathCompletion.paths(beginningWith: "~/", limit: 1, home: home.path) == ["~/sub/"])
    #expect(PathCompletion.paths(beginningWith: "~/", limit: 1, home: nil).isEmpty)
  }
}
