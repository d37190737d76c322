/// Stores which volumes with music are present. ``UnitDaemon`` sets the present volumes after each mount and unmount.
/// The object is created before the parts that read it.
final class MountedVolumes {
  private(set) var present = PresentVolumes()

  func set(_ new: PresentVolumes) { present = new }
}
