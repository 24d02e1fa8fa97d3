import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Measures the performance of the cache, the rendering, the library and the terminal interface
// against targets. `scripts/bench` builds and starts this program; it is not installed. Measured
// work runs in separate processes with their own start, memory and processor time: the program runs
// itself with `serve` and `work`.

/// The benchmark program: arguments in, a table out.
@main
enum Bench {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "serve": try LoopbackServer.serve(pages: Int(arguments.dropFirst().first ?? "") ?? 0)
      case "work": try Worker.run(Array(arguments.dropFirst()))
      case let table? where tables[table] != nil:
        try measure(table, tables[table] ?? [], Array(arguments.dropFirst()))
      case "blocks": try ContentExamples.print(Array(arguments.dropFirst()))
      case "first-screens": try FirstScreens.print(Array(arguments.dropFirst()))
      case "kept-images": try KeptImages.print(Array(arguments.dropFirst()))
      case "selectors": try UnderstoodSelectors.print(Array(arguments.dropFirst()))
      case "folds": try FoldContents.print(Array(arguments.dropFirst()))
      case "picture": try Picture.write(Array(arguments.dropFirst()))
      case "names": TreeDump.printNames()
      case "trees": try TreeDump.printTrees(of: Array(arguments.dropFirst()))
      default:
        throw BenchError(
          "usage: bench cache|render|library|terminal --offread PROGRAM [--record DOCUMENT] [ROW...] | bench picture COLUMNS ROWS dark|light <CAPTURE | bench blocks PAGE... | bench first-screens PAGE... | bench folds PAGE... | bench kept-images FOLDER... | bench selectors PAGE... | bench names | bench trees FILE"
        )
      }
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static let tables = [
    "cache": CacheBench.rows, "render": RenderBench.rows, "library": LibraryBench.rows,
    "terminal": TerminalBench.rows,
  ]

  /// Removes an option with its value from the arguments, and returns the value; nil if it is
  /// missing.
  private static func take(_ option: String, from arguments: inout [String]) -> String? {
    guard let index = arguments.firstIndex(of: option), arguments.count > index + 1 else {
      return nil
    }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
  }

  private static func measure(_ table: String, _ all: [BenchRow], _ arguments: [String]) throws {
    var names = arguments
    guard let program = take("--offread", from: &names) else {
      throw BenchError("--offread PROGRAM is missing")
    }
    let record = take("--record", from: &names)
    let rows = try all.named(names)
    if let record {
      _ = try RecordedRows(of: table, in: String(contentsOfFile: record, encoding: .utf8))
    }
    let place = try Workplace(offread: program)
    defer { place.remove() }
    print(Machine.description)
    print("")
    print(ResultRow.header)
    var misses = 0
    for row in rows {
      let results = try row.measure(place)
      for result in results {
        print(result.line)
        fflush(nil)
        if result.verdict == .fail { misses += 1 }
      }
      guard let record else { continue }
      // Read again, because another table may have been recorded in the meantime.
      var recorded = try RecordedRows(
        of: table, in: String(contentsOfFile: record, encoding: .utf8))
      recorded.replace(row.name, by: results, date: Machine.date)
      try recorded.document.write(toFile: record, atomically: true, encoding: .utf8)
    }
    print("")
    print(misses == 0 ? "every target is reached" : "\(misses) missed")
  }
}

/// The error that something cannot be measured.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
