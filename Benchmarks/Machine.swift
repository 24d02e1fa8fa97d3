import Foundation

/// The device on which the figures were measured.
enum Machine {
  /// Processor, cores, operating system, compiler and load on one line.
  static var description: String {
    let processor = field("model name", in: "/proc/cpuinfo", separator: ":") ?? "unknown processor"
    let system =
      field("PRETTY_NAME", in: "/etc/os-release", separator: "=") ?? "unknown system"
    let cores = ProcessInfo.processInfo.processorCount
    return "\(processor), \(cores) cores; \(system); \(compiler); load \(load) at the start"
  }

  /// The current date in UTC, in the form 2026-11-24.
  static var date: String {
    String(Date().formatted(.iso8601.year().month().day()))
  }

  private static var load: String {
    let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
    return text.split(separator: " ").first.map(String.init) ?? "unknown"
  }

  private static var compiler: String {
    let version = ProcessInfo.processInfo.environment["OFFREAD_BENCH_SWIFT"] ?? ""
    return version.isEmpty ? "Swift" : "Swift \(version)"
  }

  private static func field(_ name: String, in file: String, separator: Character) -> String? {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
      let value = line.split(separator: separator, maxSplits: 1).last
    else { return nil }
    return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
  }
}
