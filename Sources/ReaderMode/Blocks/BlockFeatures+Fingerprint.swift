import Document

extension BlockFeatures {
  /// A hash of the names of all features and of the words from which they are computed. It must
  /// equal `ContentModel.fingerprint`, the hash of what the tables were trained with.
  package static let fingerprint: UInt64 = {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = hash &* 0x100_0000_01B3
    }
    func add(_ text: StaticString) {
      add(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    for name in names + PageKind.clueNames { add(name.utf8) }
    for (topic, topicNames) in Vocabulary.topics {
      add([topic.rawValue])
      add(topicNames)
    }
    for (phrase, topicNames) in Vocabulary.phrases {
      add("\(phrase.rawValue)".utf8)
      add(topicNames)
    }
    for (word, topicNames) in Vocabulary.pathTerms {
      add("\(word.rawValue)".utf8)
      add(topicNames)
    }
    for (name, kind) in Vocabulary.kindsByType.sorted(by: { $0.key < $1.key }) {
      add("\(name) \(kind.rawValue)".utf8)
    }
    for (name, kind) in Vocabulary.kindsByGenerator { add("\(name) \(kind.rawValue)".utf8) }
    return hash
  }()
}
