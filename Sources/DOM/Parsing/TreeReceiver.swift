/// Forwards the events of libxml2 to a sink.
final class TreeReceiver: MarkupReceiver {
  private let sink: UnsafeMutablePointer<TokenSink>

  init(_ sink: UnsafeMutablePointer<TokenSink>) {
    self.sink = sink
    super.init()
  }

  override func receiveText(_ text: UnsafeBufferPointer<UInt8>) { sink.pointee.receiveText(text) }

  override func receiveStartTag(
    _ tag: TagName, attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    isSelfClosing: Bool, position: Int
  ) {
    sink.pointee.receiveStartTag(
      tag, attributes: attributes, isSelfClosing: isSelfClosing, position: position)
  }

  override func receiveEndTag(_ tag: TagName, position: Int) {
    sink.pointee.receiveEndTag(tag, position: position)
  }
}
