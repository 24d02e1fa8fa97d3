import Foundation

/// One thing that `offread doctor` has found. Nothing in it tells who somebody is or what is read: it has no
/// names of hosts, users or files, but what is below the home folder as `~`.
package struct Finding: Sendable, Equatable, Encodable {
  /// What it is about, in the order in which they are told.
  package enum Area: String, Sendable, Encodable, CaseIterable {
    case program, terminal, locale, network, folders
  }

  /// What it is about.
  package var area: Area
  /// What was looked at.
  package var name: String
  /// What was found.
  package var value: String
  /// What is to be done, where something is wrong.
  package var advice: String?

  /// Makes a finding; see the members.
  package init(_ area: Area, _ name: String, _ value: String, advice: String? = nil) {
    (self.area, self.name, self.value, self.advice) = (area, name, value, advice)
  }

  private enum CodingKeys: String, CodingKey { case area, name, value, advice }
}

extension [Finding] {
  /// Whether nothing is wrong.
  package var isWell: Bool { allSatisfy { $0.advice == nil } }

  /// The findings as text: an area a paragraph, what is wrong marked, what to do below it.
  package var text: String {
    let width = map(\.name.count).max() ?? 0
    return Finding.Area.allCases.compactMap { area in
      let lines = filter { $0.area == area }.map { finding in
        let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
        let line = "\(finding.advice == nil ? "  " : "! ")\(name)  \(finding.value)\n"
        return line + (finding.advice.map { "    -> \($0)\n" } ?? "")
      }
      return lines.isEmpty ? nil : area.rawValue + "\n" + lines.joined()
    }.joined(separator: "\n")
  }
}
