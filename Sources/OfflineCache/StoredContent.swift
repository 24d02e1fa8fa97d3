/// Stored content that is read in pieces for the client.
struct StoredContent {
  /// A function that returns the next piece, or nil at the end.
  let next: () throws(ArchiveError) -> [UInt8]?
  /// A piece that was already read and is delivered first.
  var firstPiece: [UInt8]?
  /// The version that `finished` reports; nil if it reports none.
  let stored: StoredResponse?
}
