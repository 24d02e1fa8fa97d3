import Containers
public import Foundation
public import WARC

/// A web archive collection (WACZ 1.1.1): WARC files with an index and a list of pages, in a ZIP
/// archive.
///
/// ```swift
/// let file = try WACZFile(path: "collection.wacz")
/// for page in try file.pages() { print(page.url, page.title ?? "") }
/// for capture in try file.captures(of: "https://example.org/") {
///   let (record, reader) = try file.record(of: capture)
///   let message = try reader.readMessage(of: record)
/// }
/// ```
///
/// Damage is reported as an error; nothing in the file is trusted. Numbers, sizes and compression
/// ratios are limited, so that a small file cannot fill the memory.
public struct WACZFile: Sendable {
  /// The title of the collection, or nil.
  public let title: String?
  /// The name and version of the program that created the file, or nil.
  public let software: String?
  /// The time at which the file was created, or nil.
  public let created: Date?
  /// The version of WACZ, or nil.
  public let version: String?
  /// The URL of the page to show first, or nil.
  public let mainPageURL: String?

  private let archive: ZIPArchive
  private let description: WACZDescription

  /// The maximum decoded length of a list of pages or an index, in bytes.
  static let maxListLength: Int64 = 1 << 30

  /// Opens a file.
  /// - Parameter path: The path of the file.
  /// - Throws: `WACZError` if it cannot be read, or is not a ZIP archive.
  public init(path: String) throws(WACZError) {
    do {
      let file = try ReadableFile(path: path)
      try self.init(
        ByteAccess(size: try file.size()) { offset, count in
          try Self.bytes(of: file, at: offset, count: count)
        })
    } catch let error as ContainerError {
      throw WACZError(error)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Opens a file in memory.
  /// - Parameter bytes: The bytes of the file.
  /// - Throws: `WACZError` if it is not a ZIP archive.
  public init(bytes: [UInt8]) throws(WACZError) {
    do throws(ContainerError) {
      try self.init(ByteAccess(bytes))
    } catch {
      throw WACZError(error)
    }
  }

  private init(_ access: ByteAccess) throws(ContainerError) {
    archive = try ZIPArchive(access)
    let bytes = (try? archive.content(of: WACZDescription.path)) ?? []
    description = WACZDescription(bytes)
    let package = try? JSONDecoder().decode(Package.self, from: Data(bytes))
    (title, software, version) = (package?.title, package?.software, package?.wacz_version)
    mainPageURL = package?.mainPageURL ?? package?.mainPageUrl
    created = package?.created.flatMap { WARCDate.parse($0) }
  }

  /// The members of `datapackage.json` (WACZ 1.1.1 §5.3) that describe the collection.
  private struct Package: Decodable {
    var title: String?
    var software: String?
    var created: String?
    var wacz_version: String?
    var mainPageURL: String?
    var mainPageUrl: String?
  }

  /// The paths of all files and directories.
  var paths: [String] { archive.entries.map(\.path) }

  /// The names of the WARC files, in order.
  public var warcFiles: [String] {
    paths.filter { $0.hasPrefix("archive/") && !$0.hasSuffix("/") }
      .map { String($0.dropFirst("archive/".count)) }
  }

  /// Returns a reader for a WARC file.
  /// - Parameters:
  ///   - name: The name of the file, as in `warcFiles`.
  ///   - position: The position of a record.
  /// - Returns: The reader. Digests of records are verified.
  /// - Throws: `WACZError` if there is no such file, or it cannot be read.
  public func reader(
    of name: String, at position: WARCPosition = WARCPosition(offset: 0)
  ) throws(WACZError) -> WARCReader {
    guard let entry = archive["archive/" + name] else { throw .missing("archive/" + name) }
    do throws(ContainerError) {
      let access =
        if let stored = try archive.storedBytes(of: entry) {
          stored
        } else {
          // A WARC file that is compressed as a whole has no random access.
          ByteAccess(try archive.content(of: entry.path))
        }
      return WARCReader(at: position) { offset, buffer in
        let bytes = try access.read(buffer.count, at: offset)
        buffer.copyBytes(from: bytes)
        return bytes.count
      }
    } catch {
      throw WACZError(error)
    }
  }

  /// Returns the files whose content differs from their digest in the description, or from their
  /// checksum in the ZIP archive, and those that have a digest and are missing.
  /// - Returns: The paths of the files. Of files without a digest, only the checksum is verified.
  /// - Throws: `WACZError` if a file cannot be read.
  public func filesWithWrongDigest() throws(WACZError) -> [String] {
    var wrong: [String] = []
    for entry in archive.entries where !entry.isDirectory {
      var digest = DigestBuilder(.sha256)
      do {
        try archive.read(entry) { digest.update($0) }
      } catch let error as ContainerError {
        if case .wrongChecksum = error {
          wrong.append(entry.path)
          continue
        }
        throw WACZError(error)
      } catch {
        throw .unreadable("\(error)")
      }
      let text = Hexadecimal.text(digest.digest().bytes)
      if !description.allows(entry.path, digest: text) { wrong.append(entry.path) }
    }
    return wrong + description.paths.filter { archive[archive.path(matching: $0)] == nil }
  }

  /// Passes the lines of a text file to a closure, without their line ends. A file whose name ends
  /// with `.gz` is decompressed.
  func readLines(of path: String, into sink: (ArraySlice<UInt8>) throws -> Void) throws {
    guard let entry = archive[path] else { throw WACZError.missing(path) }
    let inflater = path.hasSuffix(".gz") ? Inflater(format: .gzip) : nil
    var line: [UInt8] = []
    var length: Int64 = 0
    func add(_ bytes: [UInt8]) throws {
      length += Int64(bytes.count)
      guard length <= Self.maxListLength else {
        throw WACZError.damaged(
          "\(path) is longer than \(Self.maxListLength) bytes when it is unpacked")
      }
      var start = bytes.startIndex
      while let end = bytes[start...].firstIndex(of: 10) {
        line += bytes[start..<end]
        if line.last == 13 { line.removeLast() }
        try sink(line[...])
        line.removeAll(keepingCapacity: true)
        start = end + 1
      }
      line += bytes[start...]
      guard line.count <= 1 << 24 else { throw WACZError.damaged("a line of \(path) is too long") }
    }
    do {
      try archive.read(entry) { bytes in
        if let inflater { try inflater.inflate(bytes, into: add) } else { try add(bytes) }
      }
    } catch let error as ContainerError {
      throw WACZError(error)
    } catch is DeflateError {
      throw WACZError.damaged("\(path) cannot be unpacked")
    }
    guard inflater?.isFinished ?? true else { throw WACZError.damaged("\(path) is incomplete") }
    if !line.isEmpty { try sink(line[...]) }
  }

  private static func bytes(of file: ReadableFile, at offset: Int64, count: Int) throws(WARCError)
    -> [UInt8]
  {
    var failure: WARCError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(WARCError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
          let read = try file.read(at: offset + Int64(filled), into: rest)
          guard read > 0 else { break }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
