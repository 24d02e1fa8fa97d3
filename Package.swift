// swift-tools-version: 6.2
import PackageDescription

// Packages that depend on this one find libraries through pkg-config. In the program's own build on
// Linux its `-L` option would precede Sources/CLazyCurl/link, and the program would load libcurl at
// every start (6 ms).
func pkgConfig(_ name: String) -> String? {
  #if os(Linux)
    return Context.packageDirectory.contains("/checkouts/") ? name : nil
  #else
    return name
  #endif
}

/// Sorted arrays are searched with `partitioningIndex`.
let algorithms = Target.Dependency.product(
  name: "Algorithms", package: "swift-algorithms", condition: .when(traits: ["Program"]))

let package = Package(
  name: "offread",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "WARC", targets: ["WARC"]),
    .library(name: "WACZ", targets: ["WACZ"]),
    .library(name: "HTTPCaching", targets: ["HTTPCaching"]),
    .library(name: "OfflineCacheURLSession", targets: ["OfflineCacheURLSession"]),
    .library(name: "OfflineCache", targets: ["OfflineCache"]),
    .executable(name: "offread", targets: ["offread"]),
  ],
  // Users of a library write `traits: []` so that dependencies of the program are not fetched.
  traits: [
    .default(enabledTraits: ["Program"]),
    .trait(
      name: "Program", description: "The terminal reader, with examples, tests and benchmarks"),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-structured-headers", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CNettle", pkgConfig: pkgConfig("nettle"),
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: pkgConfig("zlib"),
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: pkgConfig("libbrotlidec"),
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: pkgConfig("libzstd"),
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CLazyCurl", exclude: ["link"]),
    .systemLibrary(
      name: "CPsl", pkgConfig: pkgConfig("libpsl"),
      providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "CIconv"),
    .target(name: "CLandlock"),
    .target(name: "CSeccomp"),
    .target(name: "CProcesses"),
    .target(name: "CPageWatch"),
    .target(name: "CImages"),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: pkgConfig("libxml-2.0"),
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CUnistring", providers: [.apt(["libunistring-dev"]), .brew(["libunistring"])]),
    .systemLibrary(
      name: "CFriBidi", providers: [.apt(["libfribidi-dev"]), .brew(["fribidi"])]),
    // No pkg-config, because Swift warns about flags in ncursesw.pc such as -D_XOPEN_SOURCE.
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(name: "Dates"),
    .target(name: "Platform", dependencies: ["CProcesses"]),
    .target(name: "WARC", dependencies: ["Dates", "CNettle", "CZlib", "CBrotli", "CZstd"]),
    .target(
      name: "HTTPCaching",
      dependencies: [
        "Dates",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "RawStructuredFieldValues", package: "swift-http-structured-headers"),
      ]),
    .target(
      name: "WebArchive",
      dependencies: [
        "Platform", "HTTPCaching", "WARC", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(
      name: "OfflineCache",
      dependencies: [
        "Platform", "Dates", "HTTPCaching", "WARC", "WebArchive", "CCurl", "CPsl",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(name: "OfflineCacheURLSession", dependencies: ["OfflineCache"]),
    .target(name: "DOM", dependencies: ["Platform", "CIconv", "CLibXML2", algorithms]),
    .target(name: "Document", dependencies: ["DOM", algorithms]),
    .target(name: "Formats", dependencies: ["Dates", "DOM", "Document", algorithms]),
    .target(name: "Metadata", dependencies: ["Dates", "DOM", "Document", algorithms]),
    .target(name: "ReaderMode", dependencies: ["DOM", "Document", "Formats", "Metadata"]),
    .target(
      name: "Layout", dependencies: ["DOM", "Document", "CUnistring", "CFriBidi", algorithms]),
    .target(name: "Images", dependencies: ["CImages"]),
    .target(
      name: "Terminal",
      dependencies: ["Platform", "DOM", "Document", "Layout", "Images", "CNcurses"]),
    .target(name: "Containers", dependencies: ["Dates", "WARC"]),
    .target(name: "WACZ", dependencies: ["Containers", "WARC"]),
    .target(name: "Crawl", dependencies: ["OfflineCache", "DOM"]),
    .target(
      name: "Feeds",
      dependencies: ["Dates", "OfflineCache", "DOM", "Document", "Formats", "ReaderMode"]),
    .target(
      name: "Library",
      dependencies: [
        "CPageWatch", "OfflineCache", "WARC", "DOM", "Document", "Formats", "ReaderMode", "Layout",
        algorithms,
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "Exchange",
      dependencies: [
        "Dates", "Platform", "OfflineCache", "WARC", "WACZ", "Containers", "DOM", "Document",
        "Formats", "ReaderMode", "Feeds", "Library",
      ]),
    .target(
      name: "Configuration",
      dependencies: [
        "OfflineCache", "DOM", "Document", "ReaderMode", "Library",
        .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: ["Program"])),
      ]),
    .target(
      name: "Sandbox",
      dependencies: [
        "Platform", "Configuration", "CLandlock", "CSeccomp", "Images",
      ]),
    .target(
      name: "Pages",
      dependencies: [
        "Platform", "Configuration", "OfflineCache", "WARC", "DOM", "Document", "Formats",
        "ReaderMode", "Feeds", "Sandbox",
      ]),
    .target(
      name: "LocalDocuments",
      dependencies: [
        "Platform", "HTTPCaching", "OfflineCache", "DOM", "Document", "Formats", "Containers",
        "Exchange", "Sandbox", "Pages",
      ]),
    .target(
      name: "Profiles",
      dependencies: [
        "Platform", "Configuration", "OfflineCache", "WARC", "Document", "Formats",
        "ReaderMode", "Containers", "Feeds", "Library", "Exchange", "Sandbox", "Pages",
        "LocalDocuments",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Doctor",
      dependencies: [
        "Platform", "Configuration", "OfflineCache", "Document", "Library", "Sandbox", "Pages",
        "Profiles",
      ]),
    .target(
      name: "Rendering",
      dependencies: [
        "Platform", "Configuration", "OfflineCache", "DOM", "Document", "Formats", "ReaderMode",
        "Crawl", "Library", "Sandbox", "Pages", "Profiles",
      ]),
    .target(
      name: "Reader",
      dependencies: [
        "Platform", "Configuration", "OfflineCache", "OfflineCacheURLSession", "WARC", "DOM",
        "Document", "Formats", "ReaderMode", "Images", "Feeds", "Library", "Exchange", "Sandbox",
        "Pages", "LocalDocuments", "Profiles", "Rendering",
      ]),
    .target(
      name: "Saving",
      dependencies: [
        "Dates", "Configuration", "Sandbox", "Pages", "LocalDocuments", "Profiles", "Rendering",
        "Reader",
        "OfflineCache", "OfflineCacheURLSession", "WebArchive",
        "WARC", "WACZ", "DOM", "Document", "Formats", "Metadata", "ReaderMode", "Layout",
        "Containers", "Crawl", "Feeds", "Library", "Exchange",
      ]),
    .target(
      name: "Commands", dependencies: ["Configuration", "Document", "Sandbox", "Pages", "Terminal"]),
    .target(
      name: "TerminalUI",
      dependencies: [
        "Commands",
        "Dates", "Configuration", "Pages", "Profiles", "Reader", "Saving", "Feeds", "Library",
        "Exchange",
        "OfflineCache", "DOM", "Document", "Formats", "ReaderMode", "Layout", "Images", "Terminal",
        algorithms,
        .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: ["Program"])),
      ]),
    .target(
      name: "Session",
      dependencies: [
        "Commands", "Platform", "TerminalUI", "Terminal", "Images", "Configuration", "Sandbox",
        "Pages", "Profiles", "Rendering", "Reader",
        "Saving",
        "Feeds", "Library", "OfflineCache", "OfflineCacheURLSession", "Document", "Formats",
        "Layout",
      ]),
    .executableTarget(
      name: "offread",
      dependencies: [
        "Commands", "Platform", "CLazyCurl", "Session", "TerminalUI", "Terminal",
        "Configuration", "Sandbox", "Pages", "Profiles", "Doctor", "Rendering", "Reader",
        "Saving", "Crawl", "Feeds", "Library", "Exchange", "OfflineCache", "OfflineCacheURLSession",
        "DOM", "Document", "Formats", "ReaderMode", "Layout", "Images", "WARC",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Program"])),
      ],
      // FoundationNetworking asks the linker for libcurl, which it finds in CLazyCurl. The dynamic
      // loader searches libraries in the order of `order.so`. Exported symbols that nothing looks
      // up would cost memory and time at the start.
      linkerSettings: [
        .unsafeFlags(
          [
            "-L", "\(Context.packageDirectory)/Sources/CLazyCurl/link",
            "\(Context.packageDirectory)/Sources/CLazyCurl/link/order.so",
            "-Xlinker", "--no-export-dynamic",
            // Makes the data that the dynamic loader fills in read-only afterwards.
            "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now",
          ], .when(platforms: [.linux]))
      ]),
    // Examples see only public declarations, like users of the libraries.
    .executableTarget(
      name: "ExampleFirst", dependencies: ["OfflineCache"], path: "Examples/First",
      packageAccess: false),
    .executableTarget(
      name: "ExampleClient", dependencies: ["OfflineCache"], path: "Examples/Client",
      packageAccess: false),
    .executableTarget(
      name: "ExampleProxy",
      dependencies: [
        "OfflineCache",
        .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Program"])),
        .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Program"])),
      ], path: "Examples/Proxy", packageAccess: false),
    .executableTarget(
      name: "ExampleMirror",
      dependencies: [
        "HTTPCaching",
        .product(name: "FlyingFox", package: "FlyingFox", condition: .when(traits: ["Program"])),
        .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["Program"])),
      ], path: "Examples/Mirror", packageAccess: false),
    .executableTarget(
      name: "ExampleReplay", dependencies: ["OfflineCache", "OfflineCacheURLSession"],
      path: "Examples/Replay", packageAccess: false),
    .target(name: "ScreenPicture", dependencies: ["Layout"], path: "Tests/ScreenPicture"),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Configuration", "Pages", "Profiles", "Rendering", "Saving", "Library", "Exchange",
        "OfflineCache",
        "OfflineCacheURLSession", "WARC", "DOM", "Document", "Formats", "ReaderMode", "Layout",
        "PseudoTerminal", "ScreenPicture",
      ], path: "Benchmarks", exclude: ["budgets.tsv"]),
    .target(name: "PseudoTerminal", path: "Tests/PseudoTerminal"),
    .target(name: "CSilentResolver", path: "Tests/CSilentResolver"),
    .target(name: "CForbidden", path: "Tests/CForbidden"),
    .executableTarget(
      name: "CrashingPages",
      dependencies: ["Document", "Library", "OfflineCache", "ReaderMode", "WARC"],
      path: "Tests/CrashingPages"),
    .executableTarget(name: "TakenOver", dependencies: ["CForbidden"], path: "Tests/TakenOver"),
    .target(
      name: "TestSupport", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      path: "Tests/TestSupport"),
    .target(
      name: "TestFiles", dependencies: ["OfflineCache", "WARC"], path: "Tests/TestFiles"),
    .executableTarget(
      name: "TestProcess", dependencies: ["OfflineCache", "TestFiles", "TestSupport"],
      path: "Tests/TestProcess"),
    .testTarget(name: "DatesTests", dependencies: ["Dates"]),
    .testTarget(name: "WARCTests", dependencies: ["WARC", "TestSupport"], exclude: ["Fixtures"]),
    .testTarget(name: "WACZTests", dependencies: ["WACZ", "WARC", "TestSupport"]),
    .testTarget(
      name: "ContainersTests", dependencies: ["Containers", "Exchange", "WARC", "TestSupport"]),
    .testTarget(
      name: "HTTPCachingTests",
      dependencies: ["HTTPCaching", .product(name: "HTTPTypes", package: "swift-http-types")]),
    .testTarget(
      name: "OfflineCacheTests",
      dependencies: [
        "OfflineCache", "OfflineCacheURLSession", "WebArchive", "WARC", "TestFiles", "TestSupport",
        "TestProcess", "CSilentResolver", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Fixtures"]),
    // Sees only public declarations, like users of the libraries.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "HTTPCaching", "OfflineCache", "OfflineCacheURLSession", "WACZ", "WARC", "TestSupport",
      ],
      packageAccess: false),
    .testTarget(
      name: "HTMLTests",
      dependencies: ["DOM", "Document", "Formats", "Metadata", "ReaderMode", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "LayoutTests",
      dependencies: ["Layout", "DOM", "Document", "Formats", "ReaderMode", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["Terminal", "Images", "Document", "Layout", "TestSupport"]),
    .testTarget(name: "ImagesTests", dependencies: ["Images"]),
    .target(
      name: "TestNetwork", dependencies: ["Configuration", "OfflineCache", "Profiles"],
      path: "Tests/TestNetwork"),
    // The library, its search index, and what is imported into it and exported from it.
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "Library", "Exchange", "Saving", "Feeds", "Crawl", "Profiles", "Pages", "Configuration",
        "Sandbox", "ReaderMode", "Formats", "Document", "WebArchive", "OfflineCache", "WACZ",
        "WARC", "Images", "Platform", "TestFiles", "TestNetwork", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "ReaderTests",
      dependencies: [
        "Configuration", "Sandbox", "Pages", "LocalDocuments", "Profiles", "Doctor", "Rendering",
        "Reader", "Saving", "Containers", "Crawl", "Feeds", "Library", "Exchange",
        "OfflineCache", "WARC", "WACZ", "DOM", "Document", "Formats", "ReaderMode", "Images",
        "Platform", "TestFiles", "TestNetwork", "TestSupport", "CForbidden", "WebArchive",
      ]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: [
        "Commands", "TerminalUI", "Terminal", "ScreenPicture", "Configuration",
        "Sandbox", "Pages", "Profiles", "Rendering", "Reader", "Saving", "Feeds",
        "Library", "OfflineCache", "DOM", "Document", "Formats",
        "ReaderMode", "Layout", "Images", "TestSupport",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "Session", "Configuration", "Images", "OfflineCache", "Platform", "Sandbox", "Pages",
        "Profiles", "Rendering", "TestSupport",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "offread", "ExampleFirst", "ExampleClient", "ExampleMirror", "ExampleProxy",
        "ExampleReplay", "Images",
        "Configuration", "Sandbox", "Pages", "Rendering", "Reader", "Containers", "Exchange",
        "Layout", "OfflineCache", "WARC",
        "TestFiles", "TestSupport", "TestProcess", "PseudoTerminal", "TakenOver", "CrashingPages",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Program"])),
      ],
      exclude: ["Fixtures"]),
  ],
  swiftLanguageModes: [.v6]
)

