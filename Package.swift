// swift-tools-version: 6.2
//
// The architecture, from the bottom to the top. A module can import only the modules that its entry lists. `make`
// checks this with `--explicit-target-dependency-import-check error`. The README.md of each folder of Sources/ defines
// what belongs there. docs/modules.svg shows the dependencies.

import PackageDescription

// MARK: - helpers

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
]

// For modules that only react to actions of users. Their speed hardly matters. With -Osize, each start reads 328 KB
// less of the binary than with -O.
let small: [SwiftSetting] = strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

// If the runtime is linked statically, Swift tells the linker to export every symbol, so that plug-ins can use the
// symbols. Autoharp has no plug-ins, and each start would read half a megabyte of names. A compact table of relocations
// (RELR, glibc 2.36) saves another 0.7 MB of each start. Of the linkers of the toolchain, only lld can write this
// table. No C++ exception passes through the programs, so the table for finding unwind information at run time (0.36
// MB) is left out. Debuggers do not need it.
let lean: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
      "pack-relative-relocs", "-Xlinker", "--no-eh-frame-hdr",
    ], .when(configuration: .release))
]

/// A module and its tests.
struct Module {
  let name: String
  /// The modules and C libraries that the module imports.
  let uses: [String]
  /// What the tests import in addition to the module and `uses`. Nil if the module has no tests.
  let tests: [String]?
  /// True if the tests compare results with files in `Goldens`.
  var goldens = false
  var isProgram = false
  var settings = strict
}

func module(
  _ name: String, uses: [String] = [], tests: [String]? = [], goldens: Bool = false
) -> Module {
  Module(name: name, uses: uses, tests: tests, goldens: goldens)
}

func program(_ name: String, uses: [String], tests: [String]) -> Module {
  Module(name: name, uses: uses, tests: tests, isProgram: true)
}

func dependencies(_ names: [String]) -> [Target.Dependency] {
  names.map { .byName(name: $0) }
}

/// Modules in `Sources/FOLDER/NAME` with their tests in `Tests/FOLDER/NAMETests`.
func folder(
  _ folder: String, settings: [SwiftSetting] = strict, _ modules: [Module]
) -> [Target] {
  modules.flatMap { module in
    var module = module
    module.settings = settings
    return targets(
      of: module, sources: "Sources/\(folder)/\(module.name)",
      tests: "Tests/\(folder)/\(module.name)Tests")
  }
}

/// A module whose sources are directly in a folder of Sources/.
func folder(_ module: Module) -> [Target] {
  targets(
    of: module, sources: "Sources/\(module.name)",
    tests: "Tests/\(module.name)/\(module.name)Tests", excluded: ["README.md"])
}

func targets(
  of module: Module, sources: String, tests: String, excluded: [String] = []
) -> [Target] {
  let target: Target =
    module.isProgram
    ? .executableTarget(
      name: module.name, dependencies: dependencies(module.uses), path: sources,
      exclude: excluded, swiftSettings: module.settings, linkerSettings: lean)
    : .target(
      name: module.name, dependencies: dependencies(module.uses), path: sources,
      exclude: excluded, swiftSettings: module.settings)
  guard let also = module.tests else { return [target] }
  return [
    target,
    .testTarget(
      name: "\(module.name)Tests", dependencies: dependencies([module.name] + module.uses + also),
      path: tests, exclude: module.goldens ? ["Goldens"] : [], swiftSettings: strict),
  ]
}

/// A C library from a Debian package. `pkgConfig` is the name of the library in `pkg-config`.
func library(_ name: String, _ pkgConfig: String, _ packages: String...) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig,
    providers: [.apt(packages)])
}

/// Declarations of the kernel or of the C library. Swift can import them only with a module map.
func header(_ name: String) -> Target {
  .systemLibrary(name: name, path: "Sources/CLibraries/\(name)")
}

