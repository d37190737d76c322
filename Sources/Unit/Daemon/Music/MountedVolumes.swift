internal import MusicFiles

/// Stores which volumes with music are present. ``MusicFolders`` sets the present volumes after each mount and unmount.
/// The object is created before the parts that read it.
final class MountedVolumes {
  /// Each volume has the name that ``names`` gives to it.
  private(set) var present = PresentVolumes()
  /// Names of volumes that can be told apart.
  let names = VolumeNames()
  /// The identities of the present sticks, in the order in which they came.
  private(set) var sticks: [String] = []

  func set(_ new: PresentVolumes) {
    present = new.named(names)
    let mounted = new.volumes.filter(\.value.isStick)
    sticks.removeAll { mounted[$0] == nil }
    let known = Set(sticks)
    sticks += mounted.filter { !known.contains($0.key) }.sorted { $0.value.path < $1.value.path }
      .map(\.key)
  }
}
