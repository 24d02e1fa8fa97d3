@testable import HTML

/// An event of libxml2, as a value.
enum MarkupEvent {
  case text(String)
  /// Name, attributes, whether the tag ends with `/>`, and the place.
  case start(String, [(String, String?)], Bool, Int)
  /// Name and place.
  case end(String, Int)

  /// What libxml2 says of a part of a page.
  static func recorded(of part: UnsafeBufferPointer<UInt8>) -> [MarkupEvent] {
    let recorder = Recorder()
    LibXML2.parse(part, into: recorder)
    return recorder.events
  }

  /// The event with one element under another name.
  func renamed(_ old: String, to new: String) -> MarkupEvent {
    switch self {
    case .start(old, let attributes, let isSelfClosing, let place):
      .start(new, attributes, isSelfClosing, place)
    case .end(old, let place): .end(new, place)
    default: self
    }
  }

  /// Sends events as libxml2 does.
  static func send(_ events: [MarkupEvent], to receiver: some MarkupReceiver) {
    for event in events {
      switch event {
      case .text(let text):
        Array(text.utf8).withUnsafeBufferPointer { receiver.characters($0) }
      case .end(let name, let place): withCString(name) { receiver.endTag($0, place: place) }
      case .start(let name, let attributes, let isSelfClosing, let place):
        // One array of all strings, which the pointers lead into.
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
            withCString(name) {
              receiver.startTag(
                $0, attributes: pointers.baseAddress, isSelfClosing: isSelfClosing, place: place)
            }
          }
        }
      }
    }
  }

  private static func withCString(_ text: String, _ body: (UnsafePointer<UInt8>) -> Void) {
    (Array(text.utf8) + [0]).withUnsafeBufferPointer { bytes in
      if let base = bytes.baseAddress { body(base) }
    }
  }

  private final class Recorder: MarkupReceiver {
    var events: [MarkupEvent] = []

    func characters(_ text: UnsafeBufferPointer<UInt8>) {
      events.append(.text(String(decoding: text, as: UTF8.self)))
    }

    func startTag(
      _ name: UnsafePointer<UInt8>, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
      isSelfClosing: Bool, place: Int
    ) {
      var pairs: [(String, String?)] = []
      var pair = attributes
      while let name = pair?[0] {
        pairs.append((String(cString: name), pair?[1].map { String(cString: $0) }))
        pair = pair.map { $0 + 2 }
      }
      events.append(.start(String(cString: name), pairs, isSelfClosing, place))
    }

    func endTag(_ name: UnsafePointer<UInt8>, place: Int) {
      events.append(.end(String(cString: name), place))
    }
  }
}
