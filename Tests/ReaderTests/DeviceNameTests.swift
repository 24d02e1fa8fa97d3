@testable import Configuration
@testable import Saving
import Crawl
@testable import Library
import Foundation
import Synchronization
import TestFiles
import TestNetwork
import Testing

@testable import OfflineCache
@testable import Profiles
@testable import Rendering
@testable import WebArchive

@Suite struct DeviceNameTests {
  private let files: TestProfile
  private var locations: Locations

  init() throws {
    files = try TestProfile()
    locations = Locations(dataDirectory: files.directory.path, environment: [:])
    locations.host = "laptop"
  }

  private func writeFile(_ name: String, _ text: String = "x") throws {
    let file = files.directory.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func name(
    _ random: String..., system: String = "1", isReadOnly: Bool = false,
    files: any FileSystem = LocalFileSystem()
  ) throws -> String {
    var rest = random[...]
    return try DeviceName(of: locations, system: system, files: files).choose(
      isReadOnly: isReadOnly
    ) {
      rest.popFirst() ?? "unexpected"
    }
  }

  /// A file system in which some files cannot be read for some time, though they exist.
  private final class Failing: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    private let part: String
    private let left: Mutex<Int>

    init(_ part: String, times: Int = .max) {
      self.part = part
      left = Mutex(times)
    }

    func heal() { left.withLock { $0 = 0 } }

    private func fails(_ path: String) -> Bool {
      path.contains(part)
        && left.withLock { left in
          guard left > 0 else { return false }
          left -= 1
          return true
        }
    }

    func open(_ path: String, _ flags: Int32) -> Int {
      fails(path) ? -Int(EIO) : base.open(path, flags)
    }

    func list(_ directory: String, _ each: (String) -> Void) -> Int {
      fails(directory) ? -Int(EMFILE) : base.list(directory, each)
    }

    func status(of path: String, _ status: inout stat) -> Int {
      fails(path) ? -Int(EIO) : base.status(of: path, &status)
    }
  }

