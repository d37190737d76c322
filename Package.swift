// swift-tools-version: 6.2
//
// Autoharp: two pillars that never import each other. *Meaning* (titles, queues, buttons) and
// *sound* (frames, formats, threads) meet in LocalPlayer, which is a source of both, and in
// HeadUnit, which joins all that plays. Surfaces stand on HeadUnit.
//
//                       autoharp  (play, probe, serve, console, config)
//              ┌────────────┴────────┬──────────────────┐
//           HeadUnit                 │          AmplifierControl
//       ┌──────┼──────────┐          │                  │
//    Artwork   │     LocalPlayer     │   ┌──────────────┘
//       │      │      │   │           ▼   ▼
//       │      ▼      │   │         ALSASink
//       │  NowPlaying ◀   ▼            │
//       │                AudioEngine ◀─┘     threads, ring, sinks; no ALSA, no titles
//       │                     ▼
//       └──────────────▶ AudioCodecs         bytes to frames; no files, threads, devices
//
//   NowPlaying: all meaning (sessions, commands, who is shown); imports nothing.
//   Artwork:    covers: found, checked, cached.
//   Settings:   the configuration, every key as data.
//   StateStore: bytes that outlive a power cut; UnitState: what the head unit keeps in them.
//   EventLoop:  descriptors, times, signals, D-Bus on one thread; the service manager.
//   Reports:    what the head unit tells about itself, as values; on NowPlaying.
//   Control:    the control socket, both ends; on EventLoop, NowPlaying and Reports.
//   AVRCPTarget: phones, over BlueZ: the player, pairing, reconnecting; on EventLoop and NowPlaying.
//   BluetoothRadio: what controllers say of themselves and of their links; on EventLoop.
//   autoharp-radio ── RadioTimes: when presses come off the radio; a process with one capability.
//   Input:      every key device of the machine, and what its keys ask for; on EventLoop, NowPlaying.
//   Daemon ── HeadUnit, AVRCPTarget, Input, Control, StateStore, Settings, EventLoop: the unit in a car.
//   Console:    line editor, grammar and replies of the console; on NowPlaying and Reports.
//   ConsoleLink: the console's way to the daemon: Console on one side, Control on the other.
//   Terminal:   text for people on terminals.   JSON: text for programs.
//   Spelling:   which known word an unknown one is near to.
//   SystemClock: the machine's clock as NowPlaying's moments; who hands moments in reads it here.
//   Threads:    a thread, and waking it: for every module that has one.
//   GPIO:       a line of the board, by name or number; for AmplifierControl, Settings and Screen.
//   Files:      paths, folders, and a file as a source of bytes: for every module that reads some.
//   CFLAC, CVorbisFile ── AudioCodecs      CSoxr ── AudioEngine      CALSA ── ALSASink
//   CGPIO ── GPIO      CSystemd ── EventLoop      CInput ── Input
//   CRealtime: the few libc calls that are allowed below the real-time line, each with its why.
//   TestKit:   the twins without hardware (capturing sink, scripted decoder, made music).
//
//   autoharp-screen ── ScreenSamples ── ScreenPainter ── ScreenLayout ── NowPlaying
//          │                            CPango, CTurboJPEG: only there, never in autoharp.
//       Screen ── Control, Settings, ScreenPainter, ScreenDisplay: what fingers mean, and the daemon's
//                 state to pictures; ScreenDisplay: the seam to whatever shows them.
//
// The build keeps the arrows: `make` passes `--explicit-target-dependency-import-check error`.

import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
]

