@testable import DOM
@testable import Document
@testable import ReaderMode

/// An event of libxml2, as a value.
enum MarkupEvent {
  case text(String)
  /// The name, the attributes, whether the tag ends with `/>`, and the offset.
  case start(TagName, [(String, String?)], Bool, Int)
  /// The name and the offset.
  case end(TagName, Int)

  /// Returns the events that libxml2 reports for a part of a page.
  static func recorded(of part: UnsafeBufferPointer<UInt8>) -> [MarkupEvent] {
    let recorder = Recorder()
    LibXML2.parse(part, into: recorder)
    return recorder.events
  }

  /// Returns the event with elements named `old` renamed to `new`.
  func renamed(_ old: TagName, to new: TagName) -> MarkupEvent {
    switch self {
    case .start(old, let attributes, let isSelfClosing, let position):
      .start(new, attributes, isSelfClosing, position)
    case .end(old, let position): .end(new, position)
    default: self
    }
  }

  /// Sends `events` to `receiver` as libxml2 does.
  static func send(_ events: [MarkupEvent], to receiver: MarkupReceiver) {
    for event in events {
      switch event {
      case .text(let text):
        Array(text.utf8).withUnsafeBufferPointer { receiver.receiveText($0) }
      case .end(let tag, let position): receiver.receiveEndTag(tag, position: position)
      case .start(let tag, let attributes, let isSelfClosing, let position):
        // A single array of all strings, which the pointers point into.
        var strings: [UInt8] = []
        var offsets: [Int?] = []
        for text in attributes.flatMap({ [$0.0, $0.1] }) {
          offsets.append(text == nil ? nil : strings.count)
          if let text { strings += Array(text.utf8) + [0] }
        }
        strings.append(0)
        strings.withUnsafeBufferPointer { bytes in
          var pointers = offsets.map { offset in
            offset.flatMap { offset in bytes.baseAddress.map { $0 + offset } }
          }
          pointers.append(nil)
          pointers.withUnsafeMutableBufferPointer { pointers in
            receiver.receiveStartTag(
              tag, attributes: pointers.baseAddress, isSelfClosing: isSelfClosing,
              position: position)
          }
        }
      }
    }
  }

  private final class Recorder: MarkupReceiver {
    var events: [MarkupEvent] = []

    override func receiveText(_ text: UnsafeBufferPointer<UInt8>) {
      events.append(.text(String(decoding: text, as: UTF8.self)))
    }

    override func receiveStartTag(
      _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
      isSelfClosing: Bool, position: Int
    ) {
      var pairs: [(String, String?)] = []
      var pair = attributes
      while let name = pair?[0] {
        pairs.append((String(cString: name), pair?[1].map { String(cString: $0) }))
        pair = pair.map { $0 + 2 }
      }
      events.append(.start(tag, pairs, isSelfClosing, position))
    }

    override func receiveEndTag(_ tag: TagName, position: Int) {
      events.append(.end(tag, position))
    }
  }
}

extension TagName: ExpressibleByStringLiteral {
  /// Creates the tag name from a lowercase string.
  public init(stringLiteral name: StaticString) {
    self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}
