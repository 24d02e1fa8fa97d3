import Testing

/// The start of the program that contains all tests on Linux.
///
/// Without this file the package manager would write one, for which it reads the index that the
/// compiler writes for editors. The tests are built without that index.
@main enum TestRunner {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
