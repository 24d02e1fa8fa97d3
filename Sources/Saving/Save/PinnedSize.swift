import Configuration
import Document
import Library
package import OfflineCache
package import Profiles

/// Determines the size of the pages that may not be evicted.
package enum PinnedSize {
  /// The sizes if the pinned pages are larger than the maximum size of the archive.
  package struct Excess: Sendable, Equatable {
    /// The size of the pinned pages in bytes.
    package var size: Int64
    /// The maximum size of the archive in bytes.
    package var maxSize: Int64

    package init(size: Int64, maxSize: Int64) { (self.size, self.maxSize) = (size, maxSize) }

    /// The two sizes as a clause for users.
    package var text: String {
      "kept pages need \(CountFormatter.byteCountText(size)), more than max_size"
        + " (\(CountFormatter.byteCountText(maxSize)))"
    }
  }

  /// Returns the size on the disk, in bytes, of the pages that this device has saved and that may
  /// not be evicted: pinned pages, feeds and their items, and the pages of pinned collections.
  /// - Throws: `ArchiveError`.
  package static func bytes(in profile: Profile) throws(ArchiveError) -> Int64 {
    let library = profile.library
    var keys: Set<String> = []
    for attribute in [LibraryAttribute.pinned, .item, .feed] {
      keys.formUnion(try library.keys(with: attribute))
    }
    for collection in try library.collections() where collection.record.isPinned {
      keys.formUnion(collection.pages)
    }
    return try profile.cache.archive.size(of: keys)
  }

  /// Returns the size of the pinned pages if it exceeds the maximum size that the settings define;
  /// otherwise nil.
  /// - Throws: `ArchiveError`.
  package static func excess(in profile: Profile) throws(ArchiveError) -> Excess? {
    guard let limit = profile.settings.storage.bytes else { return nil }
    let size = try bytes(in: profile)
    return size > limit ? Excess(size: size, maxSize: limit) : nil
  }
}
