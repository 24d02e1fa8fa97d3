import Foundation
import Testing

@testable import OfflineCache
@testable import Reader

@Suite struct MachineNameTests {
  private let files: TestProfile
  private var locations: Locations

  init() throws {
    files = try TestProfile()
    locations = Locations(dataDirectory: files.folder.path, environment: [:])
    locations.host = "laptop"
  }

  private func put(_ name: String, _ text: String = "x") throws {
    let file = files.folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func name(
    _ random: String..., system: String = "1", isReadOnly: Bool = false
  ) -> String {
    var rest = random[...]
    return MachineName(of: locations, system: system).chosen(isReadOnly: isReadOnly) {
      rest.popFirst() ?? "unexpected"
    }
  }

  @Test func `at the first start the host's name gets a random part, which stays`() {
    #expect(name("aaaaaaaa") == "laptop-aaaaaaaa")
    #expect(name("bbbbbbbb") == "laptop-aaaaaaaa")
    #expect(MachineName.randomPart() != MachineName.randomPart())
    #expect(SegmentName.machine(MachineName.randomPart()).utf8.count == 8)
  }

  @Test func `a name that was given is taken as it is, and not kept`() {
    var given = locations
    given.machine = "Büro 1"
    #expect(MachineName(of: given).chosen() == SegmentName.machine("Büro 1"))
    #expect(name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test(
    "an archive from before keeps the host's name, as long as its state is there",
    arguments: ["archive/laptop-20261101-000001.warc.gz", "library/laptop.journal"])
  func before(_ file: String) throws {
    try put(file)
    try put("state/reading.jsonl")
    #expect(name("aaaaaaaa") == "laptop")
    try FileManager.default.removeItem(at: locations.state)
    // Now it may be that of another machine with the same name.
    #expect(name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test(
    "the databases are state, too: who only saves has no other",
    arguments: ["index.sqlite", "library.sqlite"])
  func databases(_ file: String) throws {
    try put("archive/laptop-20261101-000001.warc.gz")
    try put(file)
    #expect(name("aaaaaaaa") == "laptop")
  }

  @Test mutating func `a long name from before stays as it was`() throws {
    locations.host = String(repeating: "l", count: 60)
    try put("archive/\(locations.host)-20261101-000001.warc.gz")
    try put("state/reading.jsonl")
    #expect(name("aaaaaaaa") == locations.host)
  }

  @Test(
    "files of the host's name are not continued without the state that wrote them",
    arguments: [nil, "state/sync.lock", "state/machine-0123456789"])
  func lost(_ file: String?) throws {
    try put("archive/laptop-20261101-000001.warc.gz")
    if let file { try put(file, "laptop\n") }
    #expect(name("aaaaaaaa") == "laptop-aaaaaaaa")
  }

  @Test func `a name that files here have is not taken again when the state is lost`() throws {
    try put("archive/laptop-aaaaaaaa-20261101-000001.warc.gz")
    try put("library/laptop-bbbbbbbb.journal")
    #expect(name("aaaaaaaa", "bbbbbbbb", "cccccccc") == "laptop-cccccccc")
  }

  @Test func `two machines of one host name that share everything have two names`() {
    #expect(name("aaaaaaaa", system: "1") == "laptop-aaaaaaaa")
    #expect(name("aaaaaaaa", "bbbbbbbb", system: "2") == "laptop-bbbbbbbb")
    #expect(name(system: "1") == "laptop-aaaaaaaa")
    #expect(name(system: "2") == "laptop-bbbbbbbb")
  }

  @Test(
    "what is no name is replaced",
    arguments: ["", "\n", "a/b\n", "..\n", "laptop", "\u{0}\n", "a b\n"])
  func garbage(_ text: String) throws {
    _ = name("aaaaaaaa")
    let kept = try #require(
      try FileManager.default.contentsOfDirectory(atPath: locations.state.path).first {
        $0.hasPrefix("machine-") && !$0.hasSuffix(".new")
      })
    try put("state/" + kept, text)
    #expect(name("bbbbbbbb") == "laptop-bbbbbbbb")
  }

  @Test func `where nothing can be kept, every start has the same name`() throws {
    try put("state", "a file in the place of the folder")
    let first = name("aaaaaaaa")
    #expect(first.hasPrefix("laptop-") && first != "laptop-aaaaaaaa")
    #expect(name("bbbbbbbb") == first)
  }

  @Test func `who only looks writes nothing`() {
    #expect(name("aaaaaaaa", isReadOnly: true) == "laptop-aaaaaaaa")
    #expect(!FileManager.default.fileExists(atPath: files.folder.path))
  }

  @Test mutating func `a long or odd host name leaves room for the random part`() {
    locations.host = String(repeating: "ü", count: 100)
    let long = name("aaaaaaaa")
    #expect(long.utf8.count <= 64 && long.hasSuffix("-aaaaaaaa"))
    #expect(SegmentName.machine(long) == long)
  }

  @Test func `a profile writes its segments and its journal under one name`() throws {
    let network = SiteNetwork()
    network.add("http://x.example/", "<title>t</title><p>The text.")
    let profile = files.open(network)
    var request = SaveRequest(pages: ["http://x.example/"])
    request.pace.gap = .zero
    #expect(PageSaver(request, in: profile).run().isComplete)
    profile.close()
    let journals = try FileManager.default.contentsOfDirectory(atPath: locations.journals.path)
    #expect(journals == [profile.machine + ".journal"])
    let segments = try FileManager.default.contentsOfDirectory(atPath: locations.archive.path)
      .compactMap { SegmentName($0)?.machine }
    #expect(segments == [profile.machine])
  }

  @Test func `two machines of one host name whose files are put together lose nothing`() throws {
    let other = try TestProfile()
    let network = SiteNetwork()
    var machines: Set<String> = []
    for (index, files) in [files, other].enumerated() {
      network.add("http://x.example/\(index)", "<title>t</title><p>The text of \(index).")
      let profile = files.open(network)
      machines.insert(profile.machine)
      var request = SaveRequest(pages: ["http://x.example/\(index)"])
      request.pace.gap = .zero
      #expect(PageSaver(request, in: profile).run().isComplete)
      profile.close()
    }
    #expect(machines.count == 2)
    for folder in ["archive", "library"] {
      let from = other.folder.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: from.path)
      where !name.hasPrefix(".") {
        try FileManager.default.copyItem(
          at: from.appendingPathComponent(name),
          to: files.folder.appendingPathComponent(folder).appendingPathComponent(name))
      }
    }
    let profile = files.open(network)
    // Files of others are read behind everything else.
    try profile.cache.archive.catchUp()
    for index in 0..<2 {
      #expect(try profile.cache.archive.contains(["http://x.example/\(index)"]).count == 1)
      #expect(try profile.library.page("http://x.example/\(index)").kept != nil)
    }
    profile.close()
  }
}
