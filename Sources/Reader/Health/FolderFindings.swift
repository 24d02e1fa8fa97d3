import Platform
import Configuration
import Document
import Foundation
import Library
import OfflineCache

/// The health of the directories of a profile, checked without writing anything.
package struct FolderFindings {
  private let profile: Profile
  private let home: String?
  private var places: Locations { profile.locations }

  /// Creates the checks.
  /// - Parameters:
  ///   - profile: a read-only profile.
  ///   - home: the home directory, which does not appear in the findings.
  package init(of profile: Profile, home: String?) {
    (self.profile, self.home) = (profile, home)
  }

  /// The findings of all checks.
  package var all: [Finding] {
    var found = [
      folder("archive", places.archive), folder("library", places.journals),
      folder("state", places.state), folder("indexes", places.index.deletingLastPathComponent()),
    ]
    if exists(places.archive.path) { found += [room(places.archive), segments()] }
    found += [
      database("index", places.index, Archive.indexVersion),
      database("index of words", places.searchIndex, SearchIndex.databaseVersion),
      database("library index", places.libraryIndex, PageLibrary.databaseVersion),
    ]
    if exists(places.journals.path) { found += [journals(), queue()] }
    found.append(locks())
    return found
  }

  // MARK: Folders

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns a path without private names: standard directories with the home directory as `~`, and
  /// a placeholder for all others.
  private func shown(_ path: String) -> String {
    guard let home, path.hasPrefix(home + "/") else {
      return "a directory outside of the home directory"
    }
    // A directory may have any name; the standard ones reveal nothing.
    let rest = path.dropFirst(home.count)
    let isUsual = [".local/share", ".local/state", ".cache", ".config"].contains {
      rest.hasPrefix("/\($0)/offread")
    }
    return isUsual ? "~" + rest : "a folder in ~"
  }

  private func folder(_ name: String, _ url: URL) -> Finding {
    let place = shown(url.path)
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      return Finding(.folders, name, "does not exist yet (\(place))")
    }
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    let kind = Self.fileSystem(url.resolvingSymlinksInPath().path, mounts)
    var words = "\(place), \(kind ?? "local")"
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return Finding(.folders, name, words, advice: "it is not a directory; move it elsewhere")
    }
    guard access(url.path, R_OK | W_OK | X_OK) == 0 else {
      return Finding(
        .folders, name, words + ", not writable",
        advice: "no page can be saved: make this user its owner, mode 0700")
    }
    let isOpen = status.st_mode & 0o077 != 0
    if isOpen { words += ", mode \(String(status.st_mode & 0o777, radix: 8))" }
    let isSecret = status.st_mode & 0o007 != 0
    return Finding(
      .folders, name, words,
      advice: isSecret ? "other users can read it: chmod 700" : nil)
  }

  private func room(_ url: URL) -> Finding {
    var status = statvfs()
    guard statvfs(url.path, &status) == 0 else { return Finding(.folders, "room", "not known") }
    let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    let isScarce = free < 200_000_000
    return Finding(
      .folders, "room", "\(free / 1_000_000) MB free",
      advice: isScarce
        ? "free some space, or let offread remove pages: see [archive] in offread.conf(5)" : nil)
  }

  private func segments() -> Finding {
    var count = 0
    var size: Int64 = 0
    var unreadable = 0
    for name in (try? FileManager.default.contentsOfDirectory(atPath: places.archive.path)) ?? []
    where name.hasSuffix(".warc.gz") || name.hasSuffix(".warc") {
      var status = stat()
      let path = places.archive.appendingPathComponent(name).path
      guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
        unreadable += 1
        continue
      }
      count += 1
      size += Int64(status.st_size)
    }
    return Finding(
      .folders, "segments",
      "\(count), \(ByteCount.text(size))" + (unreadable > 0 ? ", \(unreadable) not readable" : ""),
      advice: unreadable > 0 ? "make this user the owner of the archive's files" : nil)
  }

  /// Returns the type of the file system of a path if it differs from a local disk in locking or
  /// persistence.
  /// - Parameters:
  ///   - path: a path with symbolic links resolved.
  ///   - mounts: the mounted file systems, in the format of `/proc/self/mounts`.
  /// - Returns: the type for display; nil for a local disk.
  static func fileSystem(_ path: String, _ mounts: String) -> String? {
    var best = (length: -1, kind: Substring())
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let point = fields[1].replacingOccurrences(of: "\\040", with: " ")
      let isAbove = point == "/" || path == point || path.hasPrefix(point + "/")
      // Later mounts hide earlier ones.
      if isAbove, point.utf8.count >= best.length { best = (point.utf8.count, fields[2]) }
    }
    switch best.kind {
    case "nfs", "nfs4": return "NFS"
    case "cifs", "smb3", "smbfs": return "SMB"
    case "9p", "virtiofs": return "on another host (\(best.kind))"
    case "tmpfs", "ramfs": return "in memory, lost at the next boot"
    case let kind where kind.hasPrefix("fuse"): return "FUSE"
    default: return nil
    }
  }

  // MARK: Databases, journals, locks

  /// Checks the version in the header of an SQLite database (`user_version`).
  private func database(_ name: String, _ url: URL, _ version: Int) -> Finding {
    guard exists(url.path) else {
      return Finding(.folders, name, "does not exist; it is created when needed")
    }
    guard let file = FileHandle(forReadingAtPath: url.path),
      let head = try? file.read(upToCount: 64).map({ [UInt8]($0) })
    else {
      return Finding(.folders, name, "not readable", advice: "make this user its owner")
    }
    guard head.count == 64, head.starts(with: "SQLite format 3".utf8) else {
      return Finding(
        .folders, name, "damaged", advice: "nothing is lost: it is rebuilt at the next start")
    }
    let found = head[60..<64].reduce(0) { $0 << 8 | Int($1) }
    return Finding(
      .folders, name,
      found == version ? "version \(found)" : "version \(found), to be rebuilt as \(version)")
  }

  private func journals() -> Finding {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: places.journals.path)) ?? []
    let count = names.count { $0.hasSuffix(".journal") }
    do throws(ArchiveError) {
      let kept = try profile.library.count(with: .kept)
      let notes = profile.takeNotices().count
      return Finding(
        .folders, "journals",
        "\(count), \(ByteCount.count(kept, "page")) kept" + (notes > 0 ? ", damaged" : ""),
        advice: notes > 0 ? "offread archive verify lists the lines" : nil)
    } catch {
      return Finding(
        .folders, "journals", "\(count), not readable",
        advice: "make this user the owner of the library's files")
    }
  }

  /// Reports the number of queued pages, and of those that could not be fetched.
  private func queue() -> Finding {
    let waiting = (try? profile.library.pages(with: .queued)) ?? []
    let failed = waiting.count { !$0.failure.isEmpty }
    return Finding(
      .folders, "queue",
      ByteCount.count(waiting.count, "page") + (failed > 0 ? ", \(failed) failed" : ""),
      advice: failed > 0
        ? "offread list --queue shows them, offread remove removes them" : nil)
  }

  private func locks() -> Finding {
    let files = [
      ("maintenance", places.archive.appendingPathComponent(".maintenance")),
      ("sync", places.state.appendingPathComponent("sync.lock")),
    ]
    let held = files.filter { _, url in
      guard let file = try? LocalFileSystem().openForReading(url.path),
        let isFree = try? file.tryShare()
      else { return false }
      if isFree { file.unlock() }
      return !isFree
    }.map(\.0)
    return Finding(.folders, "locks", held.isEmpty ? "none held" : held.joined(separator: ", "))
  }
}
