import Configuration
import Foundation
import Platform
import Testing

@Suite struct LocationsTests {
  @Test func `XDG directories are used if they are absolute paths`() {
    let positions = Locations(
      dataDirectory: nil,
      environment: ["HOME": "/home/u", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c"])
    #expect(positions.archive.path == "/d/offread/archive")
    #expect(positions.index.path == "/c/offread/index.sqlite")
    #expect(positions.state.path == "/home/u/.local/state/offread")
  }

  @Test func `directories may end with a slash`() {
    let positions = Locations(
      dataDirectory: nil, environment: ["HOME": "/home/u", "XDG_DATA_HOME": "/d/ä b/"])
    #expect(positions.archive.path == "/d/ä b/offread/archive")
    #expect(positions.journals.path == "/d/ä b/offread/library")
    #expect(positions.cookieJar.path == "/d/ä b/offread/cookies.txt")
    #expect(positions.config.path == "/home/u/.config/offread/config.toml")
    let own = Locations(dataDirectory: "/d/ä/", environment: [:])
    #expect(own.searchIndex.path == "/d/ä/search.sqlite")
    #expect(own.journals.path == "/d/ä/library")
    #expect(own.archive.hasDirectoryPath && !own.index.hasDirectoryPath)
  }

  @Test(
    arguments: [
      (["OFFREAD_DEVICE": "a"], "a"), (["OFFREAD_MACHINE": "b"], "b"),
      (["OFFREAD_DEVICE": "a", "OFFREAD_MACHINE": "b"], "a"),
      (["OFFREAD_DEVICE": "", "OFFREAD_MACHINE": "b"], "b"), (["OFFREAD_DEVICE": ""], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func `the environment names the device, also with the variable of 1.0.0`(
    _ environment: [String: String], _ device: String?
  ) {
    #expect(Locations(dataDirectory: "/d", environment: environment).device == device)
  }

  @Test func `the environment is that of Foundation`() {
    let (own, other) = (SystemProcesses.environment, ProcessInfo.processInfo.environment)
    #expect(own["PATH"] != nil)
    for name in ["PATH", "HOME", "LANG", "PWD"] { #expect(own[name] == other[name]) }
  }

  @Test(arguments: ["", "relative/path", "~/x"])
  func `empty or relative XDG values are ignored`(_ value: String) {
    let positions = Locations(
      dataDirectory: nil, environment: ["HOME": "/home/u", "XDG_DATA_HOME": value])
    #expect(positions.archive.path == "/home/u/.local/share/offread/archive")
  }

  @Test(
    arguments: [
      ("", "/home/a", "/home/a/.local"), ("rel", "/home/a", "/home/a/.local"),
      ("", nil as String?, "/.local"), ("", "rel", "/.local"),
    ] as [(String, String?, String)])
  func `without HOME the account's home directory is used, never a shared directory`(
    _ home: String, _ account: String?, _ begins: String
  ) {
    let positions = Locations(dataDirectory: nil, environment: ["HOME": home], account: account)
    #expect(positions.archive.path == begins + "/share/offread/archive")
    #expect(positions.config.path.hasPrefix("/tmp") == false)
  }

  @Test func `a data directory contains everything, and the option overrides the environment`() {
    let positions = Locations(
      dataDirectory: "/tmp/with space", environment: ["OFFREAD_DATA_DIR": "/other"])
    #expect(positions.archive.path == "/tmp/with space/archive")
    #expect(positions.index.path == "/tmp/with space/index.sqlite")
    let other = Locations(dataDirectory: nil, environment: ["OFFREAD_DATA_DIR": "/other"])
    #expect(other.config.path == "/other/config.toml")
    let empty = Locations(dataDirectory: "", environment: ["HOME": "/h", "OFFREAD_DATA_DIR": ""])
    #expect(empty.config.path == "/h/.config/offread/config.toml")
  }
}
