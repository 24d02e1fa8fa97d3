import Testing

@testable import TerminalUI

@Suite struct CommandTests {
  @Test(arguments: Command.allCases)
  func `every command has a name, keys and help`(command: Command) {
    let definition = command.definition
    #expect(Command(name: definition.name) == command)
    #expect(!definition.keys.isEmpty)
    for key in definition.keys { #expect(Key(key) != nil, "\(key)") }
    #expect(!definition.help.isEmpty && !definition.help.hasSuffix("."))
    #expect(Keymap().keys(of: command).count == definition.keys.count, "a key has two commands")
  }

  @Test func `a key can be given to another command or to none`() throws {
    var keymap = Keymap()
    let key = try #require(Key("Z"))
    keymap[key] = .quit
    #expect(keymap[key] == .quit)
    #expect(keymap.keys(of: .quit).map(\.description) == ["q", "Z"])
    keymap[try #require(Key("q"))] = nil
    #expect(keymap.keys(of: .quit) == [key])
  }

  @Test(arguments: [0, 1, 9, 10, 81, 82, 500])
  func `no label of a hint begins another`(count: Int) {
    let links = (0..<count).map { (link: Int32($0), target: "https://a.test/\($0)") }
    let labels = Hints(links: links).labels.map(\.text)
    #expect(labels.count == count)
    #expect(Set(labels).count == count)
    #expect(Set(labels.map(\.count)).count <= 1)
    #expect(labels.allSatisfy { (1...3).contains($0.count) })
  }

  @Test func `links to one target share a label`() {
    let hints = Hints(links: [(0, "a"), (1, "b"), (2, "a")])
    #expect(hints.labels.map(\.text) == ["a", "s", "a"])
  }
}