var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

// Under a sanitizer (scripts/sanitize) only the cache and its tests are built; under
// ThreadSanitizer also the other targets that use threads, but not the tests of code without them;
// under AddressSanitizer also the parsers for scripts/fuzz. With `none` only those are built, so
// that many more inputs can be tried in the same time.
let sanitizer = Context.environment["OFFREAD_SANITIZE"]
if let sanitizer {
  settings.append(.define("OFFREAD_SANITIZE_\(sanitizer.uppercased())"))
  let testsToSanitize: [String: Set<String>] = [
    "thread": ["OfflineCacheTests", "ReaderTests", "TerminalUITests"],
    "address": [
      "WARCTests", "HTTPCachingTests", "OfflineCacheTests", "DocumentationTests", "Fuzz",
    ],
    "none": ["Fuzz"],
  ]
  var needed = testsToSanitize[sanitizer] ?? []
  if needed.contains("Fuzz") {
    // Results are checked by the same functions as in the tests.
    package.targets.append(
      .executableTarget(
        name: "Fuzz",
        dependencies: [
          "Containers", "Crawl", "DOM", "Dates", "Document", "Exchange", "Feeds", "Formats",
          "HTTPCaching", "Images", "Layout", "Library", "Metadata", "OfflineCache", "ReaderMode",
          "WACZ", "WARC", "WebArchive",
        ],
        path: "Tests",
        sources: [
          "Choices", "DocumentParsers", "FileParsers", "FuzzTarget", "FuzzedParser", "Grammar",
          "PageParsers", "ResponseParsers",
        ].map { "Fuzz/\($0).swift" } + [
          "HTMLTests/DocumentProblems.swift", "LayoutTests/Soundness.swift",
        ]
          + (sanitizer == "none"
            ? ["Fuzz/RandomInputs.swift", "TestSupport/SplitMix64.swift"] : []),
        // The library of libFuzzer contains a `main`, which is removed because nothing uses it.
        linkerSettings: [
          .unsafeFlags(
            [
              "-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "-z", "-Xlinker",
              "nostart-stop-gc",
            ] + (sanitizer == "address" ? ["-sanitize=fuzzer,address"] : []))
        ]))
  }
  var last: Set<String> = []
  while last != needed {
    last = needed
    for target in package.targets where last.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.contains($0.name) }
}
// With `scripts/test --all` these tests are only built and run under the sanitizers.
if Context.environment["OFFREAD_WITHOUT_SANITIZED_TESTS"] != nil {
  package.targets.removeAll { ["ReaderTests", "OfflineCacheTests"].contains($0.name) }
}
// Targets with threads.
let concurrentTargets: Set = [
  "WebArchive", "OfflineCache", "OfflineCacheURLSession", "Library", "Configuration", "Reader",
  "Sandbox", "Pages", "LocalDocuments", "Profiles", "Rendering", "Saving", "Terminal",
  "TerminalUI", "OfflineCacheTests", "ReaderTests", "TestNetwork", "TestSupport", "TestProcess",
]
if sanitizer == "thread" {
  // Every file that uses `Mutex` must see this replacement; see PthreadMutex.swift.
  for target in package.targets where concurrentTargets.contains(target.name) {
    target.dependencies.append("PthreadMutex")
  }
  package.targets.append(.target(name: "PthreadMutex", path: "Tests/PthreadMutex"))
} else {
  settings.append(.enableUpcomingFeature("MemberImportVisibility"))
}

