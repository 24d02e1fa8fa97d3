/// A response with its complete content.
public struct LoadedContent: Sendable, Equatable {
  /// The content, decoded. All functions of the libraries that receive or return content use this
  /// type; `Data(bytes)` converts it.
  public var bytes: [UInt8]
  /// The head of the final response, and its source.
  public var answer: LoadedResponse
  /// The URL of the final response, with its fragment.
  public var url: WebURL

  /// Creates loaded content from its parts.
  public init(bytes: [UInt8], answer: LoadedResponse, url: WebURL) {
    (self.bytes, self.answer, self.url) = (bytes, answer, url)
  }
}
