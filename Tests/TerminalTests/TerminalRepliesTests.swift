import Foundation
import Testing

@testable import Terminal

@Suite("Replies of terminals") struct TerminalRepliesTests {
  private func read(_ text: String) -> TerminalReplies { TerminalReplies(Array(text.utf8)) }

  @Test func `capabilities are read from the replies up to the device attributes`() {
    let kitty = read("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}]11;rgb:00/00/00\u{1B}\\\u{1B}[?62;c")
    #expect(kitty.isComplete && kitty.supportsKittyGraphics && kitty.reportsBackground)
    #expect(!kitty.supportsSixel)
    let foot = read("\u{1B}[?62;4;22c")
    #expect(foot.isComplete && foot.supportsSixel && !foot.supportsKittyGraphics)
    #expect(!read("\u{1B}[?62;44c").supportsSixel)
    #expect(!read("\u{1B}_Gi=31;ENOSYS\u{1B}\\\u{1B}[?6c").supportsKittyGraphics)
  }

  @Test(arguments: ["", "\u{1B}[?", "\u{1B}[?62;4", "\u{1B}[?1;2y", "typed", "\u{1B}[?62;4"])
  func `an incomplete or unrelated reply is ignored`(_ text: String) {
    #expect(!read(text).isComplete)
  }

  @Test func `replies that are still to come are discarded to their end`() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(repeating: 0x41, count: 6000))
    TerminalReplies.discardReplies(from: pipe.fileHandleForReading.fileDescriptor, [:])
    try pipe.fileHandleForWriting.close()
    #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
  }
}
