import Foundation
import TestSupport
import Testing

/// A JSON value that supports comparison.
enum JSONText: Decodable, Hashable {
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONText])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else {
      self = .list(try container.decode([JSONText].self))
    }
  }
}

/// The data directory that 1.0.0 wrote as the devices "harbour" and "ferry", the output of 1.0.0
/// for it, and a proxy that responds for its sites, which have not changed since.
///
/// `scripts/profile PROGRAM FILE.tar.gz` created it with 1.0.0, and documents its contents.
final class EarlierProfile {
  /// A page of a site.
  private struct SitePage: Decodable {
    var type: String?
    var etag: String?
    var text: String?
    var location: String?
  }

  /// The output of 1.0.0 for a URL.
  struct Shown: Decodable {
    /// The exit code and the output of `dump --offline --full`.
    var status: Int32
    var text: String
    /// The output of `versions --json`, or nil if there was none.
    var versions: Versions?
  }

  /// The output of `versions --json`.
  struct Versions: Decodable {
    var versions: [[String: JSONText]]
  }

  /// The output of `list --json`.
  struct Pages: Decodable {
    var pages: [[String: JSONText]]

    /// The pages by their URLs.
    var byURL: [JSONText: [String: JSONText]] {
      Dictionary(pages.compactMap { page in page["url"].map { ($0, page) } }) { first, _ in first }
    }
  }

  let sandbox: Sandbox
  let proxy: ScriptedServer
  private let site: [String: SitePage]

  /// Unpacks the profile.
  init() throws {
    let sandbox = try Sandbox()
    let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/profiles/1.0.0.tar.gz").path
    let unpacked = try Program.run(
      "/usr/bin/env", ["tar", "-xzf", archive, "-C", sandbox.directory.path])
    #expect(unpacked.status == 0, "\(unpacked.errorText)")
    let file = sandbox.directory.appendingPathComponent("site.json")
    let site = try JSONDecoder().decode([String: SitePage].self, from: Data(contentsOf: file))
    (self.sandbox, self.site, proxy) = (sandbox, site, try ScriptedServer())
    proxy.onOthers { request in
      guard let page = site[request.target] else { return nil }
      if let location = page.location { return .redirect(301, to: location) }
      let fields = [("Content-Type", page.type ?? ""), ("ETag", page.etag ?? "")]
      return request["If-None-Match"] == page.etag
        ? .response(status: 304, fields, body: []) : .response(fields, text: page.text ?? "")
    }
  }

  /// The environment variables for this device and the proxy.
  var environment: [String: String] {
    ["OFFREAD_MACHINE": "harbour", "http_proxy": proxy.url, "no_proxy": "-"]
  }

  /// Runs the built program as the device "harbour".
  func offread(_ arguments: String...) throws -> Program {
    try sandbox.offread(arguments, environment: environment)
  }

  /// Starts the built program in a terminal as the device "harbour".
  func reader(_ arguments: String..., columns: Int = 70, rows: Int = 12) throws -> TmuxScreen {
    try sandbox.reader(arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Returns the output of 1.0.0 for each URL, including those without a copy.
  func shown() throws -> [String: Shown] {
    try JSONDecoder().decode([String: Shown].self, from: expected("pages"))
  }

  /// Returns the output of `list --json` of 1.0.0 and of this version.
  func lists(_ option: String?) throws -> (earlier: Pages, now: Pages) {
    let tokens = ["list", "--json"] + (option.map { ["--" + $0] } ?? [])
    let run = try sandbox.offread(tokens, environment: environment)
    #expect(run.status == 0 && run.errorText.isEmpty, "\(tokens): \(run.errorText)")
    let decoder = JSONDecoder()
    return (
      try decoder.decode(
        Pages.self, from: expected("list" + (option.map { "-" + $0 } ?? ""))),
      try decoder.decode(Pages.self, from: run.output)
    )
  }

  /// Returns the versions of a page that this version lists.
  func versions(of url: String) throws -> [[String: JSONText]] {
    let run = try offread("versions", "--json", url)
    guard !run.output.isEmpty else { return [] }
    return try JSONDecoder().decode(Versions.self, from: run.output).versions
  }

  private func expected(_ name: String) throws -> Data {
    try Data(contentsOf: sandbox.directory.appendingPathComponent("expected/\(name).json"))
  }
}
