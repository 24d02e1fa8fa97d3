import WARC

/// A saved version of a page, as an entry of a list.
public struct SavedVersion: Sendable, Equatable {
  /// The response, with its dates.
  public var response: StoredResponse
  /// Whether the content was found to be damaged. A damaged version is not shown.
  public var isDamaged: Bool
  /// The file name of the segment that holds the content.
  public var segment: String
  /// The offset of the record in the segment, in bytes.
  public var offset: Int64

  /// Whether this is a redirect that replaced a page and whose target is not saved.
  public var isDeadEnd = false

  /// Whether this version may be shown as the page.
  public var isGood: Bool { response.isGood && !isDamaged && !isDeadEnd }

  /// Creates an entry from a version in the index.
  init(_ version: ArchivedVersion) {
    self.init(
      response: version.stored, isDamaged: version.isDamaged, segment: version.location.segment,
      offset: version.location.position.offset)
  }

  package init(response: StoredResponse, isDamaged: Bool, segment: String, offset: Int64) {
    self.response = response
    self.isDamaged = isDamaged
    self.segment = segment
    self.offset = offset
  }
}
