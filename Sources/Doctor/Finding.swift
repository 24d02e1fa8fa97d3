import Foundation

/// A finding of `offread doctor`. It is fit for a bug report: it contains no names of hosts, users
/// or files, except for the usual directories of offread, with the home directory written as `~`.
package struct Finding: Sendable, Equatable, Encodable {
  /// The areas of findings, in the order of the report.
  package enum Area: String, Sendable, Encodable, CaseIterable {
    case program = "program"
    case terminal = "terminal"
    case locale = "locale"
    case network = "network"
    case directories = "folders"

    /// The heading in the text report.
    var heading: String { self == .directories ? "directories" : rawValue }
  }

  package var area: Area
  /// The subject of the check, as in JSON.
  package var name: String
  /// The subject of the check in the text report; nil if the text report uses `name`.
  package var textLabel: String?
  /// The result of the check.
  package var value: String
  /// Advice; nil if there is no problem.
  package var advice: String?

  /// Creates a finding.
  package init(
    _ area: Area, _ name: String, textLabel: String? = nil, _ value: String, advice: String? = nil
  ) {
    (self.area, self.name, self.textLabel, self.value, self.advice) = (
      area, name, textLabel, value, advice
    )
  }

  private enum CodingKeys: String, CodingKey {
    case area = "area"
    case name = "name"
    case value = "value"
    case advice = "advice"
  }
}

extension [Finding] {
  /// Whether there are no problems.
  package var hasNoProblems: Bool { allSatisfy { $0.advice == nil } }

  /// The report: a paragraph for each area, with problems marked by `!` and followed by their
  /// advice.
  package var reportText: String {
    let width = map { ($0.textLabel ?? $0.name).count }.max() ?? 0
    return Finding.Area.allCases.compactMap { area in
      let lines = filter { $0.area == area }.map { finding in
        let label = finding.textLabel ?? finding.name
        let name = label.padding(toLength: width, withPad: " ", startingAt: 0)
        let line = "\(finding.advice == nil ? "  " : "! ")\(name)  \(finding.value)\n"
        return line + (finding.advice.map { "    -> \($0)\n" } ?? "")
      }
      return lines.isEmpty ? nil : area.heading + "\n" + lines.joined()
    }.joined(separator: "\n")
  }
}
