import Containers
import Foundation
import TestSupport
import Testing

@testable import Exchange
@testable import LocalDocuments
@testable import Sandbox

/// Replies of the reader of ZIM files, including malformed ones.
@Suite final class ZIMFileTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  private func file(_ script: String, seconds: Int = 20, output: Int = 1 << 20) throws -> ZIMFile {
    let program = directory.appendingPathComponent("reader")
    try ShellScript.write(script, to: program.path)
    var file = ZIMFile(path: program.path)
    file.substitute = (
      program.path,
      LimitedProcess.Limits(maxSeconds: seconds, maxMemory: 1 << 30, maxOutput: output)
    )
    return file
  }

  private func text(of file: ZIMFile) -> String {
    do throws(ContainerError) {
      return "\(String(describing: try file.mainPage()))"
    } catch {
      return error.description
    }
  }

  @Test func `a reply consists of a line and the number of bytes in it`() throws {
    let response = try #require(
      try ZIMResponse(Array("ok\t3\ttext/html\ta%09b%25\t2024-05-31\tA title\na\nb".utf8)))
    #expect(response.path == "a\tb%" && response.title == "A title" && response.type == "text/html")
    #expect(response.bytes == Array("a\nb".utf8))
    #expect(response.date == Date(timeIntervalSince1970: 1_717_113_600))
    #expect(try ZIMResponse(Array("none\n".utf8)) == nil)
    #expect(throws: ContainerError.damaged("bad cluster")) {
      try ZIMResponse(Array("failed\tbad cluster\n".utf8))
    }
  }

  @Test(arguments: [
    "", "ok", "ok\n", "ok\t1\tt\tp\td\tt\n", "ok\t1\tt\tp\td\tt\nab", "ok\t-1\tt\tp\td\tt\n",
    "ok\t0\tt\t%FF\td\tt\n", "none\tx\n", "failed\n", "\n", "ok\t0\tt\tp\td\tt\tmore\n",
    "ok\t99999999999999999999\tt\tp\td\tt\n",
  ])
  func `an invalid reply is an error`(_ output: String) {
    #expect(throws: ContainerError.self) { try ZIMResponse(Array(output.utf8)) }
  }

  @Test func `replies with altered bytes do not crash the parser`() throws {
    let response = Array(
      "ok\t40\tt\tp\t2024-05-31\ttitle\nA%20b\tTitle\tx &amp; <b>y</b> <b>z\n\t\t\nC\tD".utf8)
    var random = SplitMix64(seed: 32)
    for _ in 0..<2000 {
      var bytes = response
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      for row in (try? ZIMResponse(bytes))?.rows ?? [] {
        #expect(row.matches.allSatisfy { $0.upperBound <= row.snippet.count })
      }
    }
  }

  @Test func `search results have a text with marked words`() throws {
    let list = "a%20b\tA b\tx &amp; <b>y</b> &lt;b&gt; <b>é</b><b></b>\nC\tC\t\nodd\n\tno path\tx\n"
    let response = try #require(
      try ZIMResponse(Array("ok\t\(list.utf8.count)\tt\t\t\t\n\(list)".utf8)))
    #expect(
      response.rows == [
        .init(path: "a b", title: "A b", snippet: "x & y <b> é", matches: [4..<5, 10..<11]),
        .init(path: "C", title: "C"),
      ])
    #expect(response.date == nil)
  }

  @Test func `a path in a request is encoded so that it contains no line break`() {
    #expect(ZIMResponse.encoded("A/é\n%?") == "A/%C3%A9%0A%25?")
  }

  @Test func `a request is a single line`() throws {
    let file = try file("read -r line; printf 'failed\\t%s\\n' \"$line\"; wc -l")
    #expect(text(of: file).contains("main"))
    #expect(throws: ContainerError.damaged("search 5 a b c")) {
      try file.search("a\nb\tc", limit: 5)
    }
  }

  @Test func `a file without a start page names a command instead of a key`() throws {
    let zim = try file("echo none")
    let item = try DocumentFile(path: "a.zim", zim: zim).item(at: "")
    let html = String(decoding: item.bytes, as: UTF8.self)
    #expect(html.contains("has no start page. <code>:search</code> searches it"))
    #expect(!html.contains("<kbd>"))
  }

  @Test func `without the program there is a hint how to install it`() {
    var file = ZIMFile(path: "/dev/null")
    for program in ["/no/such/program", "no-such-program-anywhere"] {
      file.substitute = (program, LimitedProcess.Limits())
      #expect(text(of: file).contains("scripts/install --with-zim"))
    }
    #expect(
      text(of: ZIMFile(path: "/no/such.zim")) == "cannot be read: No such file or directory")
  }

  @Test func `a program that crashes, hangs or never ends its reply is reported`() throws {
    #expect(
      text(of: try file("kill -9 $$")) == "cannot be read: offread-zim was killed by signal 9")
    #expect(text(of: try file("exit 7")) == "cannot be read: offread-zim exited with status 7")
    #expect(
      text(of: try file("exec sleep 1000", seconds: 1))
        == "cannot be read: offread-zim took too long")
    let endless = "printf 'ok\\t10000000000\\ttext/html\\tp\\t\\t\\n'; exec yes"
    #expect(text(of: try file(endless)) == "cannot be read: offread-zim wrote too much output")
    #expect(text(of: try file("echo nonsense")).contains("returned an invalid response"))
    #expect(text(of: try file("exit 0")).contains("returned an invalid response"))
  }
}
