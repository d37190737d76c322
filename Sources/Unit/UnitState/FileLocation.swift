public import LibraryModel

/// A mounted stick.
public struct MountedStick: Hashable, Sendable {
  /// The identity of the stick. It depends neither on the port nor on the device name of the kernel.
  public let identity: String
  /// The mount point, without a slash at the end.
  public let point: [UInt8]

  public init(identity: String, point: [UInt8]) {
    self.identity = identity
    self.point = point
  }

  /// True if the path is below the mount point.
  public func contains(_ path: [UInt8]) -> Bool {
    path.count > point.count + 1 && path.starts(with: point)
      && path[point.count] == UInt8(ascii: "/")
  }
}

/// The location of a file: its path, its music folder and its stick. If the stick is mounted at another folder later,
/// the file has the same path below that folder.
public struct FileLocation: Hashable, Sendable {
  /// Maximum length in bytes of a path that Linux opens, without NUL.
  public static let maximumBytes = 4095
  /// Maximum number of bytes of the identity of a stick.
  public static let maximumIdentityBytes = 80

  /// The stick of a file.
  public struct Stick: Hashable, Sendable {
    /// The identity of the stick. It depends neither on the port nor on the device name of the kernel.
    public let identity: String
    /// Length of the mount point in bytes. The path begins with the mount point. The following slash is not counted.
    public let pointBytes: Int
  }

  /// The path as the system returns it: bytes in any character set.
  public let path: [UInt8]
  /// Length of the music folder in bytes. The path begins with this folder. 0 if the file is not in a music folder.
  public let folderBytes: Int
  /// The stick that contains the file. Nil if the file is not on a stick, or if the identity of the stick is not known.
  public let stick: Stick?

  /// Creates a location. Returns nil if the path is empty, too long, contains a NUL, or is not longer than its music
  /// folder. An invalid stick is ignored.
  public init?(path: [UInt8], folderBytes: Int, stick: (identity: String, pointBytes: Int)? = nil) {
    guard (1...Self.maximumBytes).contains(path.count), !path.contains(0),
      (0..<path.count).contains(folderBytes)
    else { return nil }
    self.path = path
    self.folderBytes = folderBytes
    self.stick = stick.flatMap { stick in
      guard (1...Self.maximumIdentityBytes).contains(stick.identity.utf8.count),
        stick.pointBytes >= 1, stick.pointBytes < path.count - 1,
        path[stick.pointBytes] == UInt8(ascii: "/")
      else { return nil }
      return Stick(identity: stick.identity, pointBytes: stick.pointBytes)
    }
  }

  /// Creates the location from a path. The music folder is the longest of `folders` that contains the path. Returns nil
  /// if the path is invalid.
  /// - Parameter sticks: all mounted sticks. The first stick that contains the path is used.
  public init?(path: [UInt8], in folders: [[UInt8]], on sticks: [MountedStick] = []) {
    let slash = UInt8(ascii: "/")
    let longest = folders.map(Self.withoutSlashes)
      .filter { folder in
        folder.count + 1 < path.count && path.starts(with: folder) && path[folder.count] == slash
      }
      .map(\.count).max()
    let stick = sticks.first { $0.contains(path) }
    self.init(
      path: path, folderBytes: longest ?? 0, stick: stick.map { ($0.identity, $0.point.count) })
  }

  /// The reference to the song on its stick. Nil if the stick is not known.
  public var reference: SongReference? {
    stick.map {
      SongReference(volume: $0.identity, path: Array(path.dropFirst($0.pointBytes &+ 1)))
    }
  }

  /// The path below the music folder, without a leading slash. The whole path if the file is not in a music folder.
  public var relativePath: [UInt8] {
    folderBytes == 0 ? path : Array(path[folderBytes...].drop { $0 == UInt8(ascii: "/") })
  }

  /// The possible paths of the file, without duplicates, in the order in which the caller tries them. First come the
  /// paths on the stick of the file. There can be several such paths, because a copy of a stick has the same identity.
  /// Then comes ``path``. The last paths are ``relativePath`` below each of `folders`. Paths on other sticks are left
  /// out.
  public func candidates(in folders: [[UInt8]], on sticks: [MountedStick] = []) -> [[UInt8]] {
    var result: [[UInt8]] = []
    func add(_ candidate: [UInt8]) {
      if candidate.count <= Self.maximumBytes, !result.contains(candidate) {
        result.append(candidate)
      }
    }
    if let stick {
      let same = sticks.filter { $0.identity == stick.identity }
      for mounted in same where mounted.contains(path) { add(path) }
      for mounted in same { add(mounted.point + path[stick.pointBytes...]) }
    }
    func isElsewhere(_ candidate: [UInt8]) -> Bool {
      guard let stick, let mounted = sticks.first(where: { $0.contains(candidate) }) else {
        return false
      }
      return mounted.identity != stick.identity
    }
    if !isElsewhere(path) { add(path) }
    guard folderBytes > 0 else { return result }
    for folder in folders {
      let candidate = Self.withoutSlashes(folder) + [UInt8(ascii: "/")] + relativePath
      if !isElsewhere(candidate) { add(candidate) }
    }
    return result
  }

  private static func withoutSlashes(_ folder: [UInt8]) -> [UInt8] {
    var folder = folder
    while folder.last == UInt8(ascii: "/") { folder.removeLast() }
    return folder
  }
}
