internal import Files
internal import UnitState

/// The mounted sticks. Also, for each mount point without a mount, the stick that was mounted there last.
///
/// The control thread calls all methods. The kernel's list of mounts and the reports are in memory, so reading them
/// does not wait for a medium.
struct Sticks {
  private let reports: StickReports
  /// The sticks that are mounted, in the order of their mounts.
  private(set) var mounted: [MountedStick] = []
  /// The newest stick of each mount point, also after the stick was removed. So the identity of the stick is still
  /// known when a track fails because of the removal.
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
    // A mounted stick without an identity must not get the identity of the stick that was mounted there before.
    let points = Set(mounts.map { FileName.bytes($0.point) })
    known = mounted + known.filter { !points.contains($0.point) }
  }
}
