import Sandbox
package import Profiles
import Configuration
import Foundation
import Library

/// The health of the read hook and of its calls. The findings name no items and no reasons, which
/// may contain names of hosts.
package enum HookFindings {
  /// The findings: none if no hook is set and no call waits.
  package static func allFindings(of profile: Profile) -> [Finding] {
    let calls = try? profile.library.hookCalls()
    let command = profile.settings.hooks.readCommand
    guard command != nil || calls?.isEmpty == false else { return [] }
    return (command.map { [commandFinding($0)] } ?? []) + [
      waitingCallsFinding(calls, hasCommand: command != nil)
    ]
  }

  private static func commandFinding(_ command: HookCommand) -> Finding {
    var name = command.words[0]
    if name.hasPrefix("~/"), let home = Locations.home() { name = home + name.dropFirst() }
    let isFound = ChildProcess.find(name) != nil
    return Finding(
      .program, "read hook", isFound ? "found" : "not found",
      advice: isFound
        ? nil : "correct read in [hooks]: it must be the name or path of an executable file")
  }

  /// Returns the finding about the calls that wait. `calls` is nil if the library cannot be read.
  private static func waitingCallsFinding(_ calls: [HookCall]?, hasCommand: Bool) -> Finding {
    guard let calls else {
      return Finding(.program, "calls of the read hook", textLabel: "hook calls", "not known")
    }
    let own = calls.filter(\.isFromThisDevice)
    let failed = own.count { $0.state.failure != nil }
    let others = calls.count - own.count
    var value = "\(own.count) waiting"
    if failed > 0 { value += ", \(failed) of them failed" }
    if others > 0 { value += ", \(others) on other devices" }
    let advice: String? =
      if !own.isEmpty, !hasCommand {
        "set read in [hooks], or discard the calls: offread sync --discard-calls"
      } else if failed > 0 {
        "offread check names the reason; to discard the calls: offread sync --discard-calls"
      } else {
        nil
      }
    return Finding(
      .program, "calls of the read hook", textLabel: "hook calls", value, advice: advice)
  }
}
