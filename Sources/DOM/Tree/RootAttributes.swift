/// The attributes of the `html` and `body` tags of a page.
struct RootAttributes {
  /// A name and its value, with character references decoded.
  struct Attribute {
    var name: [UInt8]
    var value: [UInt8]
  }

  private(set) var html: [Attribute] = []
  private(set) var body: [Attribute] = []

  private static let maxAttributes = 64
  private static let maxSize = 1 << 14

  /// Whether neither tag has attributes.
  var isEmpty: Bool { html.isEmpty && body.isEmpty }

  /// Adds an attribute of `body` or `html`. If the page has several tags of the element,
  /// the first that has the attribute counts (HTML standard §13.2.6.4.7).
  mutating func add(
    _ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>,
    ofBody isOfBody: Bool
  ) {
    let knownAttributes = isOfBody ? body : html
    guard knownAttributes.count < Self.maxAttributes, name.count + value.count <= Self.maxSize,
      !knownAttributes.contains(where: { attribute in
        attribute.name.elementsEqual(name, by: { $0.lowercased == $1.lowercased })
      })
    else { return }
    var attribute = Attribute(name: Array(name), value: [])
    UnsafeBufferPointer(rebasing: value).appendDecoded(to: &attribute.value)
    if isOfBody { body.append(attribute) } else { html.append(attribute) }
  }
}
