internal import Files

/// The storage volumes that did not answer. They are left out of searches until they are mounted again.
struct SilentVolumes {
  /// The path of each volume, with the number of its mount.
  private var mounts: [String: String] = [:]

  var paths: Set<String> { Set(mounts.keys) }

  /// Adds the volume of a path that did not answer. Returns the path of the volume. The volume is the mount point, or
  /// the music folder if the music folder is below the mount point. Other music folders on the same mount are still
  /// searched.
  mutating func add(_ path: String, folders: [String]) -> String {
    let mount = Self.mount(of: path)
    let folder = folders.filter { MusicVolume.contains($0, path) }.max {
      $0.utf8.count < $1.utf8.count
    }
    let volume = [mount?.point, folder].compactMap { $0 }.max { $0.utf8.count < $1.utf8.count }
    mounts[volume ?? path] = mount?.id ?? ""
    return volume ?? path
  }

  /// Removes the volumes that are no longer mounted, or whose mount has another number now.
  mutating func removeUnmounted() {
    mounts = mounts.filter { Self.mount(of: $0.key)?.id == $0.value }
  }

  private static func mount(of path: String) -> Mount? {
    // Of two mounts at one point, the later mount covers the earlier mount.
    MachineReadings.mounts { MusicVolume.contains($0, path) }.enumerated().max {
      ($0.element.point.utf8.count, $0.offset) < ($1.element.point.utf8.count, $1.offset)
    }?.element
  }
}
