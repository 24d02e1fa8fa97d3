/// The cascade layers of a style sheet (CSS Cascade 5 §6.4): a tree whose root contains the rules
/// outside all layers.
struct CascadeLayers {
  private struct Layer {
    var depth = 0
    /// The layers nested in this one, in the order in which the style sheet mentions them first.
    var children: [Int] = []
  }

  private struct Name: Hashable {
    var parent: Int
    var text: [UInt8]
  }

  private var layers = [Layer()]
  private var layersByName: [Name: Int] = [:]

  /// The index of the root.
  static let root = 0

  private static let maxCount = 256
  private static let maxDepth = 16

  /// Whether the style sheet has no layers.
  var isEmpty: Bool { layers.count == 1 }

  /// Returns the index of the layer with a name such as `base.forms` within the layer `parent`, and
  /// adds the layer if it is new. An empty name always adds an anonymous layer.
  mutating func layer(named name: StyleBytes, in parent: Int) -> Int {
    guard !name.isEmpty else { return addLayer(in: parent) }
    var layer = parent
    for part in name.split(separator: UInt8(ascii: ".")) {
      let key = Name(parent: layer, text: Array(part.trimmed))
      if let known = layersByName[key] {
        layer = known
      } else {
        let newLayer = addLayer(in: layer)
        if newLayer != layer { layersByName[key] = newLayer }
        layer = newLayer
      }
    }
    return layer
  }

  /// Adds a layer to the layer `parent` and returns its index; returns `parent` if a limit is
  /// reached.
  private mutating func addLayer(in parent: Int) -> Int {
    let depth = layers[parent].depth + 1
    guard layers.count < Self.maxCount, depth <= Self.maxDepth else { return parent }
    layers.append(Layer(depth: depth))
    layers[parent].children.append(layers.count - 1)
    return layers.count - 1
  }

  /// For each layer, its rank: declarations of a higher rank override others, unless these are
  /// important. The rules of a layer override those of the layers in it.
  var ranks: [Int32] {
    var ranks = [Int32](repeating: 0, count: layers.count)
    var next: Int32 = 1
    func assignRanks(from layer: Int) {
      for child in layers[layer].children { assignRanks(from: child) }
      ranks[layer] = next
      next += 1
    }
    assignRanks(from: Self.root)
    return ranks
  }
}
