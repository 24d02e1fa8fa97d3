import LocalDocuments
package import Pages
package import Profiles
import DOM
package import Document
import Exchange
import Feeds
import Foundation
import Library
package import OfflineCache

/// The location of an image of a page. An image on the web is loaded through the cache; others come
/// from a local file, from the file that contains the page, or from a `data:` URL.
package struct ImageSource: Sendable {
  /// Identifies the image on its page: its absolute URL, or a short key for an embedded (`data:`)
  /// image.
  package var url: String
  /// The absolute URLs to try, which may be `data:` URLs, best first.
  package var candidates: [String]
  /// The URL of the page.
  package var page: DocumentAddress
  /// The options with which the page was loaded.
  package var options: LoadOptions

  package init(
    url: String, candidates: [String]? = nil, page: DocumentAddress, options: LoadOptions
  ) {
    self.url = url
    self.candidates = candidates ?? [url]
    self.page = page
    self.options = options
  }

  /// Creates the source of an image of a page; nil if the image has no source.
  /// - Parameters:
  ///   - image: the index of the image in the document, counting blank ones.
  ///   - document: the document of the page.
  ///   - width: the width at which it is drawn, in pixels.
  ///   - page: the URL of the page.
  ///   - options: the options with which the page was loaded.
  package init?(
    _ image: Int, of document: Document, width: Int, page: DocumentAddress, options: LoadOptions
  ) {
    guard let source = document.image(at: image)?.source else { return nil }
    let url =
      document.embeddedURL(ofImage: image).map {
        // The data is long, and sources are compared for each frame.
        "data:\(image),\($0.utf8.count),\(String(decoding: $0.utf8.suffix(64), as: UTF8.self))"
      } ?? document.url(ofImage: image) ?? source
    self.init(
      url: url, candidates: document.urls(ofImage: image, width: width), page: page,
      options: options)
  }

  /// Loads the image. Blocks for files and databases, but not for the network.
  /// - Parameters:
  ///   - profile: the profile whose cache loads the image.
  ///   - then: called once, from any thread.
  package func load(
    from profile: Profile, then: @escaping @Sendable (Result<[UInt8], ImageLoadFailure>) -> Void
  ) {
    load(candidates[...], from: profile, failure: nil, then: then)
  }

  /// Loads the first candidate that is available. If no candidate is available, it reports the
  /// failure of the first one. A host that cannot be reached is contacted only once.
  private func load(
    _ candidates: ArraySlice<String>, from profile: Profile, failure: ImageLoadFailure?,
    then: @escaping @Sendable (Result<[UInt8], ImageLoadFailure>) -> Void
  ) {
    guard let url = candidates.first else {
      return then(
        .failure(failure ?? ImageLoadFailure("the page does not contain the URL of the image")))
    }
    load(url, from: profile) { result in
      switch result {
      case .success: then(result)
      case .failure(let error):
        var rest = candidates.dropFirst()
        if error.isUnreachable {
          let host = WebURL(url)?.host
          rest = rest.filter { WebURL($0)?.host != host }[...]
        }
        load(rest, from: profile, failure: failure ?? error, then: then)
      }
    }
  }

  private func load(
    _ url: String, from profile: Profile,
    then: @escaping @Sendable (Result<[UInt8], ImageLoadFailure>) -> Void
  ) {
    if url.hasScheme("data") {
      let bytes = DataURL.bytes(of: url)
      return then(bytes.map { .success($0) } ?? .failure(ImageLoadFailure("damaged or truncated")))
    }
    let document = document(in: profile)
    if let bytes = document.flatMap({ bytes(of: url, in: $0) }) { return then(bytes) }
    if document == nil, url.hasScheme("file"), page.hasScheme("file"),
      let path = URL(string: url)?.path
    {
      return then(Self.bytes(ofFile: path))
    }
    guard url.isWebURL else {
      return then(.failure(ImageLoadFailure(Self.reason(against: url))))
    }
    let options = loadOptions(in: profile, isInDocument: document != nil)
    Task {
      do throws(LoadError) {
        var request = try WebRequest(written: url)
        request.fields.append("Accept", "image/*,*/*;q=0.5")
        let loadedData = try await profile.cache.data(for: request, options: options)
        let status = loadedData.answer.response.status
        guard (200..<300).contains(status) else {
          return then(.failure(ImageLoadFailure("the server returned \(status)")))
        }
        then(.success(loadedData.bytes))
      } catch {
        let isOffline = options.mode == .cacheOnly || error == .notSaved
        var failure = ImageLoadFailure(isOffline ? "not saved" : error.text.line)
        if case .transport = error { failure.isUnreachable = true }
        then(.failure(failure))
      }
    }
  }

  /// Returns the reason why a URL with a scheme other than http and https is not loaded.
  private static func reason(against url: String) -> String {
    guard let colon = url.firstIndex(of: ":") else {
      return "the page does not contain the URL of the image"
    }
    return "\(SafeText.line(String(url[...colon].prefix(20)))) URLs are not loaded"
  }

  /// Returns the options of the page, changed for a subresource.
  private func loadOptions(in profile: Profile, isInDocument: Bool) -> LoadOptions {
    var options = options
    options.maxSize = min(options.maxSize, Int64(ImageProcess.maxInputLength))
    options.isUserEntered = false
    options.isFromPage = true
    options.isReload = false
    options.copy = .latest
    options.isUnattended = true
    // Files that contain pages may come from anywhere.
    options.isPublicOnly =
      isInDocument
      || !page.hasScheme("file") && profile.cache.isOnPublicNetwork(sourceURL(in: profile))
    return options
  }

  /// Returns the URL from which the page was loaded: for a feed item without a page of its own, the
  /// URL of its feed; empty if the feed is unknown.
  private func sourceURL(in profile: Profile) -> String {
    guard let item = FeedItemAddress(page.text) else { return page.text }
    return (try? profile.library.page(item.key).feed) ?? ""
  }

  /// Returns the file that contains the page, such as a book or an archive; nil if the page is not
  /// in a file, or the file cannot be opened.
  private func document(in profile: Profile) -> DocumentFile? {
    if let book = BookAddress(page.text) { return try? profile.book(book.key).file }
    return try? profile.documents.file(of: page)?.file
  }

  /// Returns the bytes of an image from the file that contains the page; nil if the URL does not
  /// refer to an item of the file.
  private func bytes(
    of url: String, in document: DocumentFile
  ) -> Result<[UInt8], ImageLoadFailure>? {
    let address = document.inner(for: url)?.text ?? url
    let inside = document.url(of: "").text
    guard address.hasPrefix(inside) else { return nil }
    let path = address.dropFirst(inside.count).prefix { $0 != "#" && $0 != "?" }
    guard let inner = String(path).removingPercentEncoding, !inner.isEmpty,
      let bytes = try? document.content(at: inner)
    else { return .failure(ImageLoadFailure("the file does not contain the image")) }
    return .success(bytes)
  }

  private static func bytes(ofFile path: String) -> Result<[UInt8], ImageLoadFailure> {
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    let descriptor = kind == .typeRegular ? LocalFile.descriptor(path) : -1
    guard descriptor >= 0 else {
      let isMissing = access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
      return .failure(ImageLoadFailure(isMissing ? "no such file" : "the file cannot be opened"))
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      return .success(Array(try file.read(upToCount: ImageProcess.maxInputLength + 1) ?? Data()))
    } catch {
      return .failure(ImageLoadFailure("the file cannot be read"))
    }
  }
}

extension ImageSource: Hashable {
  /// Compares the URLs, the pages and the options, but not the candidates, which may be long.
  package static func == (one: ImageSource, other: ImageSource) -> Bool {
    one.url == other.url && one.page == other.page && one.options == other.options
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(url)
    hasher.combine(page)
    hasher.combine(options)
  }
}
