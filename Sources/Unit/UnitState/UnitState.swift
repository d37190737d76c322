/// The data that the head unit saves for its next start.
///
/// This type does not use the types of other modules, because the bytes on the medium must not
/// change if a case is renamed in those modules.
public struct UnitState: Hashable, Sendable {
  /// The part of the queue that repeats.
  public enum Repeat: UInt8, Hashable, Sendable, CaseIterable {
    case off, one, all
  }

  /// The order of playback.
  public enum Shuffle: UInt8, Hashable, Sendable, CaseIterable {
    case off, items, collections
  }

  /// The file that was playing. Nil if there was none.
  public var file: FilePlace?
  /// Position in the file in milliseconds; 0 or more.
  public var elapsedMilliseconds: Int64 = 0
  /// True if playback was intended, even if a call interrupted playback.
  public var wasPlaying = false
  /// The part of the queue that repeats.
  public var repeatMode = Repeat.off
  /// The order of playback.
  public var shuffleMode = Shuffle.off
  /// The volume in thousandths, 0 … 1000. Nil if it was never set.
  public var volume: Int?
  /// True if the sound is muted. The volume is saved separately.
  public var isMuted = false
  /// Addresses of phones, the last used phone first; at most ``maximumPhones``, each of at most
  /// ``maximumAddressBytes``.
  public var phones: [String] = []
  /// Addresses of the devices that have pressed a key, the latest first; at most
  /// ``maximumControllers``, each of at most ``maximumAddressBytes``.
  public var controllers: [String] = []
  /// The latest starts of the daemon, oldest first.
  public var starts = StartHistory()

  /// Maximum number of phones.
  public static let maximumPhones = 8
  /// Maximum number of controllers.
  public static let maximumControllers = 16
  /// Maximum bytes of an address. This is the length of `AA:BB:CC:DD:EE:FF`.
  public static let maximumAddressBytes = 17

  /// The state of a unit that was never switched on.
  public init() {}
}

/// The place of a file: its path, and the length of the part that is the music folder. If the stick
/// is mounted at another folder later, the file has the same path below that folder.
public struct FilePlace: Hashable, Sendable {
  /// Maximum bytes of a path that Linux opens.
  public static let maximumBytes = 4095

  /// The path as the system returns it: bytes in any character set.
  public let path: [UInt8]
  /// Number of bytes of the music folder at the beginning of the path. 0 if the file is in no music
  /// folder.
  public let folderBytes: Int

  /// Nil for an invalid path. A path is invalid if it is empty, too long, contains a zero byte, or
  /// is not longer than its folder.
  public init?(path: [UInt8], folderBytes: Int) {
    guard (1...Self.maximumBytes).contains(path.count), !path.contains(0),
      (0..<path.count).contains(folderBytes)
    else { return nil }
    self.path = path
    self.folderBytes = folderBytes
  }

  /// Creates the place from a path. Its music folder is the longest of `folders` that contains the
  /// path. Nil for an invalid path.
  public init?(path: [UInt8], in folders: [[UInt8]]) {
    let slash = UInt8(ascii: "/")
    let longest = folders.map(Self.withoutSlashes)
      .filter { folder in
        folder.count + 1 < path.count && path.starts(with: folder) && path[folder.count] == slash
      }
      .map(\.count).max()
    self.init(path: path, folderBytes: longest ?? 0)
  }

  /// The path below the music folder, without a leading slash. If the file is in no music folder,
  /// the whole path.
  public var relativePath: [UInt8] {
    folderBytes == 0 ? path : Array(path[folderBytes...].drop { $0 == UInt8(ascii: "/") })
  }

  /// The possible paths of the file, without duplicates, in the order in which to try them. The
  /// first path is ``path``. The other paths are the same relative path below each of `folders`.
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
