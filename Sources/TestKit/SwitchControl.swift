internal import EventLoop
internal import Foundation

/// A simulated mixer of ALSA. The plug-in `Tests/Audio/PacedPCM/switch.c` implements and describes the mixer. The
/// plug-in writes each switching of the element `Master` to a file.
///
/// Each instance is a separate mixer, just as each ``PacedPCM`` is a separate card. The plug-ins of both classes are
/// compiled in the same way, and libasound finds both plug-ins through `ALSA_CONFIG_PATH`.
public final class SwitchControl {
  /// One switching of `Master`, as the plug-in recorded it.
  public struct Change: Equatable {
    /// The time of the switching on CLOCK_MONOTONIC, in nanoseconds.
    public let nanoseconds: Int64
    /// True if the sound is on from this time on.
    public let isOn: Bool
  }

  /// The name of the mixer for `snd_mixer_attach`.
  public let name: String
  private let folder: TemporaryFolder

  /// Creates the mixer. `Master` is on at first. The first call compiles the plug-in.
  /// - Throws: the message of the compiler.
  public init() throws {
    try Self.plugin.get()
    folder = try TemporaryFolder()
    name = "mutes:FILE='\(folder.path("changes"))',GONE_WHILE='\(folder.path("gone"))'"
  }

  /// All changes between on and off. `Master` is on while at least one of its two channels is on.
  public func changes() throws -> [Change] {
    guard FileManager.default.fileExists(atPath: folder.path("changes")) else { return [] }
    let records = try folder.read("changes").withUnsafeBytes { bytes in
      let numbers = bytes.bindMemory(to: Int64.self)
      return stride(from: 0, to: numbers.count, by: 2).map {
        Change(nanoseconds: numbers[$0], isOn: numbers[$0 + 1] != 0)
      }
    }
    var changes: [Change] = []
    for record in records where record.isOn != changes.last?.isOn ?? true {
      changes.append(record)
    }
    return changes
  }

  /// True if the sound is on now.
  public func isOn() throws -> Bool { try changes().last?.isOn ?? true }

  /// Switches both channels of `Master`, as another program does.
  public func set(isOn: Bool) throws {
    // The program under test has the file of the changes open. So the record is appended, and the file is not replaced.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("changes")))
    try file.seekToEnd()
    let record = [EventClock.monotonic.now, isOn ? 0b11 : 0]
    try file.write(contentsOf: record.withUnsafeBytes { Data($0) })
    try file.close()
  }

  /// Unplugs the mixer.
  public func unplug() throws { try folder.write("gone", []) }

  /// Plugs the mixer in again.
  public func plugIn() throws {
    try FileManager.default.removeItem(atPath: folder.path("gone"))
  }

  // MARK: The plug-in

  /// The path of an ALSA configuration for programs that tests start, see ``PacedPCM/configurationPath``.
  public static var configurationPath: String { home?.path("asound.conf") ?? "" }

  /// The reason why no mixer can be made on this machine; nil if a mixer can be made.
  public static var obstacle: String? { PacedPCM.obstacle }

  /// The folder of the plug-in and of the configuration. It exists as long as the process.
  nonisolated(unsafe) private static var home: TemporaryFolder?

  private static let plugin = Result {
    // The first `PacedPCM` overwrites `ALSA_CONFIG_PATH`. So this code first creates a `PacedPCM`, and then appends to
    // the variable.
    _ = try PacedPCM(.init())
    let folder = try TemporaryFolder()
    home = folder
    atexit { SwitchControl.home = nil }
    let source = ProjectFile.url("Tests/Audio/PacedPCM/switch.c")
    let library = folder.path("libasound_module_ctl_switch.so")
    try Tools.run(
      "cc",
      [
        "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-DPIC", "-o",
        library, source.path, "-lasound",
      ])
    try folder.write("asound.conf", Array(configuration(library: library).utf8))
    // libasound reads all files in `ALSA_CONFIG_PATH` into one configuration.
    let others = getenv("ALSA_CONFIG_PATH").map { String(cString: $0) } ?? ""
    setenv("ALSA_CONFIG_PATH", "\(others):\(folder.path("asound.conf"))", 1)
  }

  private static func configuration(library: String) -> String {
    """
    ctl_type.switch { lib "\(library)" }
    ctl.mutes {
      @args [ FILE GONE_WHILE ]
      @args.FILE { type string }
      @args.GONE_WHILE { type string default "" }
      type switch
      file $FILE
      gone_while $GONE_WHILE
    }

    """
  }
}
