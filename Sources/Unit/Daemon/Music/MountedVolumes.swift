/// The volumes with music that are present now. Exists before the parts that read it. The root sets it when something
/// was mounted or unmounted.
final class MountedVolumes {
  private(set) var present = PresentVolumes()

  func set(_ new: PresentVolumes) { present = new }
}
