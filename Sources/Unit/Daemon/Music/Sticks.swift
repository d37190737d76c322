internal import Files
internal import UnitState

/// The sticks that are mounted, and those that were mounted at the same mount points before.
///
/// The control thread calls all methods. The kernel's list of mounts and the reports are in memory, so a read does not
/// wait.
struct Sticks {
  private let reports: StickReports
  /// The sticks that are mounted, in the order of their mounts.
  private(set) var mounted: [MountedStick] = []
  /// The newest stick of each mount point, also after the stick was removed: a track that fails because its stick was
  /// removed still has the identity of this stick.
  private(set) var known: [MountedStick] = []

  init(_ reports: StickReports = StickReports()) {
    self.reports = reports
    update()
  }

  /// Reads the mounts and the reports again.
  mutating func update() {
    // The name of a mount point is the name of its report.
    let mounts = MachineReadings.mounts()
    mounted = mounts.compactMap { mount in
      guard let name = mount.point.split(separator: "/").last,
        let identity = reports.identity(of: name)
      else { return nil }
      return MountedStick(identity: identity, point: FileName.bytes(mount.point))
    }
    // A stick without an identity does not get the identity of the stick before it.
    let points = Set(mounts.map { FileName.bytes($0.point) })
    known = mounted + known.filter { !points.contains($0.point) }
  }
}
