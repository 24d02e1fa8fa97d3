/// The position of an element among its siblings, for pseudo-classes. All numbers begin at 1; 0
/// means that a number was not counted.
package struct ElementPosition: Sendable {
  /// The number among all siblings, counted from the start.
  var indexFromStart = 0
  /// The number among all siblings, counted from the end.
  fileprivate(set) var indexFromEnd = 0
  /// The number among the siblings of the same type, counted from the start.
  fileprivate(set) var indexOfType = 0
  /// The number among the siblings of the same type, counted from the end.
  fileprivate(set) var indexOfTypeFromEnd = 0

  subscript(fromEnd fromEnd: Bool, ofType ofType: Bool) -> Int {
    switch (fromEnd, ofType) {
    case (false, false): indexFromStart
    case (true, false): indexFromEnd
    case (false, true): indexOfType
    case (true, true): indexOfTypeFromEnd
    }
  }
}

extension DOMTree {
  /// Returns the positions of the children of an element, in linear time.
  func childPositions(of parent: Int32) -> [Int32: ElementPosition] {
    var positions: [Int32: ElementPosition] = [:]
    var elements: [Int32] = []
    var types: [ElementName: Int] = [:]
    var next = nodes[Int(parent)].firstChild
    while let child = next {
      let name = nodes[Int(child)].name
      if name != .characters {
        elements.append(child)
        types[name, default: 0] += 1
        positions[child] = ElementPosition(index: elements.count, indexOfType: types[name] ?? 0)
      }
      next = nodes[Int(child)].nextSibling
    }
    for element in elements {
      guard let known = positions[element] else { continue }
      let total = types[nodes[Int(element)].name] ?? 0
      positions[element]?.indexFromEnd = elements.count - known.indexFromStart + 1
      positions[element]?.indexOfTypeFromEnd = total - known.indexOfType + 1
    }
    return positions
  }
}

extension ElementPosition {
  init(index: Int, indexOfType: Int = 0) {
    self.indexFromStart = index
    self.indexOfType = indexOfType
  }
}
