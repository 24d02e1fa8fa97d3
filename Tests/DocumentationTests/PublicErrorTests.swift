import Foundation
import OfflineCache
import Testing
import WARC

/// The errors that the libraries report to their clients.
@Suite struct PublicErrorTests {
  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources")

  @Test(
    arguments: [
      (WARCError.cut(offset: 7), "it is truncated within the record at byte 7"),
      (WARCError.unreadable("a: no such file"), "a: no such file"),
      (ArchiveError.full, "pages cannot be saved: the disk is full"),
      (ArchiveError.notFound, "there is no such saved page"),
      (TransportFailure(.hostNotFound, "a.test"), "the host was not found (a.test)"),
      (TransportFailure(.timedOut), "the response timed out"),
      (SchemeError.reserved("http"), "the scheme http is reserved"),
      (LoadError.transport(TransportFailure(.noNetwork)), "there is no network"),
      (LoadError.notSaved, "the page is not saved"),
    ] as [(any Error, String)])
  func `an error has a description for the user`(_ error: any Error, _ text: String) {
    #expect(error.localizedDescription == text)
  }

  @Test(arguments: TransportFailure.Kind.allCases)
  func `every kind of failure has a description, not only a name`(_ kind: TransportFailure.Kind) {
    let text = TransportFailure(kind).localizedDescription
    #expect(text.hasPrefix("the ") || text.hasPrefix("there is "))
  }

  @Test func `every public error is a LocalizedError`() throws {
    var errors: Set<String> = []
    var localized: Set<String> = []
    let declaration = /public (?:struct|enum) (\w+): (?:[^{]*, )?Error\b/
    let conformance = /extension (\w+): LocalizedError/
    for name in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    where name.hasSuffix(".swift") {
      let url = Self.sources.appendingPathComponent(name)
      let text = try String(contentsOf: url, encoding: .utf8)
      errors.formUnion(text.matches(of: declaration).map { String($0.1) })
      localized.formUnion(text.matches(of: conformance).map { String($0.1) })
    }
    #expect(errors.isSuperset(of: ["WARCError", "ArchiveError", "TransportFailure", "LoadError"]))
    #expect(errors.subtracting(localized).isEmpty)
  }
}
