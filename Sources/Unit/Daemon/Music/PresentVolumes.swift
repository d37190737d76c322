internal import Files
internal import LibraryModel
internal import MusicFiles
internal import UnitState

/// The volumes with music that are present, keyed by their identities.
struct PresentVolumes {
  private(set) var volumes: [String: MusicVolume] = [:]

  /// Creates a value without volumes.
  init() {}

  /// - Parameter sticks: the sticks that are mounted.
  init(_ all: [MusicVolume], sticks: [MountedStick]) {
    for volume in all {
      let identity = Self.identity(of: volume, sticks)
      // Two media can have the same identity, if one is a copy of the other. Then only the first medium is added.
      if volumes[identity] == nil { volumes[identity] = volume }
    }
  }

  /// Returns the volumes with names of their own. The folders of the unit get their names first.
  func named(_ names: VolumeNames) -> PresentVolumes {
    var named = self
    let order = volumes.sorted {
      ($0.value.isStick ? 1 : 0, $0.value.path) < ($1.value.isStick ? 1 : 0, $1.value.path)
    }
    for (identity, volume) in order {
      named.volumes[identity]?.name = names.name(
        of: identity, label: volume.name, size: MediumSize.of(volume.source))
    }
    return named
  }

  private static func identity(of volume: MusicVolume, _ sticks: [MountedStick]) -> String {
    guard volume.isStick else { return "\(folderPrefix)\(volume.path)" }
    let path = FileName.bytes(volume.path)
    return sticks.first { $0.point == path }?.identity ?? "device \(volume.source)"
  }

  private static let folderPrefix = "folder "

  /// True if `identity` is the identity of a folder of the unit, and not of a stick.
  static func isFolder(_ identity: String) -> Bool { identity.hasPrefix(folderPrefix) }

  /// Returns the present mount of a volume. The path of the mount is nil if the volume is absent.
  func volume(_ identity: String) -> VolumeMount {
    let volume = volumes[identity]
    return VolumeMount(
      identity: identity, path: volume.map { Self.root($0.path) },
      isMedium: volume?.isStick ?? false)
  }

  /// Returns the volume that contains a folder. Nil if no volume contains it.
  func volume(containing folder: String) -> VolumeMount? {
    volumes.filter { MusicVolume.contains($0.value.path, folder) }
      .max { $0.value.path.utf8.count < $1.value.path.utf8.count }
      .map { volume($0.key) }
  }

  /// Returns the reference of the song with this absolute path. Nil if no volume contains it.
  func song(at path: [UInt8]) -> SongReference? {
    guard path.first == UInt8(ascii: "/"), let slash = path.lastIndex(of: UInt8(ascii: "/")),
      let volume = volume(containing: FileName.text(path[..<slash])), let root = volume.path
    else { return nil }
    return SongReference(
      volume: volume.identity, path: Array(path.dropFirst(FileName.bytes(root).count + 1)))
  }

  /// Returns the path without a slash at its end. The result is empty for the root folder.
  private static func root(_ path: String) -> String { path == "/" ? "" : path }
}
