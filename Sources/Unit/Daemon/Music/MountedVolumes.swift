/// The volumes with music that are present now. Exists before the parts that read it. Only the daemon's watcher of mounts
/// changes it.
final class MountedVolumes {
  private(set) var present = PresentVolumes()

  func set(_ new: PresentVolumes) { present = new }
}
