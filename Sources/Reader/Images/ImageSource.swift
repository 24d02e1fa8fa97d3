import DOM
import Exchange
import Foundation
package import OfflineCache

/// Where an image of a page is: what is loaded through the cache, like all else.
package struct ImageSource: Sendable, Hashable {
  /// Its absolute URL, or one that holds its data.
  package var url: String
  /// The URL of the page.
  package var page: String
  /// How the page was loaded.
  package var options: LoadOptions

  package init(url: String, page: String, options: LoadOptions) {
    self.url = url
    self.page = page
    self.options = options
  }

  /// Loads it. Blocks for files and databases, not for the network.
  /// - Parameters:
  ///   - profile: whose cache loads it.
  ///   - then: called once, from any thread.
  package func load(
    from profile: Profile, then: @escaping @Sendable (Result<[UInt8], ImageLoadFailure>) -> Void
  ) {
    if let bytes = DataURL.bytes(of: url) { return then(.success(bytes)) }
    let document = document(in: profile)
    if let bytes = document.flatMap({ bytes(in: $0) }) { return then(bytes) }
    if document == nil, url.hasScheme("file"), page.hasScheme("file"),
      let path = URL(string: url)?.path
    {
      return then(Self.bytes(ofFile: path))
    }
    guard url.isWebURL else {
      return then(.failure(ImageLoadFailure("not loaded")))
    }
    let options = loadOptions(in: profile, isInDocument: document != nil)
    Task {
      do throws(LoadError) {
        var request = try WebRequest(written: url)
        request.fields.append("Accept", "image/*,*/*;q=0.5")
        let loaded = try await profile.cache.data(for: request, options: options)
        let status = loaded.answer.response.status
        guard (200..<300).contains(status) else {
          return then(.failure(ImageLoadFailure("the server answered \(status)")))
        }
        then(.success(Array(loaded.content)))
      } catch {
        then(.failure(ImageLoadFailure(options.mode == .cacheOnly ? "not saved" : "not loaded")))
      }
    }
  }

  /// As the page was loaded; what it names is no more than a part of it.
  private func loadOptions(in profile: Profile, isInDocument: Bool) -> LoadOptions {
    var options = options
    options.sizeLimit = min(options.sizeLimit, Int64(ImageProcess.longestInput))
    options.isUserNamed = false
    options.isPageNamed = true
    options.isReload = false
    options.copy = .latest
    options.isUnattended = true
    // Who has made a file with pages in it is not known.
    options.isPublicOnly =
      isInDocument || !page.hasScheme("file") && profile.cache.isOnPublicNetwork(page)
    return options
  }

  /// The file that the page is in: a book, an archive, a saved page.
  private func document(in profile: Profile) -> DocumentFile? {
    if let book = BookAddress(page) { return try? profile.book(book.key).file }
    return try? profile.documents.file(of: page)?.file
  }

  /// What a file with pages in it has of the image; nil when it has not said that it has it.
  private func bytes(in document: DocumentFile) -> Result<[UInt8], ImageLoadFailure>? {
    let address = document.inner(for: url) ?? url
    let inside = document.url(of: "")
    guard address.hasPrefix(inside) else { return nil }
    let path = address.dropFirst(inside.count).prefix { $0 != "#" && $0 != "?" }
    guard let inner = String(path).removingPercentEncoding, !inner.isEmpty,
      let bytes = try? document.content(at: inner)
    else { return .failure(ImageLoadFailure("not in the file")) }
    return .success(bytes)
  }

  private static func bytes(ofFile path: String) -> Result<[UInt8], ImageLoadFailure> {
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    let descriptor = kind == .typeRegular ? LocalFile.descriptor(path) : -1
    guard descriptor >= 0 else { return .failure(ImageLoadFailure("no such file")) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let bytes = try? file.read(upToCount: ImageProcess.longestInput + 1)
    return .success(Array(bytes ?? Data()))
  }
}

/// Why an image has not come.
package struct ImageLoadFailure: Error, Equatable, CustomStringConvertible {
  /// A few words for a person.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
