import Foundation
import WARC

/// The cookies that responses set, in a file that several processes share.
final class CookieJar: Sendable {
  private let file: MergedFile<CookieStore>

  /// Creates a jar without reading or writing the file. A read-only jar keeps changes in memory.
  init(path: String, isReadOnly: Bool) {
    file = MergedFile(
      path: path, isReadOnly: isReadOnly, parse: { CookieText.read($0).store },
      serialize: CookieText.write)
  }

  /// Returns the cookies for a request; nil if the jar has none for its site.
  func selection(for url: WebURL, now: Date) throws(ArchiveError) -> CookieStore.Selection? {
    try file.value.selection(for: url, now: now)
  }

  /// Stores the cookies of the `Set-Cookie` lines in a response from `url`; see
  /// `CookieStore.store`. `isSafe` specifies whether the method of the request is safe.
  func store(_ lines: [String], from url: WebURL, isSafe: Bool, now: Date) throws(ArchiveError) {
    try file.change {
      $0.store(lines, from: url, isSafe: isSafe, now: now, newOwner: Self.makeOwnerID)
    }
  }

  /// Adds the cookies of a site, replacing existing ones.
  func add(_ cookies: CookieStore, of site: String) throws(ArchiveError) {
    try file.change { store in
      var new = cookies
      new.move(site, to: &store, newOwner: Self.makeOwnerID)
    }
  }

  /// Deletes the cookies of a site.
  func remove(_ site: String) throws(ArchiveError) {
    guard try !file.value.cookies.isEmpty else { return }
    try file.change { $0.remove(site) }
  }

  /// Returns a random identifier for the owner of cookies.
  static func makeOwnerID() -> String {
    Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  }
}
