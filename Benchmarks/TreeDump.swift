import Foundation
import DOM

/// Trees as text, to compare the parser with tests of tree construction.
enum TreeDump {
  /// Prints the names of the elements that the parser knows, one on each line.
  static func printNames() {
    for name in ElementName.allCases where !name.rawValue.isEmpty && !name.rawValue.hasPrefix("#") {
      print(name.rawValue)
    }
  }

  /// Prints the tree of each page of a file. Pages in the input and trees in the output are
  /// separated by NUL.
  static func printTrees(of arguments: [String]) throws {
    guard let path = arguments.first else { throw BenchError("usage: bench trees FILE") }
    let pages = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      .split(separator: 0, omittingEmptySubsequences: false)
    let trees = pages.map { text(of: DOMParser.parse(Array($0))) }
    FileHandle.standardOutput.write(Data(trees.joined(separator: "\0").utf8))
  }

  /// Returns a tree as text: two spaces for each level, `<name>` for an element, text in quotes.
  private static func text(of tree: DOMTree) -> String {
    var lines: [String] = []
    // Nodes with their depths; the next one is last.
    var open: [(node: Int32?, depth: Int)] = [(tree.nodes[0].firstChild, 0)]
    while let (node, depth) = open.popLast() {
      guard let node else { continue }
      let element = tree.nodes[Int(node)]
      let indentation = String(repeating: "  ", count: depth)
      open.append((element.nextSibling, depth))
      if element.name == .characters {
        let text = String(
          decoding: tree.bytes[Int(element.start)..<Int(element.end)], as: UTF8.self)
        lines.append("\(indentation)\"\(text)\"")
      } else {
        lines.append("\(indentation)<\(element.name == .other ? "other" : element.name.rawValue)>")
        open.append((element.firstChild, depth + 1))
      }
    }
    return lines.joined(separator: "\n")
  }
}
