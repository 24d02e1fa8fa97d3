/// The position of a record in a file.
public struct WARCPosition: Sendable, Equatable {
  /// The offset of the record, or of the gzip member that contains it, from the start of the file.
  public var offset: Int64
  /// The offset of the record within the decoded member; 0 unless the member contains several
  /// records.
  public var memberOffset: Int64

  /// Creates a position.
  /// - Parameters:
  ///   - offset: the offset of the record or its gzip member in the file.
  ///   - memberOffset: the offset of the record within the decoded member.
  public init(offset: Int64, memberOffset: Int64 = 0) {
    self.offset = offset
    self.memberOffset = memberOffset
  }
}
