/// The result of reading content to send.
enum ContentRead: Equatable {
  /// The buffer has this number of bytes; 0 at the end of the content.
  case bytes(Int)
  /// There are no bytes yet.
  case pending
  /// The content cannot be read.
  case failed
}