// The directory of the headers of libxml2. With pkg-config, the system's libraries would precede
// Sources/CLazyCurl/link. Targets of library products do not use libxml2.
let headers = SwiftSetting.unsafeFlags(
  ["-Xcc", "-I/usr/include/libxml2"], .when(platforms: [.linux]))

// Targets of the program that do little while a page is loaded, laid out or searched are optimized
// for size. No library product may depend on them.
let targetsForSize: Set = [
  "Configuration", "Sandbox", "LocalDocuments", "Profiles", "Doctor", "Rendering", "Reader",
  "Saving", "Crawl", "Feeds", "Exchange", "Formats", "Commands", "TerminalUI", "Session", "offread",
]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    [
      "Dates", "WARC", "Containers", "WACZ", "HTTPCaching", "WebArchive", "OfflineCache",
      "OfflineCacheURLSession",
    ].contains(target.name)
    ? settings : settings + [headers]
  // Instrumented code without optimization would take most of the time of the tests. In optimized
  // code ThreadSanitizer sees the functions of arrays, but not the reference counts with which the
  // runtime orders them, so targets with threads are not optimized for it.
  let isOptimized =
    sanitizer == "address" || sanitizer == "none"
    || sanitizer == "thread" && !concurrentTargets.contains(target.name)
  if isOptimized && target.type == .regular || target.name == "Fuzz" {
    target.swiftSettings?.append(.unsafeFlags(["-O"]))
  } else if targetsForSize.contains(target.name) {
    // Equal sequences of instructions become functions.
    let flags = ["-Osize", "-Xllvm", "-enable-machine-outliner=always"]
    target.swiftSettings?.append(.unsafeFlags(flags, .when(configuration: .release)))
  }
  // No target needs the interface of tests before they are compiled, and a job of its own for it
  // would expand the macros again, which takes a third of the time.
  if target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-no-emit-module-separately-wmo"]))
  }
  // libFuzzer follows which branches of the parsers an input reaches.
  if sanitizer == "address" && target.type != .test {
    target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer,address"]))
    let flagsOfC = CSetting.unsafeFlags(["-fsanitize=address,fuzzer-no-link"])
    target.cSettings = (target.cSettings ?? []) + [flagsOfC]
  }
  if target.name == "Fuzz" {
    target.swiftSettings?.append(.unsafeFlags(["-parse-as-library"]))
  }
}