// Swift's own arguments for a static runtime export every symbol, as if plug-ins were loaded: the names
// alone are half a megabyte that is read at each start.
let lean: [LinkerSetting] = [
  .unsafeFlags(["-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
]

let package = Package(
  name: "autoharp",
  products: [
    .executable(name: "autoharp", targets: ["autoharp"]),
    .executable(name: "autoharp-screen", targets: ["autoharp-screen"]),
    .executable(name: "autoharp-radio", targets: ["autoharp-radio"]),
  ],
  targets: [
    // libFLAC: the reference decoder, native and Ogg FLAC, 4 to 32 bits.
    .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    // libvorbisfile: the reference decoder; trims and seeks by granule position, sample-exact.
    .systemLibrary(
      name: "CVorbisFile", pkgConfig: "vorbisfile", providers: [.apt(["libvorbis-dev"])]),
    // libsoxr: the resampler with the best measured pass band at its cost, and streaming.
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    // libasound: the kernel's own sound interface; anything above it adds a buffer.
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    // libsystemd: the event loop, D-Bus and the service manager's protocol, maintained as one.
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    // Pango and Cairo: shaping and line breaking for every script, and an image backend without a
    // display. Only the screen has them.
    .systemLibrary(
      name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    // TurboJPEG: libjpeg-turbo decodes at an eighth of the size, and says errors by returning.
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    // libdrm: the kernel's own way to a display.
    .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
    // libinput: what a finger, a pen or a pad means, for hundreds of devices.
    .systemLibrary(
      name: "CLibinput", pkgConfig: "libinput", providers: [.apt(["libinput-dev", "libudev-dev"])]),
    // libbluetooth: names of makers and versions, and the kernel's sockets to controllers.
    .systemLibrary(
      name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CGPIO"),
    .systemLibrary(name: "CInput"),
    .systemLibrary(name: "CClock"),
    .systemLibrary(name: "CRealtime"),
    .systemLibrary(name: "CSanitizers"),

    // Depends on nothing, and may not: a test looks for imports.
    .target(name: "NowPlaying", swiftSettings: strict),
    // Depends on nothing but that: a scene is a value.
    .target(name: "ScreenLayout", dependencies: ["NowPlaying"], swiftSettings: strict),
    .target(name: "Threads", dependencies: ["CRealtime"], swiftSettings: strict),
    .target(name: "EventLoop", dependencies: ["CSystemd", "Threads"], swiftSettings: strict),
    // Depends on nothing either: it outlives all that it is made from.
    .target(name: "UnitState", swiftSettings: strict),
    .target(name: "Spelling", swiftSettings: strict),
    .target(name: "Terminal", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "AudioCodecs", dependencies: ["CFLAC", "CVorbisFile"], swiftSettings: strict),
    .target(name: "Files", dependencies: ["AudioCodecs", "Threads"], swiftSettings: strict),
    .target(name: "GPIO", dependencies: ["CGPIO", "Files", "Threads"], swiftSettings: strict),
    .target(
      name: "Settings", dependencies: ["Files", "GPIO", "Spelling", "Threads"],
      swiftSettings: strict),
    .target(name: "StateStore", dependencies: ["Files", "Threads"], swiftSettings: strict),
    .target(
      name: "Artwork", dependencies: ["AudioCodecs", "Files", "Threads"], swiftSettings: strict),
    .target(
      name: "AudioEngine", dependencies: ["AudioCodecs", "CRealtime", "CSoxr", "Threads"],
      swiftSettings: strict),
    .target(
      name: "ALSASink", dependencies: ["AudioCodecs", "AudioEngine", "CALSA", "CRealtime"],
      swiftSettings: strict),
    .target(
      name: "AmplifierControl", dependencies: ["ALSASink", "AudioEngine", "GPIO", "Threads"],
      swiftSettings: strict),
    .target(
      name: "LocalPlayer",
      dependencies: ["AudioCodecs", "AudioEngine", "Files", "NowPlaying", "Threads"],
      swiftSettings: strict),
    .target(
      name: "HeadUnit",
      dependencies: [
        "SystemClock",
        "Artwork", "AudioCodecs", "AudioEngine", "LocalPlayer", "NowPlaying", "Threads",
      ],
      swiftSettings: strict),
    .target(name: "SystemClock", dependencies: ["NowPlaying"], swiftSettings: strict),
    .target(
      name: "Input",
      dependencies: [
        "SystemClock", "CInput", "EventLoop", "Files", "NowPlaying", "Reports", "Spelling",
        "Threads",
      ],
      swiftSettings: strict),
    .target(name: "Reports", dependencies: ["NowPlaying"], swiftSettings: strict),
    .target(
      name: "Control", dependencies: ["SystemClock", "EventLoop", "NowPlaying", "Reports"],
      swiftSettings: strict),
    .target(
      name: "Console",
      dependencies: ["JSON", "NowPlaying", "Reports", "Spelling", "Terminal", "Threads"],
      swiftSettings: strict),
    .target(
      name: "ConsoleLink",
      dependencies: [
        "SystemClock", "Console", "Control", "EventLoop", "NowPlaying", "Reports", "Threads",
      ], swiftSettings: strict),
    // Depends on nothing: frames in, yes or no out.
    .target(name: "RadioTimes", swiftSettings: strict),
    .executableTarget(
      name: "autoharp-radio", dependencies: ["CBluetooth", "RadioTimes"], swiftSettings: strict,
      linkerSettings: lean),
    .testTarget(name: "RadioTimesTests", dependencies: ["RadioTimes"], swiftSettings: strict),
    .target(
      name: "BluetoothRadio", dependencies: ["CBluetooth", "EventLoop"], swiftSettings: strict),
    .target(
      name: "AVRCPTarget", dependencies: ["BluetoothRadio", "EventLoop", "NowPlaying", "Reports"],
      swiftSettings: strict),
    .target(
      name: "Daemon",
      dependencies: [
        "AVRCPTarget", "SystemClock",
        "Artwork", "AudioCodecs", "AudioEngine", "Control", "EventLoop", "Files", "HeadUnit",
        "Input",
        "LocalPlayer", "NowPlaying", "Reports", "Settings", "StateStore", "Terminal", "Threads",
        "UnitState",
      ],
      swiftSettings: strict),
    .target(
      name: "TestKit",
      dependencies: [
        "AudioCodecs", "AudioEngine", "BluetoothRadio", "CInput", "CSanitizers", "CVorbisFile",
        "EventLoop", "Terminal", "Threads",
      ],
      swiftSettings: strict),
    .target(
      name: "ScreenPainter", dependencies: ["CPango", "CTurboJPEG", "ScreenLayout"],
      swiftSettings: strict),
    .target(
      name: "KMSDisplay",
      dependencies: ["CDRM", "EventLoop", "Files", "ScreenDisplay", "ScreenLayout"],
      swiftSettings: strict),
    .target(
      name: "ScreenInput",
      dependencies: ["CLibinput", "EventLoop", "ScreenDisplay", "ScreenLayout"],
      swiftSettings: strict),
    .target(
      name: "WindowDisplay", dependencies: ["EventLoop", "ScreenDisplay", "ScreenLayout"],
      swiftSettings: strict),
    .target(
      name: "ScreenSamples", dependencies: ["NowPlaying", "ScreenLayout", "ScreenPainter"],
      swiftSettings: strict),
    // Where pictures go and fingers come from: the seam between screen and hardware.
    .target(name: "ScreenDisplay", dependencies: ["ScreenLayout"], swiftSettings: strict),
    .target(
      name: "Screen",
      dependencies: [
        "CClock", "Control", "EventLoop", "Files", "GPIO", "JSON", "NowPlaying", "Reports",
        "ScreenDisplay", "ScreenLayout", "ScreenPainter", "Settings", "SystemClock", "Threads",
      ], swiftSettings: strict),
    .executableTarget(
      name: "autoharp-screen",
      dependencies: [
        "Control", "EventLoop", "Files", "KMSDisplay", "NowPlaying", "Reports", "Screen",
        "ScreenDisplay",
        "ScreenInput",
        "ScreenLayout", "ScreenPainter", "ScreenSamples", "Settings", "SystemClock",
        "WindowDisplay",
      ], swiftSettings: strict, linkerSettings: lean),
    .executableTarget(
      name: "autoharp",
      dependencies: [
        "SystemClock",
        "ALSASink", "AmplifierControl", "AudioCodecs", "AudioEngine", "Console", "ConsoleLink",
        "Daemon", "EventLoop", "Files", "HeadUnit", "Input", "JSON", "LocalPlayer", "NowPlaying",
        "Settings",
        "Spelling", "Terminal",
        "Threads",
      ],
      swiftSettings: strict, linkerSettings: lean),

    .testTarget(name: "NowPlayingTests", dependencies: ["NowPlaying"], swiftSettings: strict),
    .testTarget(
      name: "ScreenLayoutTests",
      dependencies: ["NowPlaying", "ScreenLayout", "ScreenPainter", "ScreenSamples"],
      exclude: ["Goldens"], swiftSettings: strict),
    .testTarget(
      name: "ScreenPainterTests",
      dependencies: [
        "CPango", "CTurboJPEG", "NowPlaying", "ScreenLayout", "ScreenPainter", "ScreenSamples",
      ], exclude: ["Goldens"], swiftSettings: strict),
    .testTarget(
      name: "ScreenTests",
      dependencies: [
        "Control", "EventLoop", "GPIO", "JSON", "NowPlaying", "Reports", "Screen",
        "ScreenDisplay", "ScreenLayout", "ScreenPainter", "ScreenSamples", "Settings", "TestKit",
        "autoharp",
        "autoharp-screen",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScreenDisplayTests", dependencies: ["ScreenDisplay", "ScreenLayout"],
      swiftSettings: strict),
    .testTarget(
      name: "KMSDisplayTests",
      dependencies: ["EventLoop", "KMSDisplay", "ScreenDisplay", "ScreenLayout"],
      swiftSettings: strict),
    .testTarget(
      name: "WindowDisplayTests", dependencies: ["WindowDisplay"], swiftSettings: strict),
    .testTarget(
      name: "ScreenInputTests", dependencies: ["ScreenDisplay", "ScreenInput", "ScreenLayout"],
      swiftSettings: strict),
    .testTarget(
      name: "autoharp-screenTests", dependencies: ["autoharp-screen", "ScreenLayout"],
      swiftSettings: strict),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(
      name: "ConsoleTests",
      dependencies: [
        "Console", "JSON", "NowPlaying", "Reports", "Terminal", "TestKit", "Threads",
      ],
      exclude: ["Goldens"],
      swiftSettings: strict),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "SystemClock", "Console", "ConsoleLink", "Control", "EventLoop", "NowPlaying", "Reports",
        "TestKit",
        "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "InputTests",
      dependencies: [
        "SystemClock", "CInput", "EventLoop", "Input", "NowPlaying", "TestKit", "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BluetoothRadioTests", dependencies: ["BluetoothRadio", "EventLoop", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "AVRCPTargetTests",
      dependencies: [
        "AVRCPTarget", "BluetoothRadio", "EventLoop", "NowPlaying", "Reports", "SystemClock",
        "TestKit",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "GPIOTests", dependencies: ["CGPIO", "GPIO", "TestKit"], swiftSettings: strict),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict),
    .testTarget(name: "SpellingTests", dependencies: ["Spelling"], swiftSettings: strict),
    .testTarget(name: "UnitStateTests", dependencies: ["UnitState"], swiftSettings: strict),
    // Beside a real bluetoothd: what the bench needs for what no source of the product has.
    .executableTarget(
      name: "ScriptedSource",
      dependencies: ["AVRCPTarget", "EventLoop", "NowPlaying", "SystemClock"],
      path: "Tests/ScriptedSource", swiftSettings: strict),
    // Saves as fast as it can until it is killed: what StateStoreTests needs a process for.
    .executableTarget(
      name: "StateStoreWriter", dependencies: ["StateStore"], path: "Tests/StateStoreWriter",
      swiftSettings: strict),
    .testTarget(
      name: "StateStoreTests", dependencies: ["StateStore", "StateStoreWriter", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "EventLoopTests", dependencies: ["EventLoop", "TestKit", "Threads"],
      swiftSettings: strict),
    .testTarget(
      name: "SettingsTests", dependencies: ["Settings", "TestKit"], swiftSettings: strict),
    .testTarget(
      name: "FilesTests", dependencies: ["AudioCodecs", "Files", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "ArtworkTests", dependencies: ["Artwork", "Files", "TestKit", "Threads"],
      swiftSettings: strict),
    .testTarget(
      name: "AudioCodecsTests", dependencies: ["AudioCodecs", "TestKit"], swiftSettings: strict),
    .testTarget(
      name: "AudioEngineTests", dependencies: ["AudioCodecs", "AudioEngine", "TestKit", "Threads"],
      swiftSettings: strict),
    .testTarget(
      name: "ALSASinkTests",
      dependencies: ["ALSASink", "AudioCodecs", "AudioEngine", "TestKit", "Threads"],
      swiftSettings: strict),
    .testTarget(
      name: "AmplifierControlTests",
      dependencies: ["ALSASink", "AmplifierControl", "AudioEngine", "CGPIO", "GPIO", "TestKit"],
      swiftSettings: strict),
    .testTarget(
      name: "LocalPlayerTests",
      dependencies: [
        "AudioCodecs", "AudioEngine", "LocalPlayer", "NowPlaying", "TestKit", "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HeadUnitTests",
      dependencies: [
        "SystemClock", "Artwork", "AudioCodecs", "AudioEngine", "HeadUnit", "LocalPlayer",
        "NowPlaying", "TestKit",
        "Threads",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "AVRCPTarget", "BluetoothRadio", "CInput", "Console", "Control", "Daemon", "EventLoop",
        "HeadUnit", "Input",
        "NowPlaying",
        "Reports", "Settings", "SystemClock", "TestKit",
      ],
      exclude: ["Goldens"], swiftSettings: strict),
    .testTarget(
      name: "autoharpTests",
      dependencies: [
        "autoharp", "AmplifierControl", "AudioCodecs", "AudioEngine", "Console", "LocalPlayer",
        "NowPlaying", "Terminal", "TestKit",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
