// swift-tools-version: 6.2
import PackageDescription

// The libraries that need no cache, as a package of their own: programs that depend on it fetch
// neither GRDB nor swift-log. `scripts/library-package` makes a repository of it.
let package = Package(
  name: "offread-libraries",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "HTTPCaching", targets: ["HTTPCaching"]),
    .library(name: "WARC", targets: ["WARC"]),
    .library(name: "WACZ", targets: ["WACZ"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "Dates"),
    .target(name: "WARC", dependencies: ["Dates", "CNettle", "CZlib", "CBrotli", "CZstd"]),
    .target(name: "Containers", dependencies: ["Dates", "WARC"]),
    .target(name: "WACZ", dependencies: ["Containers", "WARC"]),
    .target(
      name: "HTTPCaching",
      dependencies: [
        "Dates",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
      ]),
    .testTarget(
      name: "HTTPCachingTests",
      dependencies: ["HTTPCaching", .product(name: "HTTPTypes", package: "swift-http-types")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where [.regular, .test].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
