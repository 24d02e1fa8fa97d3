import Containers
import TestSupport
import Testing

/// The content of signed messages.
@Suite struct SignedContentTests {
  private static let prefix: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7]
  private static let content = Array("The harbour at dawn".utf8)

  /// Returns an element with a length of one byte, of several bytes, or of indefinite length.
  private static func element(_ tag: UInt8, _ content: [UInt8], _ form: Int) -> [UInt8] {
    switch form {
    case 0: [tag, UInt8(content.count)] + content
    case 1: [tag, 0x82, 0, UInt8(content.count)] + content
    default: [tag, 0x80] + content + [0, 0]
    }
  }

  private static func message(_ string: [UInt8], form: Int, identifier: UInt8 = 2) -> [UInt8] {
    let encapsulated = element(
      0x30, element(6, prefix + [1], 0) + element(0xA0, string, form), form)
    let data = element(
      0x30, element(2, [1], 0) + element(0x31, [], 0) + encapsulated + element(0x31, [9], 0), form)
    return element(
      0x30, element(6, prefix + [identifier], 0) + element(0xA0, data, form), form)
  }

  @Test(arguments: 0...2)
  func `the content is found, whatever the form of the lengths`(_ form: Int) {
    let string = Self.element(4, Self.content, 0)
    #expect(SignedContent.content(of: Self.message(string, form: form)) == Self.content)
    let pieces = Self.element(4, [0x41], 0) + Self.element(4, [0x42], 1)
    let constructed = Self.element(0x24, pieces, form)
    #expect(SignedContent.content(of: Self.message(constructed, form: form)) == [0x41, 0x42])
    let empty = Self.element(0x24, [], form)
    #expect(SignedContent.content(of: Self.message(empty, form: form)) == [])
  }

  @Test func `encrypted, detached and other content is not returned`() {
    let string = Self.element(4, Self.content, 0)
    #expect(SignedContent.content(of: Self.message(string, form: 0, identifier: 3)) == nil)
    #expect(SignedContent.content(of: Self.message([], form: 0)) == nil)
    #expect(SignedContent.content(of: Self.message([5, 0], form: 0)) == nil)
    #expect(SignedContent.content(of: Self.content) == nil)
    #expect(SignedContent.content(of: []) == nil)
  }

  @Test(arguments: 0...2)
  func `any prefix and any changed byte is read without an error`(_ form: Int) {
    let bytes = Self.message(Self.element(4, Self.content, 0), form: form)
    for index in bytes.indices {
      _ = SignedContent.content(of: Array(bytes[..<index]))
      for byte in [0, 0x1F, 0x24, 0x30, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = byte
        _ = SignedContent.content(of: changed)
      }
    }
    let deep = (0..<8000).map { $0.isMultiple(of: 2) ? UInt8(0x30) : 0x80 }
    #expect(SignedContent.content(of: deep) == nil)
  }
}