  /// The contents of all files of the profile.
  private func everything() throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: files.directory.path) {
      let file = files.directory.appendingPathComponent(name)
      // The shared-memory file of a database changes when it is opened.
      if !name.hasSuffix("-shm") { found[name] = (try? Data(contentsOf: file)) ?? Data() }
    }
    return found
  }

  @Test func `a name that is temporarily unreadable is read again`() throws {
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
    #expect(
      try name("bbbbbbbb", files: Failing("/machine-", times: 2)) == "laptop-aaaaaaaa")
  }

  @Test func `an unreadable name is neither guessed nor replaced`() throws {
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
    let before = try everything()
    for isReadOnly in [true, false] {
      #expect {
        try name("bbbbbbbb", isReadOnly: isReadOnly, files: Failing("/machine-"))
      } throws: {
        guard case ArchiveError.unreadable(let reason) = $0 else { return false }
        return reason.contains("/machine-") && reason.hasSuffix("Input/output error")
      }
    }
    #expect(try everything() == before)
    #expect(try name("bbbbbbbb") == "laptop-aaaaaaaa")
  }

  @Test(arguments: ["/state", "/archive", "/library", "index.sqlite"])
  func `no name is chosen if it is unknown whether files of this device exist`(
    _ part: String
  ) throws {
    try writeFile("archive/laptop-20261101-000001.warc.gz")
    try writeFile("index.sqlite")
    #expect(throws: ArchiveError.self) { try name("aaaaaaaa", files: Failing(part)) }
    #expect(try name("aaaaaaaa") == "laptop")
  }

  @Test func `without a readable name a profile is read-only`() throws {
    let network = SiteNetwork()
    let url = "http://x.example/"
    network.add(url, "<title>t</title><p>The text.")
    var request = SaveRequest(pages: [url])
    request.pace.minGap = .zero
    let saving = files.open(network)
    #expect(PageSaver(request, in: saving).run().isComplete)
    saving.close()
    let before = try everything()

    let failing = Failing("/machine-")
    let profile = files.open(network, files: failing)
    #expect(try profile.library.page(url).pinnedDate != nil)
    #expect(try profile.cache.archive.captures(of: url).count == 1)
    func isRefusal(_ error: (any Error)?) -> Bool {
      guard case .unwritable(let reason)? = error as? ArchiveError else { return false }
      return reason.hasPrefix("the file with the name of this device cannot be read")
    }
    #expect(isRefusal(profile.cache.warning))
    #expect(profile.drainWarnings().count == 1)
    let refused: [() throws -> Void] = [
      { try profile.library.record([LibraryChange(url, .note, "n")]) },
      { try profile.library.forget([url]) },
      { try profile.library.rebuild() },
      { _ = try profile.device },
      { _ = try PageRemoval(from: profile).remove(url) },
      { _ = try profile.cache.compact() },
      { try profile.cache.archive.rebuild() },
    ]
    for (number, work) in refused.enumerated() {
      #expect("\(number)") { try work() } throws: { isRefusal($0) }
    }
    // The profile stays read-only while it is open, even if the name becomes readable.
    failing.heal()
    #expect(throws: ArchiveError.self) { try profile.device }
    profile.close()
    var after = try everything()
    // The search index is a database that only this device has. A lock file is empty.
    for name in after.keys where name.hasPrefix("search.sqlite") { after[name] = nil }
    #expect(after == before)

    let again = files.open(network)
    #expect(try again.device == saving.device)
    try again.library.record([LibraryChange(url, .note, "n")])
    again.close()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: locations.journals.path).count == 1)
  }

  @Test func `the first start adds a random part to the host name, which is kept`() throws {
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
    #expect(try name("bbbbbbbb") == "laptop-aaaaaaaa")
    #expect(DeviceName.randomPart() != DeviceName.randomPart())
    #expect(SegmentName.device(DeviceName.randomPart()).utf8.count == 8)
  }

  @Test func `a configured name is used unchanged and not stored`() throws {
    var given = locations
    given.device = "Büro 1"
    #expect(try DeviceName(of: given).choose() == SegmentName.device("Büro 1"))
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test(arguments: ["archive/laptop-20261101-000001.warc.gz", "library/laptop.journal"])
  func `an archive of an earlier version keeps the host name while its state exists`(_ file: String)
    throws
  {
    try writeFile(file)
    try writeFile("state/reading.jsonl")
    #expect(try name("aaaaaaaa") == "laptop")
    try FileManager.default.removeItem(at: locations.state)
    // Now it may belong to another device with the same host name.
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test(arguments: ["index.sqlite", "library.sqlite"])
  func `databases count as state, which is the only state of a device that only saves`(
    _ file: String
  ) throws {
    try writeFile("archive/laptop-20261101-000001.warc.gz")
    try writeFile(file)
    #expect(try name("aaaaaaaa") == "laptop")
  }

  @Test mutating func `a long name of an earlier version is kept`() throws {
    locations.host = String(repeating: "l", count: 60)
    try writeFile("archive/\(locations.host)-20261101-000001.warc.gz")
    try writeFile("state/reading.jsonl")
    #expect(try name("aaaaaaaa") == locations.host)
  }

  @Test(arguments: [nil, "state/sync.lock", "state/machine-0123456789"])
  func `files with the host name are not continued without the state that wrote them`(
    _ file: String?
  ) throws {
    try writeFile("archive/laptop-20261101-000001.warc.gz")
    if let file { try writeFile(file, "laptop\n") }
    #expect(try name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test func `a name used by existing files is not chosen again when the state is lost`() throws {
    try writeFile("archive/laptop-aaaaaaaa-20261101-000001.warc.gz")
    try writeFile("library/laptop-bbbbbbbb.journal")
    #expect(try name("aaaaaaaa", "bbbbbbbb", "cccccccc") == "laptop-cccccccc")
  }

  @Test func `two devices with the same host name and shared files have different names`() throws {
    #expect(try name("aaaaaaaa", system: "1") == "laptop-aaaaaaaa")
    #expect(try name("aaaaaaaa", "bbbbbbbb", system: "2") == "laptop-bbbbbbbb")
    #expect(try name(system: "1") == "laptop-aaaaaaaa")
    #expect(try name(system: "2") == "laptop-bbbbbbbb")
  }

  @Test(arguments: ["", "\n", "a/b\n", "..\n", "laptop", "\u{0}\n", "a b\n"])
  func `an invalid stored name is replaced`(_ text: String) throws {
    _ = try name("aaaaaaaa")
    let kept = try #require(
      try FileManager.default.contentsOfDirectory(atPath: locations.state.path).first {
        $0.hasPrefix("machine-") && !$0.hasSuffix(".new")
      })
    try writeFile("state/" + kept, text)
    #expect(try name("bbbbbbbb") == "laptop-bbbbbbbb")
  }

  @Test func `every start has the same name if none can be stored`() throws {
    try writeFile("state", "a file in the place of the folder")
    let first = try name("aaaaaaaa")
    #expect(first.hasPrefix("laptop-") && first != "laptop-aaaaaaaa")
    #expect(try name("bbbbbbbb") == first)
  }

  @Test func `a read-only profile stores no name`() throws {
    #expect(try name("aaaaaaaa", isReadOnly: true) == "laptop-aaaaaaaa")
    #expect(!FileManager.default.fileExists(atPath: files.directory.path))
  }

  @Test mutating func `a long or unusual host name is shortened for the random part`() throws {
    locations.host = String(repeating: "ü", count: 100)
    let long = try name("aaaaaaaa")
    #expect(long.utf8.count <= 64 && long.hasSuffix("-aaaaaaaa"))
    #expect(SegmentName.device(long) == long)
  }

  @Test func `a profile writes its segments and its journal under the same name`() throws {
    let network = SiteNetwork()
    network.add("http://x.example/", "<title>t</title><p>The text.")
    let profile = files.open(network)
    var request = SaveRequest(pages: ["http://x.example/"])
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).run().isComplete)
    profile.close()
    let journals = try FileManager.default.contentsOfDirectory(atPath: locations.journals.path)
    #expect(journals == [try profile.device + ".journal"])
    let segments = try FileManager.default.contentsOfDirectory(atPath: locations.archive.path)
      .compactMap { SegmentName($0)?.device }
    #expect(try segments == [profile.device])
  }

  @Test func `merging the files of two devices with the same host name loses nothing`() throws {
    let otherFiles = try TestProfile()
    let network = SiteNetwork()
    var devices: Set<String> = []
    for (index, files) in [files, otherFiles].enumerated() {
      network.add("http://x.example/\(index)", "<title>t</title><p>The text of \(index).")
      let profile = files.open(network)
      devices.insert(try profile.device)
      var request = SaveRequest(pages: ["http://x.example/\(index)"])
      request.pace.minGap = .zero
      #expect(PageSaver(request, in: profile).run().isComplete)
      profile.close()
    }
    #expect(devices.count == 2)
    for directory in ["archive", "library"] {
      let source = otherFiles.directory.appendingPathComponent(directory)
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where !name.hasPrefix(".") {
        try FileManager.default.copyItem(
          at: source.appendingPathComponent(name),
          to: files.directory.appendingPathComponent(directory).appendingPathComponent(name))
      }
    }
    let profile = files.open(network)
    // Files of others are read in the background.
    try profile.cache.archive.catchUp()
    for index in 0..<2 {
      #expect(try profile.cache.archive.contains(["http://x.example/\(index)"]).count == 1)
      #expect(try profile.library.page("http://x.example/\(index)").pinnedDate != nil)
    }
    profile.close()
  }
}
