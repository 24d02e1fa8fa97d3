import Configuration
import Foundation
import Platform

extension Confinement {
  /// Lets nothing be run but what decodes: this program, and those that it starts for books and PDF files.
  mutating func runOnlyDecoders() {
    let found = ["pdftotext", "offread-zim"].compactMap { ChildProcess.find($0) }
    var programs: Set<String> = []
    for program in found + [SharedFiles.executable?.path].compactMap(\.self) {
      let real = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
      guard let loader = Self.loader(of: real) else {
        // A script runs what it likes of the system.
        programs.formUnion(Self.system + [(program as NSString).deletingLastPathComponent])
        continue
      }
      programs.formUnion([real, loader])
      // There programs are often small ones that become others beside them.
      for store in ["/nix", "/gnu"] where real.hasPrefix(store + "/") { programs.insert(store) }
    }
    self.programs = programs
  }

  /// The program that loads a program and its libraries (ELF, PT_INTERP).
  /// - Parameter path: the path of the program.
  /// - Returns: its path; an empty one for a program that needs none, nil where it is not known, as of a script.
  static func loader(of path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 1 << 14).map(Array.init), head.count >= 64,
      head.starts(with: [0x7F, 0x45, 0x4C, 0x46])
    else { return nil }
    func number(_ place: Int, _ size: Int) -> Int? {
      guard place >= 0, place + size <= head.count else { return nil }
      let value = head[place..<place + size].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(exactly: value)
    }
    // 64 bits, the lowest byte first; others have no Swift.
    guard head[4] == 2, head[5] == 1, let table = number(32, 8), let size = number(54, 2),
      let count = number(56, 2)
    else { return nil }
    for index in 0..<count {
      guard table < head.count, let kind = number(table + index * size, 4) else { return nil }
      guard kind == 3 else { continue }
      guard let start = number(table + index * size + 8, 8),
        let length = number(table + index * size + 32, 8), start < head.count, length > 1,
        length < head.count - start
      else { return nil }
      return String(decoding: head[start..<start + length - 1], as: UTF8.self)
    }
    return ""
  }
}
