/// What the head unit saves for the time after a power cut.
///
/// It uses its own types, not those of the modules from which the values come: the bytes on the
/// medium must not change because a case is renamed in the code.
public struct UnitState: Hashable, Sendable {
  /// What repeats.
  public enum Repeat: UInt8, Hashable, Sendable, CaseIterable {
    case off, one, all
  }

  /// The order of playback.
  public enum Shuffle: UInt8, Hashable, Sendable, CaseIterable {
    case off, items, collections
  }

  /// The file that played; nil for none.
  public var file: FilePlace?
  /// Position in the file in milliseconds; 0 or more.
  public var elapsedMilliseconds: Int64 = 0
  /// True if playback was intended, also if a call held it.
  public var wasPlaying = false
  /// What repeats.
  public var repeatMode = Repeat.off
  /// The order of playback.
  public var shuffleMode = Shuffle.off
  /// Thousandths, 0 … 1000; nil if it was never set.
  public var volume: Int?
  /// True if muted; the volume is kept.
  public var isMuted = false
  /// Addresses of phones, the last used one first; at most ``maximumPhones``, each of at most
  /// ``maximumAddressBytes``.
  public var phones: [String] = []
  /// The latest starts of the daemon, oldest first.
  public var starts = StartHistory()

  /// Maximum number of phones.
  public static let maximumPhones = 8
  /// The length of `AA:BB:CC:DD:EE:FF`.
  public static let maximumAddressBytes = 17

  /// The state of a unit that was never switched on.
  public init() {}
}

/// The place of a file: its path, and how much of the path is its music folder. If a stick is
/// mounted elsewhere, the rest of the path is the same below another folder.
public struct FilePlace: Hashable, Sendable {
  /// Maximum bytes of a path that Linux opens.
  public static let maximumBytes = 4095

  /// The path as the system knows it: bytes in any character set.
  public let path: [UInt8]
  /// Number of bytes of the music folder at its beginning; 0 if it is in none.
  public let folderBytes: Int

  /// Nil for an invalid path: empty, too long, with a zero byte, or not longer than its folder.
  public init?(path: [UInt8], folderBytes: Int) {
    guard (1...Self.maximumBytes).contains(path.count), !path.contains(0),
      (0..<path.count).contains(folderBytes)
    else { return nil }
    self.path = path
    self.folderBytes = folderBytes
  }

  /// Finds the longest of `folders` that contains the path. Nil for an invalid path, as above.
  public init?(path: [UInt8], in folders: [[UInt8]]) {
    let slash = UInt8(ascii: "/")
    let longest = folders.map(Self.withoutSlashes)
      .filter { folder in
        folder.count + 1 < path.count && path.starts(with: folder) && path[folder.count] == slash
      }
      .map(\.count).max()
    self.init(path: path, folderBytes: longest ?? 0)
  }

  /// The path below its music folder, without a slash in front. The whole path if it has no folder.
  public var relativePath: [UInt8] {
    folderBytes == 0 ? path : Array(path[folderBytes...].drop { $0 == UInt8(ascii: "/") })
  }

  /// The paths at which the file may be, in the order to try: its own path, then the same place
  /// below each of `folders`. Without duplicates.
  public func candidates(in folders: [[UInt8]]) -> [[UInt8]] {
    var result = [path]
    guard folderBytes > 0 else { return result }
    for folder in folders {
      let candidate = Self.withoutSlashes(folder) + [UInt8(ascii: "/")] + relativePath
      if candidate.count <= Self.maximumBytes, !result.contains(candidate) {
        result.append(candidate)
      }
    }
    return result
  }

  private static func withoutSlashes(_ folder: [UInt8]) -> [UInt8] {
    var folder = folder
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    return folder
  }
}
