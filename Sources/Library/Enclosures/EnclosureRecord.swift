package import Foundation
import Document
import Formats
import OfflineCache

/// The record of an enclosure of a feed item, such as an audio file, and of the state of its
/// download.
///
/// Like the files, records belong to one device. `EnclosureStore` stores them as JSON.
package struct EnclosureRecord: Codable, Sendable, Equatable {
  /// The kind of a file.
  package enum Kind: String, Sendable, Equatable {
    case audio, video
  }

  /// The state of the file.
  package enum State: String, Codable, Sendable, Equatable {
    /// The file is incomplete; the next sync continues or begins its transfer.
    case waiting = "waiting"
    /// The file is complete.
    case complete = "complete"
    /// The last request failed and is not repeated before `retryAfter`.
    case failed = "failed"
  }

  /// The URL of the file.
  package var url: String
  /// The cache key of the feed.
  package var feed: String
  /// The cache key of the page of the item.
  package var item: String
  /// The digest of the identifier of the item in its feed; nil in records of earlier versions.
  package var identifier: String?
  /// The title of the item on one line, or empty.
  package var title = ""
  /// The media type without parameters.
  package var mediaType: String
  /// The playing time as text for users, or empty.
  package var duration = ""
  /// The date of the item, or the time when it was found, in seconds since 1970.
  package var date: Int64
  /// Whether the feed is on a local network, so that the file may be there as well.
  package var isLocal = false
  package var state = State.waiting
  /// The size in bytes according to the feed, which is often wrong; nil if it is unknown.
  package var declaredSize: Int64?
  /// The size in bytes: the size of the complete file, otherwise the size that the server declares;
  /// nil if it is unknown. If the transfer ended because a size limit was exceeded, this may be
  /// only a lower bound of the size.
  package var size: Int64?
  /// The number of bytes of the partial file that have been flushed to the disk and thus survive a
  /// power failure.
  package var flushed: Int64 = 0
  /// The URL of the response that the partial file came from, after redirects; nil if there is no
  /// partial file that can be resumed.
  package var source: String?
  /// The strong validator of the response that the partial file came from: an entity tag or a date
  /// (RFC 9110 §8.8); nil if there is none.
  package var validator: String?
  /// The number of failed attempts in a row to continue the partial file.
  package var failedResumptions = 0
  /// The reason why the last request failed, or empty.
  package var failure = ""
  /// Whether the user requested the file, which is then fetched also if its item was read; nil if
  /// not, and in records of earlier versions.
  package var isRequested: Bool?
  /// The time before which a failed request is not repeated, in seconds since 1970; nil if it is
  /// repeated by the next sync.
  package var retryAfter: Int64?

  private enum CodingKeys: String, CodingKey {
    case url = "url"
    case feed = "feed"
    case item = "item"
    case identifier = "identifier"
    case title = "title"
    case mediaType = "mediaType"
    case duration = "duration"
    case date = "date"
    case isLocal = "isLocal"
    case state = "state"
    case declaredSize = "declaredSize"
    case size = "size"
    case flushed = "flushed"
    case source = "source"
    case validator = "validator"
    case failedResumptions = "failedResumptions"
    case failure = "failure"
    case isRequested = "isRequested"
    case retryAfter = "retryAfter"
  }

  /// Creates the record of a file that is to be fetched.
  /// - Parameters:
  ///   - url: The URL.
  ///   - feed: The cache key of the feed.
  ///   - item: The cache key of the page of the item.
  ///   - mediaType: The media type without parameters.
  ///   - date: The date of the item, or the time when it was found.
  package init(url: String, feed: String, item: String, mediaType: String, date: Date) {
    (self.url, self.feed, self.item, self.mediaType) = (url, feed, item, mediaType)
    self.date = Int64(exactly: date.timeIntervalSince1970.rounded()) ?? 0
  }

  /// The name of the record and, with an extension, of its files. It contains nothing but
  /// hexadecimal digits and hyphens, because URLs come from the feed.
  package var name: String {
    [feed, item, url].map { FeedItemRecord.digest(of: $0) }.joined(separator: "-")
  }

  /// The name of the complete file. Its extension is that of the media type, or `bin`.
  package var fileName: String {
    name + "." + FileMediaType.fileExtension(of: mediaType)
  }

  /// The kind of the file; nil if it is neither audio nor video.
  package var kind: Kind? { Self.kind(of: mediaType) }

  /// The maximum length of a media type in bytes: two names of 127 characters and a slash (RFC 6838
  /// §4.2).
  package static let maxMediaTypeLength = 255

  /// The maximum length of a URL in bytes.
  package static let maxURLLength = 8192

  /// The media types of playlists, which contain URLs that the player would request.
  private static let playlistTypes: Set<String> = [
    "audio/mpegurl", "audio/x-mpegurl", "audio/scpls", "audio/x-scpls", "video/mpegurl",
    "video/x-mpegurl", "video/vnd.mpegurl",
  ]

  /// Returns the kind of a media type; nil if it is neither audio nor video. Playlists have no
  /// kind.
  package static func kind(of mediaType: String) -> Kind? {
    guard !playlistTypes.contains(mediaType) else { return nil }
    if mediaType.hasPrefix("audio/") || mediaType == "application/ogg" { return .audio }
    return mediaType.hasPrefix("video/") ? .video : nil
  }

  /// Returns whether content with these first bytes is a playlist instead of audio or video.
  package static func isPlaylist(_ start: [UInt8]) -> Bool {
    start.starts(with: "#EXTM3U".utf8) || start.starts(with: "[playlist]".utf8)
  }

  /// Returns the media type of a file under its usual name. It is the declared type, unless that is
  /// unknown or has no file name extension and the file name indicates a type.
  /// - Parameters:
  ///   - declared: The media type according to the feed or the server, or empty.
  ///   - url: The URL of the file.
  /// - Returns: A media type without parameters.
  package static func mediaType(declared: String, url: String) -> String {
    let essence = FileMediaType.usualName(of: MediaType(declared).essence)
    guard let named = FileName(reference: url).flatMap({ FileMediaType.byName($0.text) }) else {
      return essence
    }
    let hasKnownExtension = FileMediaType.fileExtension(of: essence) != "bin"
    let isSameKind = kind(of: essence) == kind(of: named)
    return essence == MediaType.unknownEssence || !hasKnownExtension && isSameKind ? named : essence
  }
}
