/// Content that libcurl reads while it sends a request; used only on the network thread.
protocol RequestContent: AnyObject {
  /// The length in bytes; nil if it is unknown.
  var declaredLength: Int64? { get }
  /// Whether libcurl may ask for the content again from its beginning.
  var isRepeatable: Bool { get }
  /// The reason why the content cannot be sent completely; nil if there is none.
  var failure: TransportFailure? { get }

  /// Reads the next bytes.
  /// - Parameter buffer: The buffer to fill.
  /// - Returns: The result.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> ContentRead

  /// Sets the position of the next byte to send.
  /// - Returns: Whether the content can be read from this position.
  func seek(to offset: Int64) -> Bool
}
