import Foundation
import TestSupport
import Testing

/// Rules of the repository (CONTRIBUTING.md, ARCHITECTURE.md) that can be checked automatically.
@Suite struct HouseRulesTests {
  struct Source {
    var path: String
    var lines: [Substring]
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All sources of the repository, read once.
  static let all = Result {
    try ["Sources", "Tests", "Benchmarks"].flatMap { directory in
      let base = root.appendingPathComponent(directory)
      let names = try #require(FileManager.default.enumerator(atPath: base.path))
      return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { name in
        let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Source(path: directory + "/" + name, lines: lines)
      }
    }
  }

  static func sources(
    below directories: [String], atLeast count: Int = 20
  ) throws -> [Source] {
    let all = try all.get()
    let sources = directories.flatMap { directory in
      all.filter { $0.path.hasPrefix(directory + "/") }
    }
    try #require(sources.count >= count)
    return sources
  }

  /// The source files that import each module.
  private static let imports = Result {
    var imports: [Substring: [String]] = [:]
    for source in try sources(below: ["Sources"]) {
      for line in source.lines where line.utf8.count < 80 && line.contains("import ") {
        let tokens = line.split(separator: " ")
        if tokens.contains("import"), let module = tokens.last {
          imports[module, default: []].append(source.path)
        }
      }
    }
    return imports
  }

  @Test(arguments: [
    "CCurl", "CLibXML2", "CNcurses", "CUnistring", "CZlib", "CBrotli", "CZstd", "CIconv", "CPsl",
    "CSQLite", "CNettle", "CLandlock", "CSeccomp", "CFriBidi", "CImages", "CProcesses",
    "CPageWatch",
  ])
  func `each C library is imported by one file`(_ library: String) throws {
    let importing = try Self.imports.get()[Substring(library), default: []]
    #expect(importing.count == 1, "\(importing)")
  }

  @Test func `the system C library is imported by one file, or through Foundation`() throws {
    let imports = try Self.imports.get()
    let importing = Set(["Glibc", "Darwin", "Musl"].flatMap { imports[$0, default: []] })
    #expect(importing == ["Sources/Platform/Platform.swift"])
  }

  /// Use of types between the directories of a target: types declared in one directory only, and
  /// named in another.
  @Test(arguments: [
    "WARC", "WebArchive", "OfflineCache", "DOM", "Document", "Formats", "ReaderMode", "Layout",
    "Crawl", "Feeds", "Library", "Exchange", "Configuration", "Reader", "Saving", "Terminal",
    "TerminalUI",
  ])
  func `the directories of a target depend on each other in one direction`(_ target: String) throws
  {
    let declaration =
      /^(?:package |public |final |indirect )*(?:struct|enum|class|protocol|actor|typealias) (\w+)/
    let nested = /(?:struct|enum|class|typealias|case) (\w+)/
    var directories: [String: [[Substring]]] = [:]
    for source in try Self.sources(below: ["Sources/\(target)"], atLeast: 1)
    where !source.path.hasSuffix("Mutex+ThreadSanitizer.swift") {
      let parts = source.path.split(separator: "/").dropFirst(2)
      directories[parts.count > 1 ? String(parts[2]) : "", default: []].append(source.lines)
    }
    var owners: [Substring: Set<String>] = [:]
    var own: [String: Set<Substring>] = [:]
    for (directory, files) in directories {
      for line in files.joined() {
        if let name = line.prefixMatch(of: declaration)?.1 {
          owners[name, default: []].insert(directory)
        }
        if let name = line.firstMatch(of: nested)?.1 { own[directory, default: []].insert(name) }
      }
    }
    var uses: [String: Set<String>] = [:]
    for (directory, files) in directories {
      for line in files.joined() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        let code = line.replacing(/"[^"]*"/, with: "")
        for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
        where word.first?.isUppercase == true && own[directory]?.contains(word) != true {
          guard let owner = owners[word], owner.count == 1, let other = owner.first else {
            continue
          }
          if other != directory { uses[directory, default: []].insert(other) }
        }
      }
    }
    // Directories without remaining dependencies are removed, until none or only a cycle is left.
    while let last = directories.keys.first(where: { directory in
      uses[directory, default: []].allSatisfy { directories[$0] == nil }
    }) {
      directories[last] = nil
    }
    #expect(directories.keys.sorted() == [], "\(uses.filter { directories[$0.key] != nil })")
  }

