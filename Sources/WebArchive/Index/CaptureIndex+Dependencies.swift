import Foundation
import GRDB

/// The dependencies of pages: the keys without which a page cannot be read as it was saved, such as
/// its images, frames and the targets of its redirects. As long as a page may not be evicted, its
/// dependencies may not be evicted either.
///
/// The segments do not contain dependencies, so they are copied when the index is rebuilt. Their
/// table is only created when it is needed. Earlier versions of the program ignore it.
extension CaptureIndex {
  private static func hasDependencies(_ db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'dependency'"
    return try Int.fetchOne(db, sql: sql) != nil
  }

  /// Returns the hashes of the keys on which pages depend, by the keys of the pages.
  func dependencies() throws(IndexError) -> [String: [Int64]] {
    try read(Self.dependencies)
  }

  private static func dependencies(_ db: Database) throws -> [String: [Int64]] {
    guard try hasDependencies(db) else { return [:] }
    var found: [String: [Int64]] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT page, keys FROM dependency")
    while let row = try rows.next() { found[try row.value(0)] = numbers(try row.value(1)) }
    return found
  }

  /// Returns the pages among the given ones whose dependencies are stored, including pages that are
  /// stored with no dependencies.
  func pagesWithDependencies(among pages: [String]) throws(IndexError) -> Set<String> {
    try read { db in
      guard try Self.hasDependencies(db) else { return [] }
      return Set(try pages.filter { try Self.keys(of: $0, db) != nil })
    }
  }

