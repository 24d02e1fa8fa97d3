import Containers
import DOM

/// The files of a book that describe it (EPUB 3.3, section 4).
enum EPUBFiles {
  static let container = "META-INF/container.xml"
  /// A file that is longer is not read, in bytes.
  private static let longest = 32 << 20
  /// So many pieces of text of an element are read: what names something has few, and stands in
  /// nothing like it.
  private static let mostPieces = 100

  /// The path of the package.
  static func packagePath(in archive: ZIPArchive) throws(ContainerError) -> String {
    if archive[container] != nil {
      for element in try tree(of: container, in: archive).elements
      where element.name == "rootfile" {
        if let path = element.attribute("full-path").map(archive.path), archive[path] != nil {
          return path
        }
      }
    }
    guard let entry = archive.entries.first(where: { $0.path.lowercased().hasSuffix(".opf") })
    else { throw .damaged("it has no package (.opf)") }
    return entry.path
  }

  /// Returns the path, in the spelling of the archive, of the file that a reference points to; nil
  /// when it leads out of the book.
  static func path(of reference: String, from file: String, in archive: ZIPArchive) -> String? {
    ContainedPath.resolve(reference, from: file).map(archive.path)
  }

  /// A file of the book as a tree.
  static func tree(of path: String, in archive: ZIPArchive) throws(ContainerError) -> XMLTree {
    XMLTree(Array(try text(of: path, in: archive).utf8))
  }

  /// The text of a file of the book, in UTF-8.
  static func text(of path: String, in archive: ZIPArchive) throws(ContainerError) -> String {
    guard let entry = archive[path] else { throw .missing(path: path) }
    guard entry.size <= longest else { throw .tooLarge(path: path, limit: Int64(longest)) }
    let bytes = try archive.content(of: path)
    let encoding = CharacterEncoding.detect(bytes, charset: nil, isMarkup: false)
    return String(decoding: encoding.decode(bytes), as: UTF8.self)
  }

  /// The text of an element with single spaces.
  static func line(_ element: XMLElement) -> String {
    element.text(upTo: mostPieces).split { $0.isWhitespace }.joined(separator: " ")
  }

  /// What is locked. Fonts that are only made unusable elsewhere are not meant.
  static func lockedPaths(in archive: ZIPArchive) -> Set<String> {
    guard let tree = try? tree(of: "META-INF/encryption.xml", in: archive) else { return [] }
    var paths: Set<String> = []
    var isLock = false
    for element in tree.elements {
      switch element.name {
      case "encryptionmethod":
        isLock = !fontMethods.contains(element.attribute("Algorithm") ?? "")
      case "cipherreference" where isLock:
        let reference = element.attribute("URI") ?? ""
        if let path = path(of: reference, from: "", in: archive) { paths.insert(path) }
      default: break
      }
    }
    return paths
  }

  private static let fontMethods = [
    "http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC",
  ]
}