/// A program for tests only.
func testProgram(_ name: String, in folder: String, uses: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies(uses), path: "Tests/\(folder)/\(name)",
    swiftSettings: strict)
}

// MARK: - the layers

let cLibraries: [Target] = [
  // The reference decoder of FLAC, in native FLAC files and in Ogg, with 4 to 32 bits.
  library("CFLAC", "flac", "libflac-dev"),
  // The reference decoder of Vorbis. It trims and seeks by granule position, exact to one frame.
  library("CVorbisFile", "vorbisfile", "libvorbis-dev"),
  // The reference decoder of Opus with its reader of Ogg. It handles pre-skip, gain and end as RFC 7845 requires.
  library("COpusFile", "opusfile", "libopusfile-dev"),
  // Decodes MPEG layers I to III to floats. It has code for the vector units of x86 and ARM.
  library("CMPG123", "libmpg123", "libmpg123-dev"),
  // A resampler for streams. Among resamplers of similar cost, it has the best measured pass band.
  library("CSoxr", "soxr", "libsoxr-dev"),
  // SBC, the codec of A2DP that every phone has. This is the library of BlueZ, under the LGPL.
  library("CSBC", "sbc", "libsbc-dev"),
  // The kernel's sound interface. Each layer above ALSA would add a buffer.
  library("CALSA", "alsa", "libasound2-dev"),
  // Event loop, D-Bus and the protocol of the service manager, maintained as one library.
  library("CSystemd", "libsystemd", "libsystemd-dev"),
  // The names of makers and versions of Bluetooth controllers, and the kernel's sockets to controllers. The library is
  // under the GPL, so only autoharp-controller is linked with it.
  library("CBluetooth", "bluez", "libbluetooth-dev"),
  // Shapes text of every script, breaks it into lines, and paints without a display.
  library("CPango", "pangocairo", "libpango1.0-dev"),
  // Makes the QR code of a report. The library has no dependencies. Its pkg-config file has a flag that SwiftPM refuses
  // and that is not needed.
  .systemLibrary(
    name: "CQREncode", path: "Sources/CLibraries/CQREncode", providers: [.apt(["libqrencode-dev"])]),
  // Can decode a JPEG at an eighth of its size, and reports errors by return value.
  library("CTurboJPEG", "libturbojpeg", "libturbojpeg0-dev"),
  // Decomposes and composes Unicode text. It contains the Unicode tables, which Swift does not make public. Its
  // pkg-config file has a flag that SwiftPM refuses and that is not needed.
  .systemLibrary(
    name: "CUTF8Proc", path: "Sources/CLibraries/CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
  // Stores the library on the disk, safe against power cuts, with an index of words.
  library("CSQLite", "sqlite3", "libsqlite3-dev"),
  // Decodes a PNG row by row. The reader of Cairo needs memory for the whole picture.
  library("CPNG", "libpng", "libpng-dev"),
  // Makes the kernel's filter for system calls on every processor.
  library("CSeccomp", "libseccomp", "libseccomp-dev"),
  // The kernel's interface to a display.
  library("CDRM", "libdrm", "libdrm-dev"),
  // Interprets the events of touch screens, pens and pads, for hundreds of devices.
  library("CLibinput", "libinput", "libinput-dev", "libudev-dev"),
  // The kernel's interfaces to GPIO lines, to event devices, and to the state of its clock.
  header("CGPIO"), header("CInput"), header("CClock"),
  // Files in memory whose contents cannot be changed after they are sealed.
  header("CMemfd"),
  // Parameters of glibc's allocator.
  header("CMalloc"),
  // The few libc calls that are allowed below the real-time line.
  header("CRealtime"),
  // Functions of the sanitizers, for tests.
  header("CSanitizers"),
]

let platform =
  folder(
    "Platform",
    [
      module("Threads", uses: ["CMalloc", "CRealtime"]),
      module("Text", tests: []),
      module("Files", tests: ["TestKit"]),
      module("GPIO", uses: ["CGPIO", "Files", "Threads"], tests: ["TestKit"]),
      module("EventLoop", uses: ["CSystemd", "Threads"], tests: ["TestKit"]),
    ])
  + folder(
    "Platform", settings: small,
    [
      // This is a separate module. Otherwise the compiler would make a copy of its generic code for each D-Bus method.
      module("BusMethods", uses: ["EventLoop"], tests: ["TestKit"])
    ])

// NowPlaying imports no module. A test checks its imports.
let nowPlaying = folder(
  "NowPlaying", settings: small,
  [
    module("NowPlaying", tests: ["TestKit"]),
    module("Reports", uses: ["NowPlaying"], tests: nil),
    // This is a separate module, because NowPlaying must not read a clock.
    module("SystemClock", uses: ["NowPlaying"], tests: nil),
  ])

let audio = folder(
  "Audio",
  [
    module(
      "AudioCodecs", uses: ["CFLAC", "CMPG123", "COpusFile", "CVorbisFile"], tests: ["TestKit"]),
    module("FileReading", uses: ["AudioCodecs", "Files", "Threads"], tests: ["TestKit"]),
    module(
      "AudioEngine", uses: ["AudioCodecs", "CRealtime", "CSoxr", "Threads"], tests: ["TestKit"]),
    module(
      "ALSASink", uses: ["AudioCodecs", "AudioEngine", "CALSA", "CRealtime", "Files"],
      tests: ["TestKit", "Threads"]),
    module(
      "AmplifierControl", uses: ["ALSASink", "AudioEngine", "GPIO", "Threads"],
      tests: ["CGPIO", "TestKit"]),
  ])

let pictures =
  folder(
    "Pictures", settings: small,
    [
      module(
        "Artwork", uses: ["AudioCodecs", "FileReading", "Files", "Threads"], tests: ["TestKit"]),
      module("PictureExchange", uses: ["CMemfd"], tests: nil),
      module(
        "PictureProgram", uses: ["EventLoop", "PictureExchange", "Threads"],
        tests: ["TestKit", "autoharp-cover"]),
    ])
  + folder(
    "Pictures",
    [
      module(
        "PictureDecoding", uses: ["CPNG", "CTurboJPEG", "PictureExchange"], tests: ["TestKit"])
    ])

let playback = folder(
  "Playback", settings: small,
  [
    module(
      "MusicFiles", uses: ["AudioCodecs", "FileReading", "Files", "Threads"], tests: ["TestKit"]),
    module(
      "LocalPlayer",
      uses: ["AudioCodecs", "AudioEngine", "FileReading", "MusicFiles", "NowPlaying"],
      tests: ["SystemClock", "TestKit", "Threads"]),
    module(
      "PhonePlayer",
      uses: [
        "A2DPStream", "AudioCodecs", "AudioEngine", "Bluez", "EventLoop", "NowPlaying",
        "PhoneLink", "SystemClock", "Threads",
      ],
      tests: [
        "ALSASink", "HeadUnit", "LocalPlayer", "MusicFiles", "Reports", "TestKit",
      ]),
    module(
      "AppStream", uses: ["AudioCodecs", "AudioEngine", "EventLoop", "Threads"],
      tests: ["TestKit"]),
    module(
      "AppPlayer", uses: ["AppStream", "AudioEngine", "EventLoop", "NowPlaying"],
      tests: [
        "ALSASink", "HeadUnit", "LocalPlayer", "MusicFiles", "SystemClock", "TestKit",
      ]),
    module(
      "HeadUnit",
      uses: [
        "Artwork", "AudioCodecs", "AudioEngine", "LocalPlayer", "MusicFiles", "NowPlaying",
        "SystemClock", "Threads",
      ], tests: ["TestKit"]),
  ])

let bluetooth = folder(
  "Bluetooth", settings: small,
  [
    module("BluetoothController"),
    module("A2DPStream", uses: ["CSBC"], tests: ["TestKit"]),
    module("Bluez", uses: ["EventLoop", "NowPlaying", "Reports"], tests: ["TestKit"]),
    module(
      "PhoneLink", uses: ["A2DPStream", "Bluez", "EventLoop", "NowPlaying", "Reports"],
      tests: ["SystemClock", "TestKit"]),
    module(
      "AVRCPTarget", uses: ["BluetoothController", "Bluez", "EventLoop", "NowPlaying", "Reports"],
      tests: ["SystemClock", "TestKit", "autoharp-controller"]),
  ])

let library = folder(
  "Library",
  [
    module("NameKeys", uses: ["CUTF8Proc"], tests: []),
    module("SQLite", uses: ["CSQLite"], tests: ["NameKeys", "TestKit"]),
    module("PlaylistFiles", uses: ["AudioCodecs", "Text"], tests: ["TestKit"]),
    module("LibraryModel", uses: ["NameKeys"], tests: []),
    module(
      "LibraryExchange", uses: ["BusMethods", "EventLoop", "LibraryModel"], tests: ["TestKit"]),
    module(
      "LibraryDatabase",
      uses: ["Files", "LibraryModel", "NameKeys", "PlaylistFiles", "SQLite", "Text"],
      tests: ["TestKit"]),
    module(
      "LibraryScan",
      uses: [
        "AudioCodecs", "FileReading", "Files", "LibraryDatabase", "LibraryModel", "MusicFiles",
        "PlaylistFiles",
        "SQLite", "Text", "Threads",
      ], tests: ["NameKeys", "TestKit"]),
    module(
      "LibraryCovers",
      uses: [
        "Artwork", "EventLoop", "Files", "LibraryDatabase", "PictureExchange", "PictureProgram",
        "SQLite",
      ],
      tests: [
        "CTurboJPEG", "LibraryExchange", "LibraryModel", "LibraryScan", "NameKeys", "TestKit",
        "Threads", "autoharp-cover",
      ]),
    module(
      "LibraryService",
      uses: [
        "EventLoop", "Files", "LibraryCovers", "LibraryDatabase", "LibraryExchange", "LibraryModel",
        "LibraryScan", "NameKeys", "PictureProgram", "SQLite", "Threads",
      ], tests: ["MusicFiles", "TestKit", "autoharp-cover"]),
  ])

let input = folder(
  module(
    "Input",
    uses: [
      "CInput", "EventLoop", "Files", "NowPlaying", "Reports", "SystemClock", "Text", "Threads",
    ], tests: ["TestKit"]))

let control = folder(
  "Control", settings: small,
  [
    module(
      "Control",
      uses: [
        "BusMethods", "EventLoop", "LibraryModel", "NowPlaying", "Reports", "SystemClock", "Text",
      ],
      tests: ["Console", "ConsoleLink", "NowPlayingClient", "TestKit", "Threads"], goldens: true),
    module(
      "Console",
      uses: ["Files", "LibraryModel", "NowPlaying", "Reports", "SystemClock", "Text", "Threads"],
      tests: ["TestKit"],
      goldens: true),
    module(
      "ConsoleLink",
      uses: [
        "Console", "Control", "EventLoop", "Files", "LibraryModel", "NowPlaying", "Reports",
        "SystemClock", "Text", "Threads",
      ], tests: nil),
    // The product for programs that are sources. The tests of `Control` and of `Daemon` test it.
    module(
      "NowPlayingClient",
      uses: ["Control", "EventLoop", "Files", "NowPlaying", "Reports", "SystemClock"],
      tests: nil),
  ])

let unit = folder(
  "Unit", settings: small,
  [
    module(
      "Settings", uses: ["Files", "GPIO", "SystemClock", "Text", "Threads"], tests: ["TestKit"]),
    module("CarLines", uses: ["EventLoop", "GPIO", "NowPlaying"], tests: ["TestKit"]),
    module(
      "UnitState", uses: ["Files", "LibraryModel", "Threads"],
      tests: ["StateStoreWriter", "TestKit"]),
    module(
      "Daemon",
      uses: [
        "AVRCPTarget", "AppPlayer", "AppStream", "Artwork", "AudioCodecs", "AudioEngine", "Bluez",
        "CarLines", "Control",
        "EventLoop", "Files", "GPIO", "HeadUnit", "Input", "LibraryExchange", "LibraryModel",
        "LocalPlayer", "MusicFiles", "NameKeys", "NowPlaying", "PhoneLink", "PhonePlayer",
        "Reports", "Settings", "SystemClock", "Text", "Threads", "UnitState",
      ],
      tests: [
        "BluetoothController", "CInput", "Console", "TestKit", "ToneGenerator", "autoharp-app",
        "autoharp-cover", "autoharp-library",
      ],
      goldens: true),
  ])

// Only autoharp-screen and its preview are linked with Pango, and only autoharp-cover with TurboJPEG and libpng.
let screen = folder(
  "Screen",
  [
    module(
      "ScreenLayout", uses: ["NowPlaying"], tests: ["ScreenPainter", "ScreenSamples", "TestKit"],
      goldens: true),
    module(
      "ScreenPainter", uses: ["CPango", "CQREncode", "ScreenLayout"],
      tests: ["NowPlaying", "ScreenSamples", "TestKit"], goldens: true),
    module("ScreenSamples", uses: ["NowPlaying", "ScreenLayout", "ScreenPainter"], tests: nil),
    module("ScreenOptions", uses: ["ScreenLayout"], tests: nil),
    module("ScreenDisplay", uses: ["ScreenLayout"]),
    module("ScreenInput", uses: ["CLibinput", "EventLoop", "ScreenDisplay", "ScreenLayout"]),
    module(
      "KMSDisplay", uses: ["CDRM", "EventLoop", "Files", "ScreenDisplay", "ScreenLayout"],
      tests: ["TestKit"]),
    module("WindowDisplay", uses: ["EventLoop", "ScreenDisplay", "ScreenLayout"]),
    module(
      "Screen",
      uses: [
        "CClock", "Control", "EventLoop", "Files", "LibraryModel", "NameKeys", "NowPlaying",
        "PictureExchange", "PictureProgram", "Reports", "ScreenDisplay", "ScreenLayout",
        "ScreenPainter", "Settings", "SystemClock", "Text", "Threads",
      ],
      tests: [
        "ScreenSamples", "TestKit", "autoharp", "autoharp-cover", "autoharp-screen",
        "autoharp-screen-preview",
      ]),
  ])

let programs = folder(
  "Programs", settings: small,
  [
    program(
      "autoharp",
      uses: [
        "ALSASink", "AmplifierControl", "AudioCodecs", "AudioEngine", "Console", "ConsoleLink",
        "Daemon", "EventLoop", "FileReading", "Files", "HeadUnit", "Input", "LibraryModel",
        "LocalPlayer",
        "MusicFiles", "NowPlaying", "Reports", "Settings", "SystemClock", "Text", "Threads",
      ], tests: ["TestKit", "autoharp-library"]),
    program(
      "autoharp-screen",
      uses: [
        "Control", "EventLoop", "KMSDisplay", "NowPlaying", "Reports", "Screen", "ScreenDisplay",
        "ScreenInput", "ScreenLayout", "ScreenOptions", "ScreenPainter", "Settings", "SystemClock",
        "Text", "WindowDisplay",
      ], tests: ["ScreenSamples"]),
    // A separate program for developers, which the image does not contain.
    program(
      "autoharp-screen-preview",
      uses: [
        "Files", "NowPlaying", "Screen", "ScreenLayout", "ScreenOptions", "ScreenPainter",
        "ScreenSamples",
      ], tests: []),
    // A program for people who make a source of another program. It uses the library as any app does.
    program(
      "autoharp-app", uses: ["EventLoop", "Files", "NowPlayingClient", "Text", "Threads"],
      tests: ["TestKit"]),
    // A separate program, so that the music plays on if the library fails. Only this program is linked with SQLite.
    program(
      "autoharp-library",
      uses: [
        "EventLoop", "Files", "LibraryDatabase", "LibraryExchange", "LibraryModel", "LibraryScan",
        "LibraryService", "NameKeys", "SQLite", "Settings", "Text", "Threads",
      ],
      tests: ["TestKit"]),
    // A separate program, because it is linked with a GPL library.
    program(
      "autoharp-controller", uses: ["BluetoothController", "CBluetooth"], tests: ["TestKit"]),
    // A separate program, because code that decodes untrusted pictures must run without rights.
    program(
      "autoharp-cover", uses: ["CSeccomp", "PictureDecoding", "PictureExchange"],
      tests: ["TestKit"]),
  ])

let forTests =
  folder(
    module(
      "TestKit",
      uses: [
        "A2DPStream", "AudioCodecs", "AudioEngine", "BluetoothController", "Bluez", "CGPIO",
        "CInput",
        "CSBC", "CSanitizers", "CVorbisFile", "EventLoop", "Reports", "Text", "Threads",
      ], tests: nil)) + [
    // A source for tests with a real bluetoothd. It publishes content that the sources of the product do not publish.
    testProgram(
      "ScriptedSource", in: "Bluetooth",
      uses: ["AVRCPTarget", "Bluez", "EventLoop", "NowPlaying", "Reports", "SystemClock"]),
    // A phone for measurements of the daemon.
    testProgram(
      "StreamingPhone", in: "Benchmarks",
      uses: ["A2DPStream", "Bluez", "EventLoop", "NowPlaying", "SystemClock", "TestKit"]),
    // Saves the state as fast as possible until a test kills it.
    testProgram("StateStoreWriter", in: "Unit", uses: ["LibraryModel", "UnitState"]),
    // The example of docs/sources.md. A test runs it as a source of the daemon.
    .executableTarget(
      name: "ToneGenerator", dependencies: dependencies(["NowPlayingClient"]),
      path: "docs/examples/ToneGenerator", swiftSettings: strict),
  ]

// MARK: - the package

/// The targets with these names, and all targets that they use.
func part(of all: [Target], _ names: [String]) -> [Target] {
  var found: Set<String> = []
  var left = names
  while let name = left.popLast() {
    guard found.insert(name).inserted, let target = all.first(where: { $0.name == name })
    else { continue }
    for case .byNameItem(let used, _) in target.dependencies { left.append(used) }
  }
  return all.filter { found.contains($0.name) }
}

var targets =
  cLibraries + platform + nowPlaying + audio + pictures + playback + bluetooth + library + input
  + control
  + unit + screen + programs + forTests

// `swift test` builds the tests of all targets. With AUTOHARP_ONLY="NAME NAME" the package contains only these targets
// and the targets that they use. Each sanitizer needs a separate build, and this variable limits the build to the
// targets under test.
if let names = Context.environment["AUTOHARP_ONLY"] {
  targets = part(of: targets, names.split(separator: " ").map(String.init))
}

let package = Package(
  name: "autoharp",
  products: [
    "autoharp", "autoharp-screen", "autoharp-screen-preview", "autoharp-controller",
    "autoharp-cover", "autoharp-library", "autoharp-app",
  ]
  .filter { name in targets.contains { $0.name == name } }
  .map { .executable(name: $0, targets: [$0]) }
    + targets.filter { $0.name == "NowPlayingClient" }.map {
      .library(name: $0.name, targets: [$0.name])
    },
  targets: targets,
  swiftLanguageModes: [.v6]
)
