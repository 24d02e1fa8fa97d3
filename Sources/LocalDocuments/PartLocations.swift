import Containers
import Exchange
import OfflineCache

/// The MIME parts of a message by the URLs that refer to them. A URL refers to the first part with
/// exactly this location, otherwise to the first one with an equivalent location.
struct PartLocations {
  private let parts: [MIMEMessage.Part]
  private var ids: [String: Int] = [:]
  private var locations: [String: Int] = [:]
  private let base: String
  /// The parts by their absolute URLs without fragments. A relative location is resolved against
  /// the location of the message or, if the message has none, against the first absolute location
  /// of an earlier part.
  private lazy var urls = Self.urls(of: parts, base: WebURL(base))

  /// Indexes parts by their identifiers and locations.
  /// - Parameters:
  ///   - parts: the parts.
  ///   - base: the location of the message; may be empty.
  init(_ parts: [MIMEMessage.Part], base: String = "") {
    (self.parts, self.base) = (parts, base)
    var locationIDs: [String: Int] = [:]
    for (index, part) in parts.enumerated() {
      if !part.id.isEmpty, ids[part.id] == nil { ids[part.id] = index }
      guard !part.location.isEmpty else { continue }
      if locations[part.location] == nil { locations[part.location] = index }
      if let id = EmbeddedFrames.identifier(in: part.location), locationIDs[id] == nil {
        locationIDs[id] = index
      }
    }
    ids.merge(locationIDs) { id, _ in id }
  }

  /// Returns the index of the part that an absolute URL or a `cid:` URL (RFC 2392) refers to; nil
  /// if there is no such part.
  mutating func index(of address: String) -> Int? {
    if let id = EmbeddedFrames.identifier(in: address) { return ids[id] }
    if let index = locations[address] { return index }
    guard let url = WebURL(address) else { return nil }
    return urls[url.withoutFragment.description]
  }

  private static func urls(of parts: [MIMEMessage.Part], base: WebURL?) -> [String: Int] {
    var urls: [String: Int] = [:]
    var base = base
    for (index, part) in parts.enumerated() where !part.location.isEmpty {
      guard let location = WebURL(part.location) ?? base?.resolve(part.location) else { continue }
      base = base ?? location
      let text = location.withoutFragment.description
      if urls[text] == nil { urls[text] = index }
    }
    return urls
  }
}
