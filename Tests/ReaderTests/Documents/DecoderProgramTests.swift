import Foundation
import Images
import Platform
import Testing

@testable import Sandbox

/// Programs that a launcher starts for a process that may be compromised.
@Suite struct DecoderProgramTests {
  @Test
  func `decoders are unchanged after encoding and decoding, and no other program is accepted`() {
    let programs: [DecoderProgram] = [
      .pdf, .pdfBoxes, .zim(path: "/a b.zim"),
      .image(ImageRequest(maxSizeInCells: ImageSize(width: 20, height: 10))),
    ]
    for program in programs {
      #expect(DecoderProgram(commandLine: program.commandLine) == program)
      #expect(DecoderProgram(commandLine: program.commandLine + ["x"]) == nil)
      #expect(DecoderProgram(commandLine: Array(program.commandLine.dropLast())) == nil)
    }
    for text in [[], ["sh"], ["pdf", "-"], ["/bin/sh"], ["image", "-", "-", "-", "-", "-"]] {
      #expect(DecoderProgram(commandLine: text) == nil, "\(text)")
    }
  }

  @Test func `a file is decoded only for a process that has it open for reading`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("decoded \(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    for name in ["a.zim", "other"] {
      try Data("x".utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
    }
    let program = DecoderProgram.zim(path: directory + "/a.zim")
    // O_PATH, which requires no read permission.
    let pathOnly: Int32 = 0o10_000_000
    for (name, flags, isOpen) in [
      ("a.zim", O_RDONLY, true), ("a.zim", O_WRONLY, false), ("a.zim", pathOnly, false),
      ("other", O_RDONLY, false),
    ] {
      let descriptor = open("\(directory)/\(name)", flags | O_CLOEXEC)
      defer { close(descriptor) }
      #expect(program.mayRead(with: descriptor) == isOpen, "\(name), \(flags)")
    }
    #expect(!program.mayRead(with: nil))
    #expect(DecoderProgram.pdf.mayRead(with: nil))
  }
}
