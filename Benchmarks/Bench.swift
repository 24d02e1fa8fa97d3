import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// How fast the cache, the rendering, the library and the terminal are, against the figures they are meant to reach.
// `scripts/bench` builds and starts this; it is not installed. What is measured runs in processes of its own, so that each has its own
// start, memory and processor time: this program calls itself with `serve` and `work`.

/// The benchmark: arguments in, a table out.
@main
enum Bench {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "serve": try LoopbackServer.serve(pages: Int(arguments.dropFirst().first ?? "") ?? 0)
      case "work": try Worker.run(Array(arguments.dropFirst()))
      case "cache": try measure(CacheBench.rows, Array(arguments.dropFirst()))
      case "render": try measure(RenderBench.rows, Array(arguments.dropFirst()))
      case "library": try measure(LibraryBench.rows, Array(arguments.dropFirst()))
      case "terminal": try measure(TerminalBench.rows, Array(arguments.dropFirst()))
      case "blocks": try ContentExamples.print(Array(arguments.dropFirst()))
      case "first-screens": try FirstScreens.print(Array(arguments.dropFirst()))
      case "picture": try Picture.write(Array(arguments.dropFirst()))
      case "names": TreeDump.printNames()
      case "trees": try TreeDump.printTrees(of: Array(arguments.dropFirst()))
      default:
        throw BenchError(
          "usage: bench cache|render|library|terminal --offread PROGRAM [ROW...] | bench picture COLUMNS ROWS dark|light <CAPTURE | bench blocks PAGE... | bench first-screens PAGE... | bench names | bench trees FILE"
        )
      }
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ all: [BenchRow], _ arguments: [String]) throws {
    var names = arguments
    guard let option = names.firstIndex(of: "--offread"), names.count > option + 1 else {
      throw BenchError("--offread PROGRAM is missing")
    }
    let program = names[option + 1]
    names.removeSubrange(option...option + 1)
    let rows = try all.named(names)
    let place = try Workplace(offread: program)
    defer { place.remove() }
    print(Machine.description)
    print("")
    print(ResultRow.header)
    var misses = 0
    for row in rows {
      for result in try row.measure(place) {
        print(result.line)
        fflush(nil)
        if result.verdict == .fail { misses += 1 }
      }
    }
    print("")
    print(misses == 0 ? "every target is reached" : "\(misses) missed")
  }
}

/// Why nothing can be measured, in words.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
