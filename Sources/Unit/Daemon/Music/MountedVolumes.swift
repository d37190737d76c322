/// Stores which volumes with music are present. ``UnitDaemon`` sets the present volumes after each mount and unmount.
/// The object is created before the parts that read it.
final class MountedVolumes {
  /// Each volume has the name that ``names`` gives to it.
  private(set) var present = PresentVolumes()
  let names = VolumeNames()

  func set(_ new: PresentVolumes) { present = new.named(names) }
}
