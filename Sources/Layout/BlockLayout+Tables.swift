import HTML

extension BlockLayout {
  mutating func layOutTable(from row: Int32) {
  }
}
