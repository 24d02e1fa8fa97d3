import WARC

/// A saved version of a page, as a list of them shows it.
public struct SavedVersion: Sendable, Equatable {
  /// The response, with its dates.
  public var response: StoredResponse
  /// Whether its content was found to be damaged; it is then not shown.
  public var isDamaged: Bool
  /// The file name of the segment that holds its content.
  public var segment: String
  /// Where in that file.
  public var offset: Int64

  /// Whether it is a redirect that came after a page and leads to none that is saved.
  public var isDeadEnd = false

  /// Whether it may be shown as the page.
  public var isGood: Bool { response.isGood && !isDamaged && !isDeadEnd }

  /// Makes a row of a list of what the index has.
  init(_ version: ArchivedVersion) {
    self.init(
      response: version.stored, isDamaged: version.isDamaged, segment: version.place.segment,
      offset: version.place.position.offset)
  }

  /// Makes a row of a list.
  package init(response: StoredResponse, isDamaged: Bool, segment: String, offset: Int64) {
    self.response = response
    self.isDamaged = isDamaged
    self.segment = segment
    self.offset = offset
  }
}
