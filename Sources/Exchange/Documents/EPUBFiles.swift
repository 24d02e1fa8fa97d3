import Containers
import DOM

/// The files that describe a book (EPUB 3.3 §4).
enum EPUBFiles {
  private static let container = "META-INF/container.xml"
  /// The maximum size in bytes of a file that is read.
  private static let maxLength = 32 << 20
  /// The maximum number of nodes of an element whose text is read; elements with names and titles
  /// are small.
  private static let maxPieces = 100

  /// Returns the path of the directory that contains the book: empty, or the only directory at the
  /// top level, with a trailing slash, if the book was compressed together with that directory. Nil
  /// if there is no container file.
  static func root(of archive: ZIPArchive) -> String? {
    if archive[container] != nil { return "" }
    let files = archive.entries.lazy.filter { !$0.isMacMetadata }
    guard let first = files.first?.path, let slash = first.firstIndex(of: "/") else { return nil }
    let directory = String(first[...slash])
    guard archive[directory + container] != nil,
      files.allSatisfy({ $0.path.hasPrefix(directory) })
    else { return nil }
    return directory
  }

  /// Returns the path of the package document.
  static func packagePath(in archive: ZIPArchive) throws(ContainerError) -> String {
    if let root = root(of: archive) {
      for element in try tree(of: root + container, in: archive).elements
      where element.name == "rootfile" {
        if let path = element.attribute("full-path").map({ archive.path(matching: root + $0) }),
          archive[path] != nil
        {
          return path
        }
      }
    }
    guard let entry = archive.entries.first(where: { $0.path.lowercased().hasSuffix(".opf") })
    else { throw .damaged("it has no package (.opf)") }
    return entry.path
  }

  /// Returns the path, in the spelling of the archive, of the file that a reference points to; nil
  /// if the reference leads out of the book.
  static func path(of reference: String, from file: String, in archive: ZIPArchive) -> String? {
    ContainedPath.resolve(reference, from: file).map(archive.path)
  }

  /// Parses a file of the book.
  static func tree(of path: String, in archive: ZIPArchive) throws(ContainerError) -> XMLTree {
    XMLTree(Array(try text(of: path, in: archive).utf8))
  }

  /// Returns the text of a file of the book.
  static func text(of path: String, in archive: ZIPArchive) throws(ContainerError) -> String {
    guard let entry = archive[path] else { throw .missing(path: path) }
    guard entry.size <= maxLength else { throw .tooLarge(path: path, limit: Int64(maxLength)) }
    let bytes = try archive.content(of: path, verified: false)
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// Returns the text of an element with single spaces.
  static func line(_ element: XMLElement) -> String {
    element.text(maxNodes: maxPieces, separating: ["br", "div", "p", "li", "h1", "h2", "h3"])
      .split { $0.isWhitespace }.joined(separator: " ")
  }

  /// Returns the text of an entry of the table of contents or of a heading, or else the alternative
  /// texts of its images, or else its tooltip (EPUB 3.3 §7.2).
  static func label(of element: XMLElement) -> String {
    let text = line(element)
    guard text.isEmpty else { return text }
    var names: [String] = []
    element.visitDescendants(with: ()) { element, _ in
      if element.name == "img", names.count < maxImages, let name = element.attribute("alt") {
        names.append(name)
      }
      return ()
    }
    let words = names.joined(separator: " ").split { $0.isWhitespace }
    let tooltip = (element.attribute("title") ?? "").split { $0.isWhitespace }
    return (words.isEmpty ? tooltip : words).joined(separator: " ")
  }

  private static let maxImages = 8

  /// Returns the paths of encrypted files, except obfuscated fonts.
  static func encryptedPaths(in archive: ZIPArchive) -> Set<String> {
    let root = root(of: archive) ?? ""
    guard let tree = try? tree(of: root + "META-INF/encryption.xml", in: archive) else { return [] }
    var paths: Set<String> = []
    var isLock = false
    for element in tree.elements {
      switch element.name {
      case "encryptionmethod":
        isLock = !fontMethods.contains(element.attribute("Algorithm") ?? "")
      case "cipherreference" where isLock:
        let reference = element.attribute("URI") ?? ""
        if let path = path(of: reference, from: root + "package", in: archive) {
          paths.insert(path)
        }
      default: break
      }
    }
    return paths
  }

  private static let fontMethods = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
  ]
}
