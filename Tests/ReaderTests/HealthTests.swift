import OfflineCache
import Testing

@testable import Doctor
@testable import Pages

@Suite("Findings of doctor") struct HealthTests {
  @Test(
    arguments: [
      ("/home/a/x", "NFS"), ("/home/b", nil), ("/home/a b/x", "FUSE"), ("/run/x", "in memory"),
      ("/homes", nil), ("/share/x", "SMB"),
    ] as [(String, String?)])
  func `the file system is that of the nearest mount point`(_ path: String, _ kind: String?) {
    let mounts = """
      /dev/sda / ext4 rw 0 0
      tmpfs /run tmpfs rw 0 0
      server:/a /home/a nfs4 rw 0 0
      x /home/a\\040b fuse.sshfs rw 0 0
      old /share ext4 rw 0 0
      //s/x /share cifs rw 0 0
      """
    let found = DirectoryFindings.unusualFileSystem(path, mounts)
    #expect(kind.map { found?.hasPrefix($0) == true } ?? (found == nil), "\(found ?? "none")")
  }

  @Test(
    arguments: [
      ("socks5h://user:word@host.test:9050", "set, socks5h, with a user name", true),
      ("http://host.test:3128/", "set, http", true), ("host.test:3128", "set, http", true),
      ("secret://host.test", "unknown type of proxy", false),
    ] as [(String, String, Bool)])
  func `a proxy is described by its kind`(_ value: String, _ text: String, _ isWell: Bool) {
    let findings = NetworkFindings.proxyFindings(["all_proxy": value])
    #expect(findings.map(\.value) == [text] && findings.hasNoProblems == isWell)
    #expect(!findings.reportText.contains("host.test") && !findings.reportText.contains("word"))
  }

  @Test func `a problem is marked, with advice below it`() {
    let findings = [
      Finding(.program, "one", "well"), Finding(.directories, "another", "ill", advice: "mend it"),
    ]
    #expect(
      findings.reportText == """
        program
          one      well

        directories
        ! another  ill
            -> mend it

        """)
    #expect(!findings.hasNoProblems && [findings[0]].hasNoProblems)
  }

  @Test func `every network failure has a message and advice, without the host name`() {
    for kind in TransportFailure.Kind.allCases {
      let failure = TransportFailure(kind, "secret.test")
      let finding = NetworkFindings.requestFinding(.failure(.transport(failure)), milliseconds: 1)
      #expect(finding.advice?.isEmpty == false && !finding.value.contains("secret"))
    }
  }
}
