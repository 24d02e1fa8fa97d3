import Foundation
import TestSupport
import Testing
import WARC

/// Generated PDF files: opened, saved from the web, imported. Without `pdftotext`, a message says
/// so.
@Suite struct PDFTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// Returns a file of one page with a cross-reference table (ISO 32000-2, section 7.5).
  private static func file(_ text: String, isLocked: Bool = false) -> [UInt8] {
    file(text: "BT /F 12 Tf 20 100 Td (\(text)) Tj ET", isLocked: isLocked)
  }

  /// Returns a file whose page has the given text operators (ISO 32000-2, section 9.4).
  private static func file(text: String, isLocked: Bool = false) -> [UInt8] {
    var objects = [
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R"
        + "/Resources<</Font<</F 5 0 R>>>>>>",
      "<</Length \(text.utf8.count)>>\nstream\n\(text)\nendstream",
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    if isLocked {
      // No password opens the file, as these hashes are invented.
      let (owner, user) = (String(repeating: "41", count: 32), String(repeating: "42", count: 32))
      objects.append("<</Filter/Standard/V 1/R 2/O<\(owner)>/U<\(user)>/P -44>>")
    }
    var file = "%PDF-1.4\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let position = String(file.utf8.count)
      table += String(repeating: "0", count: 10 - position.count) + position + " 00000 n \n"
      file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = file.utf8.count
    let id = String(repeating: "00", count: 16)
    let lock = isLocked ? "/Encrypt \(objects.count) 0 R/ID[<\(id)><\(id)>]" : ""
    file += "xref\n0 \(objects.count + 1)\n\(table)"
    file +=
      "trailer\n<</Size \(objects.count + 1)/Root 1 0 R\(lock)>>\nstartxref\n\(start)\n%%EOF\n"
    return Array(file.utf8)
  }

  private static let whole = file("Glacier words of a report")
  /// An environment without `pdftotext`.
  private static let without = ["PATH": "/none"]

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = sandbox.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Checks that a single line reports why a file has no text.
  private func expectRefusal(_ run: Program, _ text: String, path: String = #function) {
    #expect(run.status == 1 && run.output.isEmpty, "\(path)")
    let lines = run.errorText.split(separator: "\n")
    #expect(lines.last?.contains(text) ?? false, "\(lines)")
    #expect(lines.filter { $0.contains("is not text (application/pdf, ") }.count == 1, "\(lines)")
  }

  @Test func `a file is shown as its text, and without pdftotext a package is suggested`() throws {
    let path = try write("report.pdf", Self.whole)
    let run = try sandbox.offread("dump", path)
    #expect(run.status == 0 && run.text.contains("Glacier words of a report"), "\(run.errorText)")
    let screen = try sandbox.reader(path)
    try screen.wait(for: "Glacier words of a report")
    try screen.press("q", "q")
    let without = try sandbox.offread("dump", path, environment: Self.without)
    #expect(without.status == 1)
    #expect(without.errorText.contains(": pdftotext is not installed (package poppler-utils)"))
  }

  @Test func `bytes before the header of a file are ignored`() throws {
    let comment: [UInt8] = [0x25, 0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    let file = Array("%PDF-1.4\n".utf8) + comment + Self.whole.dropFirst(9)
    for head in ["\n\n\n", "\u{FEFF}", "Notice: undefined index\r\n\r\n"] {
      let path = try write("early.pdf", Array(head.utf8) + file)
      let run = try sandbox.offread("dump", path)
      #expect(run.status == 0 && run.text.contains("Glacier words of a report"), "\(head)")
      #expect(!run.text.contains("endobj"), "\(head)")
    }
  }

  @Test func `columns are read one after the other, also in a gzip-compressed file`() throws {
    let left = [
      "The boats leave the pier at", "dawn and nobody sees them", "until the fog has gone and",
    ]
    let right = [
      "the lamps are put out, as the", "rule of the har-", "bour says since it was built.",
    ]
    var text = ""
    for (column, lines) in [left, right].enumerated() {
      for (row, line) in lines.enumerated() {
        text += "BT /F 10 Tf \(20 + column * 180) \(150 - row * 12) Td (\(line)) Tj ET\n"
      }
    }
    let file = Self.file(text: text)
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate(file) { packed += $0 }
    deflater.finish { packed += $0 }
    for (name, bytes) in [("columns.pdf", file), ("columns.pdf.gz", packed)] {
      let run = try sandbox.offread("dump", "--width", "200", write(name, bytes))
      #expect(
        run.text.contains(
          "nobody sees them until the fog has gone and the lamps are put out, as the rule of the "
            + "harbour says since it was built."), "\(name): \(run.text)\(run.errorText)")
    }
  }

  @Test func `an old pdftotext without positions gives the lines of the page`() throws {
    let old = sandbox.directory.appendingPathComponent("bin/pdftotext")
    try FileManager.default.createDirectory(
      at: old.deletingLastPathComponent(), withIntermediateDirectories: true)
    let script =
      "#!/bin/sh\n[ $1 = -layout ] || exit 99\ncat > /dev/null\necho 'Lines of   a page'\n"
    try Data(script.utf8).write(to: old)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: old.path)
    let path = try write("report.pdf", Self.whole)
    let environment = ["PATH": old.deletingLastPathComponent().path + ":/usr/bin:/bin"]
    let run = try sandbox.offread("dump", path, environment: environment)
    #expect(run.status == 0 && run.text.contains("Lines of   a page"), "\(run.errorText)")
  }

  @Test func `a file from the web is saved, read offline, and found by its words`() throws {
    let server = try ScriptedServer()
    server.on(
      "/report.pdf", .response([("Content-Type", "application/pdf")], body: Self.whole))
    let url = server.url + "/report.pdf"
    let saved = try sandbox.offread("save", "--delay", "0", url)
    #expect(saved.status == 0, "\(saved.errorText)")
    server.stop()
    #expect(try sandbox.offread("fetch", "--offline", url).output == Data(Self.whole))
    let read = try sandbox.offread("dump", "--offline", url)
    let found = try sandbox.offread("search", "glacier", "report")
    #expect(read.status == 0 && read.text.contains("Glacier words of a report"))
    #expect(found.status == 0 && found.text.contains(url), "\(found.errorText)")
    #expect(found.text.contains("Glacier words of a"))
    let without = try sandbox.offread("dump", "--offline", url, environment: Self.without)
    #expect(without.status == 1 && without.errorText.contains("poppler-utils"))
  }

  @Test func `an imported file is found by its words`() throws {
    let path = try write("report.pdf", Self.whole)
    let imported = try sandbox.offread("import", path)
    #expect(imported.status == 0 && imported.text.contains("offread book://"))
    let address = imported.text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    try FileManager.default.removeItem(atPath: path)
    #expect(try sandbox.offread("fetch", address).output == Data(Self.whole))
    let found = try sandbox.offread("search", "glacier")
    #expect(found.text.contains(address))
    let read = try sandbox.offread("dump", address)
    #expect(read.text.contains("Glacier words of a report"))
  }

  @Test func `a damaged or encrypted file is reported in one line`() throws {
    let cut = Array(Self.whole.prefix(120))
    let cases = [
      ("cut.pdf", cut, "it is damaged"),
      ("locked.pdf", Self.file("Secret", isLocked: true), "it is protected by a password"),
      ("noise.pdf", Array("%PDF-1.7\n".utf8) + (0..<5000).map { UInt8($0 % 251) }, "it is damaged"),
    ]
    let server = try ScriptedServer()
    for (name, bytes, text) in cases {
      expectRefusal(try sandbox.offread("dump", write(name, bytes)), text)
      server.on("/\(name)", .response([("Content-Type", "application/pdf")], body: bytes))
      let saved = try sandbox.offread("save", "--delay", "0", server.url + "/\(name)")
      let isDamaged = text == "it is damaged"
      #expect(saved.status == (isDamaged ? 1 : 0), "\(saved.text)")
      #expect(saved.text.contains("but the file is damaged") == isDamaged, "\(saved.text)")
      let check = try sandbox.offread("check", server.url + "/\(name)")
      #expect(check.text.hasPrefix(isDamaged ? "unready" : "ready"), "\(check.text)")
      let read = try sandbox.offread("dump", "--offline", server.url + "/\(name)")
      expectRefusal(read, text)
      #expect(read.errorText.contains("; save it with: offread fetch -o FILE "))
    }
    let imported = try sandbox.offread("import", sandbox.directory.path + "/locked.pdf")
    let address = imported.text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    let page = try sandbox.offread("dump", address).text
    #expect(page.contains("cannot be shown: it is protected by a password."))
  }
}
