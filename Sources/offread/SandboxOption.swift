/// The name of the option that disables the sandbox.
enum SandboxOption: String, CaseIterable {
  case noSandbox = "no-sandbox"
}