  @Test func `no file is longer than 600 lines`() throws {
    let long = try Self.sources(below: ["Sources", "Tests"]).filter { $0.lines.count > 601 }
      .map { "\($0.path): \($0.lines.count)" }
    #expect(long == [])
  }

  @Test func `no comment is wider than 100 columns`() throws {
    for source in try Self.sources(below: ["Sources", "Tests", "Benchmarks"]) {
      for (number, line) in source.lines.enumerated()
      where line.utf8.count > 100 && line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(line.count <= 100, "\(source.path):\(number + 1)")
      }
    }
  }

  /// Names in backquotes that end in `.swift` are files, and those with an initial capital are
  /// types.
  @Test func `ARCHITECTURE.md is short, and names in it and in the decisions exist`() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }
    let records = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("docs/decisions").path)
    let decisions = records.filter { $0 != "README.md" }
    #expect(decisions.count >= 10)
    let map = try text("ARCHITECTURE.md")
    #expect(map.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    let index = try text("docs/decisions/README.md")
    #expect(map.contains("(docs/decisions/README.md)"))
    for name in decisions {
      #expect(index.contains("](\(name)) |"), "\(name)")
    }
    let sources = try Self.sources(below: ["Sources", "Tests", "Benchmarks"])
    var tokens: Set<Substring> = []
    for line in sources.lazy.flatMap(\.lines) {
      tokens.formUnion(line.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }
    for name in ["ARCHITECTURE.md"] + records.map({ "docs/decisions/\($0)" }) {
      for (number, code) in try text(name).split(separator: "`").enumerated()
      where number % 2 == 1 {
        if code.hasSuffix(".swift") {
          #expect(sources.contains { $0.path.hasSuffix("/\(code)") }, "\(name): \(code)")
        } else if code.first?.isUppercase == true, code.allSatisfy({ $0.isLetter || $0 == "." }) {
          for word in code.split(separator: ".") where word != "md" {
            let isKnown = tokens.contains(word)
            #expect(isKnown, "\(name): \(code)")
          }
        }
      }
    }
  }

  @Test func `no type or file has a meaningless name`() throws {
    let suffixes = ["Manager", "Helper", "Util", "Utils", "Handler", "Impl", "Base", "Info"]
    let kinds: Set<Substring> = ["class", "struct", "enum", "actor", "protocol"]
    for source in try Self.sources(below: ["Sources", "Tests"]) {
      for line in source.lines {
        let tokens = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        for (kind, name) in zip(tokens, tokens.dropFirst()) where kinds.contains(kind) {
          let isEmpty = name.first?.isUppercase == true && suffixes.contains { name.hasSuffix($0) }
          #expect(!isEmpty, "\(source.path): \(name)")
        }
      }
    }
  }

  @Test func `every error has a message`() throws {
    let sources = try Self.sources(below: ["Sources"])
    let lines = sources.flatMap(\.lines)
    var names: [Substring] = []
    for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
      let tokens = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      guard let position = tokens.firstIndex(where: { ["enum", "struct", "class"].contains($0) }),
        tokens[position...].count > 2, tokens[(position + 2)...].contains("Error"),
        line.contains(":"),
        line.hasSuffix("{"), !line.contains("func")
      else { continue }
      if !tokens.contains("CustomStringConvertible") { names.append(tokens[position + 1]) }
    }
    for name in names {
      #expect(
        lines.contains { $0.hasPrefix("extension \(name): CustomStringConvertible") }, "\(name)")
    }
    // The Swift description of an unknown error is not a message.
    for source in sources where !source.path.hasSuffix("ErrorMessage.swift") {
      for line in source.lines where line.contains("String(describing: error)") {
        #expect(source.path.hasSuffix("WARC/ByteSource.swift"), "\(source.path): \(line)")
      }
    }
  }

  @Test func `pure targets import no networking and no database`() throws {
    let forbidden = ["FoundationNetworking", "GRDB", "CCurl", "CNcurses"]
    for source in try Self.sources(below: [
      "Sources/DOM", "Sources/Document", "Sources/Formats", "Sources/Metadata",
      "Sources/ReaderMode", "Sources/Layout", "Sources/HTTPCaching", "Sources/Containers",
      "Sources/OfflineCache/Policy", "Sources/Crawl", "Sources/Feeds", "Sources/Exchange",
      "Sources/Commands", "Sources/TerminalUI",
    ]) {
      for line in source.lines where line.contains("import ") {
        #expect(!forbidden.contains { line.hasSuffix(" " + $0) }, "\(source.path): \(line)")
      }
    }
  }

  @Test func `the browser has no threads, locks or system calls`() throws {
    let forbidden = ["Dispatch", "Synchronization", "Glibc", "Darwin"]
    for source in try Self.sources(below: ["Sources/Commands", "Sources/TerminalUI"]) {
      for line in source.lines where line.contains("import ") {
        #expect(!forbidden.contains { line.hasSuffix(" " + $0) }, "\(source.path): \(line)")
      }
    }
  }

  /// A function missing there is loaded from the library, which costs time at startup.
  @Test func `every libcurl function that Foundation calls is in LazyCurl.c`() throws {
    let target = try Program.run("swiftc", ["-print-target-info", "-static-stdlib"])
    let paths = try #require(
      try JSONSerialization.jsonObject(with: target.output) as? [String: Any])["paths"]
    let libraries = try #require((paths as? [String: Any])?["runtimeLibraryPaths"] as? [String])
    let names = ["libFoundationNetworking.a", "lib_CFURLSessionInterface.a"]
    let archives = libraries.flatMap { directory in names.map { "\(directory)/\($0)" } }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let symbols = try Program.run("nm", ["-u"] + archives).text.split(separator: "\n")
    let called = Set(
      symbols.compactMap { $0.split(separator: " ").last }.filter { $0.hasPrefix("curl_") })
    #expect(called.count > 15)
    let source = try String(
      contentsOf: Self.root.appendingPathComponent("Sources/CLazyCurl/LazyCurl.c"), encoding: .utf8)
    for name in called { #expect(source.contains("  F(\(name))"), "\(name)") }
  }

  /// A function called by a later Foundation but missing in LazyCurl.c comes from the library, with
  /// a handle of LazyCurl.c.
  @Test
  func `the library receives no handle of LazyCurl.c, and vice versa`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let main = directory.appendingPathComponent("main.c")
    try """
    #include <curl/curl.h>
    #include <dlfcn.h>
    #include <stdio.h>
    int main(void) {
      void *file = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
      CURLM *(*init)(void) = (CURLM * (*)(void)) dlsym(file, "curl_multi_init");
      CURLMcode (*timeout)(CURLM *, long *) =
          (CURLMcode(*)(CURLM *, long *))dlsym(file, "curl_multi_timeout");
      CURLM *own = curl_multi_init(), *foreign = init();
      int running;
      long milliseconds;
      printf("%d ", timeout(own, &milliseconds) == CURLM_BAD_HANDLE);
      printf("%d ", curl_multi_perform(foreign, &running) == CURLM_BAD_HANDLE);
      printf("%d ", curl_multi_cleanup(foreign) == CURLM_BAD_HANDLE);
      printf("%d ", curl_multi_perform(own, &running) == CURLM_OK);
      printf("%d", curl_multi_cleanup(own) == CURLM_OK);
    }
    """.write(to: main, atomically: true, encoding: .utf8)
    let program = directory.appendingPathComponent("main").path
    let source = Self.root.appendingPathComponent("Sources/CLazyCurl/LazyCurl.c").path
    _ = try Program.run("clang", ["-o", program, main.path, source, "-ldl", "-lpthread"])
    #expect(try Program.run(program, []).text == "1 1 1 1 1")
  }
}
