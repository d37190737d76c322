/// What the head unit remembers over a power cut.
///
/// Its own values, and none of the modules that they come from and go to: what is on the medium must
/// not change because somebody renamed a case.
public struct UnitState: Hashable, Sendable {
  /// How much repeats.
  public enum Repeat: UInt8, Hashable, Sendable, CaseIterable {
    case off, one, all
  }

  /// In which order things come.
  public enum Shuffle: UInt8, Hashable, Sendable, CaseIterable {
    case off, items, collections
  }

  /// What played; nil for nothing.
  public var file: FilePlace?
  /// Place in it, in milliseconds: 0 or more.
  public var elapsedMilliseconds: Int64 = 0
  /// Whether it was to be heard.
  public var wasPlaying = false
  /// How much repeats.
  public var repeatMode = Repeat.off
  /// In which order things come.
  public var shuffleMode = Shuffle.off
  /// Thousandths, 0 … 1000; nil where nobody ever set it.
  public var volume: Int?
  /// Silent, with the volume kept.
  public var isMuted = false
  /// Addresses of phones, the one that was used last first; at most ``maximumPhones``, each of at
  /// most ``maximumAddressBytes``.
  public var phones: [String] = []
  /// The latest starts of the daemon, oldest first.
  public var starts = StartHistory()

  /// Phones that are remembered.
  public static let maximumPhones = 8
  /// `AA:BB:CC:DD:EE:FF`.
  public static let maximumAddressBytes = 17

  /// A unit that was never switched on.
  public init() {}
}

/// Where a file is: its path, and how much of that is the music folder it was found in. A stick
/// that is mounted elsewhere has the same rest below another folder.
public struct FilePlace: Hashable, Sendable {
  /// Bytes of a path that Linux opens.
  public static let maximumBytes = 4095

  /// As the system knows it: bytes, in any character set.
  public let path: [UInt8]
  /// How many bytes of it are the music folder; 0 where it is in none.
  public let folderBytes: Int

  /// Nil for what no path can be: none, too long, with a zero byte, or a folder longer than it.
  public init?(path: [UInt8], folderBytes: Int) {
    guard (1...Self.maximumBytes).contains(path.count), !path.contains(0),
      (0..<path.count).contains(folderBytes)
    else { return nil }
    self.path = path
    self.folderBytes = folderBytes
  }

  /// A path below the longest of `folders` that it is in. Nil as above.
  public init?(path: [UInt8], in folders: [[UInt8]]) {
    let slash = UInt8(ascii: "/")
    let longest = folders.map(Self.withoutSlashes)
      .filter { folder in
        folder.count + 1 < path.count && path.starts(with: folder) && path[folder.count] == slash
      }
      .map(\.count).max()
    self.init(path: path, folderBytes: longest ?? 0)
  }

  /// The path below its music folder, without a slash in front; the whole path where it has none.
  public var relativePath: [UInt8] {
    folderBytes == 0 ? path : Array(path[folderBytes...].drop { $0 == UInt8(ascii: "/") })
  }

  /// Where to look for it, in this order: where it was, then at the same place below each of
  /// `folders`. None is twice.
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
