package import LocalDocuments
import Pages
import Configuration
import Containers
import Dispatch
import Exchange
import Foundation
package import Library
package import OfflineCache
import Synchronization

/// Search in saved pages and in ZIM files: those that the settings name, and those that were opened
/// since offread started.
extension Profile {
  /// Maximum number of ZIM files that are searched; the others are ignored.
  private static let maxFiles = 64

  /// Records a ZIM file that was opened, for searches until the program ends.
  package func recordOpened(zim file: DocumentFile) {
    openedZIMFiles.withLock { files in
      if !files.contains(where: { $0.path == file.path }) { files.append(file) }
    }
  }

  private var zimFiles: [(file: DocumentFile, zim: ZIMFile)] {
    var seen: Set<String> = []
    let named = settings.zimFiles.map(\.path).map { path in
      DocumentFile(path: path, zim: ZIMFile(path: path))
    }
    let all = (named + openedZIMFiles.withLock { $0 }).filter { seen.insert($0.path).inserted }
    return all.prefix(Self.maxFiles).compactMap { file in
      guard case .zim(let zim) = file.form else { return nil }
      return (file, zim)
    }
  }

  /// Searches the saved pages and, unless the query has filters for saved pages, the ZIM files.
  /// - Parameters:
  ///   - query: the query.
  ///   - limit: maximum number of results.
  /// - Returns: the pages, and the files that could not be searched.
  /// - Throws: `ArchiveError`.
  package func find(_ query: SearchQuery, limit: Int) throws(ArchiveError) -> FoundPages {
    let saved = try search.search(query, limit: limit)
    guard let text = query.plainText else { return FoundPages(hits: saved, problems: []) }
    let (lists, problems) = ask {
      (file: DocumentFile, zim: ZIMFile) throws(ContainerError) -> [SearchIndex.Hit] in
      guard let response = try zim.search(text, limit: limit) else { return [] }
      let date = response.date ?? zim.modificationDate ?? Date()
      return response.rows.map { row in
        SearchIndex.Hit(
          key: file.url(of: row.path).text, title: row.title, date: date, snippet: row.snippet,
          matches: row.matches, file: file.name)
      }
    }
    return FoundPages(hits: Self.interleaved([saved] + lists, limit: limit), problems: problems)
  }

  /// Returns pages of ZIM files whose titles match a typed text.
  /// - Parameters:
  ///   - typed: the beginning of a title, or words of it.
  ///   - limit: maximum number of results.
  /// - Returns: the pages; none for a text that has only one character or contains a slash.
  ///   Unreadable files are skipped.
  package func zimTitles(for typed: String, limit: Int) -> [SavedAddresses.Match] {
    guard typed.unicodeScalars.count >= 2, !typed.contains("/") else { return [] }
    let (lists, _) = ask {
      (file: DocumentFile, zim: ZIMFile) throws(ContainerError) -> [SavedAddresses.Match] in
      (try zim.suggest(typed, limit: limit)?.rows ?? []).map {
        SavedAddresses.Match(url: file.url(of: $0.path).text, title: $0.title)
      }
    }
    return Self.interleaved(lists, limit: limit)
  }

  /// Queries all ZIM files in parallel, so that a slow file does not delay the others.
  private func ask<Answer: Sendable>(
    _ question: @Sendable (DocumentFile, ZIMFile) throws(ContainerError) -> [Answer]
  ) -> (lists: [[Answer]], problems: [String]) {
    let files = zimFiles
    let results = Mutex<[Int: Result<[Answer], ContainerError>]>([:])
    DispatchQueue.concurrentPerform(iterations: files.count) { index in
      let result: Result<[Answer], ContainerError>
      do throws(ContainerError) {
        result = .success(try question(files[index].file, files[index].zim))
      } catch {
        result = .failure(error)
      }
      results.withLock { $0[index] = result }
    }
    let all = results.withLock { $0 }
    return (
      files.indices.compactMap { try? all[$0]?.get() },
      files.indices.compactMap { index in
        guard case .failure(let error)? = all[index] else { return nil }
        return ReaderError.unreadableFile(path: files[index].file.path, error.description)
          .description
      }
    )
  }

  /// Interleaves lists: the first elements of all lists, then the second ones, and so on.
  private static func interleaved<Element>(_ lists: [[Element]], limit: Int) -> [Element] {
    let longest = lists.map(\.count).max() ?? 0
    let rounds = (0..<longest).lazy.flatMap { position in
      lists.compactMap { position < $0.count ? $0[position] : nil }
    }
    return Array(rounds.prefix(limit))
  }
}

extension SearchQuery {
  /// The words of the query; nil if it has no words, excluded words, or filters that only saved
  /// pages support.
  fileprivate var plainText: String? {
    let isPlain = sites.isEmpty && tags.isEmpty && before == nil && after == nil
    guard isPlain, !terms.isEmpty, !terms.contains(where: \.isExcluded) else { return nil }
    return terms.map(\.text).joined(separator: " ")
  }
}