  /// Stores the hashes of the keys on which pages depend, by the keys of the pages.
  /// - Parameters:
  ///   - dependencies: the hashes, which replace those stored before.
  ///   - keepsOthers: whether the hashes are added to those stored before instead.
  /// - Throws: `IndexError`.
  func record(
    dependencies: [String: Set<Int64>], keepsOthers: Bool = false
  ) throws(IndexError) {
    let storedKeys = try read { db in
      var storedKeys: [String: Data] = [:]
      guard try Self.hasDependencies(db) else { return storedKeys }
      for page in dependencies.keys { storedKeys[page] = try Self.keys(of: page, db) }
      return storedKeys
    }
    var changedDependencies: [(page: String, keys: Data)] = []
    for (page, keyHashes) in dependencies {
      let storedKeysOfPage = storedKeys[page]
      let retainedHashes = keepsOthers ? Self.numbers(storedKeysOfPage ?? Data()) : []
      let keys = Self.data(keyHashes.union(retainedHashes))
      if keys != storedKeysOfPage { changedDependencies.append((page, keys)) }
    }
    guard !changedDependencies.isEmpty else { return }
    try write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS dependency (
            page TEXT PRIMARY KEY, keys BLOB NOT NULL) WITHOUT ROWID
          """)
      // Empty data may be bound as NULL.
      let statement = try db.cachedStatement(
        sql: "INSERT OR REPLACE INTO dependency VALUES (?, coalesce(?, x''))")
      for (page, keys) in changedDependencies { try statement.execute(arguments: [page, keys]) }
    }
  }

  /// Deletes the dependencies of pages within a transaction.
  static func forget(dependenciesOf pages: [String], _ db: Database) throws {
    guard try hasDependencies(db) else { return }
    let statement = try db.cachedStatement(sql: "DELETE FROM dependency WHERE page = ?")
    for page in pages { try statement.execute(arguments: [page]) }
  }

  /// Returns the dependencies that are still readable in a file that is about to be set aside.
  static func salvagedDependencies(of path: String) -> [String: Set<Int64>] {
    let rows = RebuildableDatabase.salvaging(path, schema) { old in
      old.salvagedRows(of: "dependency", "page, keys", by: "page") { row in
        (try row.value(0, as: String.self), Set(numbers(try row.value(1))))
      }
    }
    return Dictionary(rows ?? []) { $0.union($1) }
  }

  private static func keys(of page: String, _ db: Database) throws -> Data? {
    let statement = try db.cachedStatement(sql: "SELECT keys FROM dependency WHERE page = ?")
    return try Row.fetchOne(statement, arguments: [page]).map { try $0.value(0) }
  }

  /// Encodes hashes, eight bytes each.
  private static func data(_ numbers: some Sequence<Int64>) -> Data {
    var data = Data()
    for number in numbers.sorted() {
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  private static func numbers(_ data: Data) -> [Int64] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
      }
    }
  }

  // MARK: Exemptions

  /// Returns whether a page that is exempt from eviction depends on a key, directly or through
  /// other pages.
  /// - Parameters:
  ///   - key: the key.
  ///   - redirects: the result of `redirectSources`.
  ///   - isEvictionExempt: returns whether a key is exempt by itself.
  /// - Returns: whether there is such a page.
  /// - Throws: `IndexError`.
  func isDependency(
    _ key: String, redirects: [Int64: [String]], ofPagesWhere isEvictionExempt: (String) -> Bool
  ) throws(IndexError) -> Bool {
    let first = Self.keyHash(of: key)
    return try read { db in
      // Nothing depends on most keys.
      guard try redirects[first] != nil || Self.isNamed(first, db) else { return false }
      var dependents = redirects
      for (page, numbers) in try Self.dependencies(db) {
        for number in numbers { dependents[number, default: []].append(page) }
      }
      var (seen, next): (Set<String>, [Int64]) = ([key], [first])
      while let number = next.popLast() {
        for page in dependents.removeValue(forKey: number) ?? [] where seen.insert(page).inserted {
          if isEvictionExempt(page) { return true }
          next.append(Self.keyHash(of: page))
        }
      }
      return false
    }
  }

  /// Returns whether the dependencies of any page contain a hash.
  private static func isNamed(_ number: Int64, _ db: Database) throws -> Bool {
    guard try hasDependencies(db) else { return false }
    let statement = try db.cachedStatement(
      sql: "SELECT 1 FROM dependency WHERE instr(keys, ?) > 0 LIMIT 1")
    return try Int.fetchOne(statement, arguments: [data([number])]) != nil
  }

  /// Returns the keys of the saved redirects by the hashes of the keys of their targets.
  /// - Parameter keyOf: returns the key of the target of a redirect.
  /// - Returns: the keys of the redirects.
  /// - Throws: `IndexError`.
  func redirectSources(keyOf: (WebURL) -> String) throws(IndexError) -> [Int64: [String]] {
    try read { db in
      var sources: [Int64: [String]] = [:]
      for (page, target) in try Self.redirectTargets(db) {
        sources[Self.keyHash(of: keyOf(target)), default: []].append(page)
      }
      return sources
    }
  }

  /// Deletes the dependencies of pages that have no versions any more. The dependencies of a page
  /// stay if the page is exempt from eviction, or if another page that is exempt or has versions
  /// depends on it, directly or through other pages.
  /// - Parameter isEvictionExempt: returns whether a key is exempt by itself; such a page may have
  ///   no versions of its own, if its URL is always upgraded.
  /// - Throws: `IndexError`.
  func forgetDependenciesOfEvictedPages(
    unless isEvictionExempt: (String) -> Bool
  ) throws(IndexError) {
    let evicted: [String] = try read { db in
      let dependencies = try Self.dependencies(db)
      guard !dependencies.isEmpty else { return [] }
      let statement = try db.cachedStatement(sql: "SELECT 1 FROM capture WHERE key = ? LIMIT 1")
      var evicted: [Int64: String] = [:]
      var next: [String] = []
      for page in dependencies.keys {
        let isSaved = try [page, RenderedPage.key(of: page)].contains {
          try Int.fetchOne(statement, arguments: [$0]) != nil
        }
        if isSaved || isEvictionExempt(page) {
          next.append(page)
        } else {
          evicted[Self.keyHash(of: page)] = page
        }
      }
      while !evicted.isEmpty, let page = next.popLast() {
        for keyHash in dependencies[page] ?? [] {
          if let dependency = evicted.removeValue(forKey: keyHash) { next.append(dependency) }
        }
      }
      return Array(evicted.values)
    }
    guard !evicted.isEmpty else { return }
    try write { try Self.forget(dependenciesOf: evicted, $0) }
  }

  /// Returns the keys that may not be evicted: those that are exempt, and their dependencies,
  /// directly or through other pages. A redirect also depends on its target.
  /// - Parameters:
  ///   - isEvictionExempt: returns whether a key is exempt by itself.
  ///   - keyOf: returns the key of the target of a redirect.
  ///   - db: the database.
  /// - Returns: the keys of the pages, without those of their renderings.
  /// - Throws: `DatabaseError`, `IndexError.corrupt`.
  static func exemptKeys(
    where isEvictionExempt: (String) -> Bool, keyOf: (WebURL) -> String, _ db: Database
  ) throws -> Set<String> {
    let dependencies = try dependencies(db)
    var exemptPages: Set<String> = []
    var candidatePages: [Int64: String] = [:]
    let keys = try String.fetchCursor(db, sql: "SELECT DISTINCT key FROM capture")
    while let key = try keys.next() {
      let page = RenderedPage.page(of: key) ?? key
      if isEvictionExempt(page) {
        exemptPages.insert(page)
      } else {
        candidatePages[keyHash(of: page)] = page
      }
    }
    // A page without versions of its own can have dependencies, if its URL is always upgraded.
    for page in dependencies.keys
    where !exemptPages.contains(page) && candidatePages[keyHash(of: page)] == nil {
      if isEvictionExempt(page) { exemptPages.insert(page) }
    }
    guard !exemptPages.isEmpty, !candidatePages.isEmpty else { return exemptPages }
    let targets = try redirectTargets(db)
    var waitingPages = Array(exemptPages)
    while let page = waitingPages.popLast() {
      let target = targets[page].map { keyHash(of: keyOf($0)) }
      for hash in (dependencies[page] ?? []) + (target.map { [$0] } ?? []) {
        guard let dependency = candidatePages.removeValue(forKey: hash) else { continue }
        exemptPages.insert(dependency)
        waitingPages.append(dependency)
      }
    }
    return exemptPages
  }

  /// Returns the targets of the redirects that are the newest good versions of their keys.
  private static func redirectTargets(_ db: Database) throws -> [String: WebURL] {
    var targets: [String: WebURL] = [:]
    // The head begins with `HTTP/1.1 3`.
    let redirects = try fetch(
      db,
      """
      WHERE good = 1 AND substr(head, 10, 1) = x'33' AND NOT EXISTS (
        SELECT 1 FROM capture AS newer
        WHERE newer.key = capture.key AND newer.good = 1 AND newer.version > capture.version)
      """, [])
    for redirect in redirects {
      let stored = redirect.stored
      targets[stored.key] = Redirection.target(of: stored.response, storedAs: stored.key)
    }
    return targets
  }
}
