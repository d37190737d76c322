internal import Foundation

/// A mixer made of a file: `Tests/Audio/PacedPCM/switch.c`, which says what it does. Its element `Master`
/// writes down when it is switched.
///
/// Each instance is a mixer of its own, as ``PacedPCM``'s are cards of their own. The two plug-ins
/// are compiled alike and found through one variable.
public final class SwitchControl {
  /// `Master` was switched, as the plug-in wrote it down.
  public struct Change: Equatable {
    /// When, on the monotonic clock.
    public let nanoseconds: Int64
    /// Whether anything can be heard since.
    public let isOn: Bool
  }

  /// For `snd_mixer_attach`.
  public let name: String
  private let folder: TemporaryFolder

  /// Makes the mixer, which is on; and with the first one the plug-in.
  /// - Throws: what the compiler said.
  public init() throws {
    try Self.plugin.get()
    folder = try TemporaryFolder()
    name = "mutes:FILE='\(folder.path("changes"))',GONE_WHILE='\(folder.path("gone"))'"
  }

  /// Every time that it went on or off; its two channels are one here.
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

  /// How it stands.
  public func isOn() throws -> Bool { try changes().last?.isOn ?? true }

  /// Pulls the mixer out.
  public func unplug() throws { try folder.write("gone", []) }

  /// Puts it in again.
  public func plugIn() throws {
    try FileManager.default.removeItem(atPath: folder.path("gone"))
  }

  // MARK: The plug-in

  /// Why there can be none here; nil where there can.
  public static var obstacle: String? { PacedPCM.obstacle }

  /// The plug-in's and the configuration's folder, for as long as the process lives.
  nonisolated(unsafe) private static var home: TemporaryFolder?

  private static let plugin = Result {
    // It sets the variable to its own configuration, which must not come after.
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
    // One file after the other, into one configuration.
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
