internal import Files
internal import Glibc

/// Readings of the kernel and the file systems. The values of the kernel are read when they are first used, and only
/// once. For example, a diagnosis does not show the parameters of a PCM, so it does not read them. The values of
/// folders and file systems are read before the snapshot is created, because a medium can fail to answer.
final class MachineSnapshot {
  /// The state of a music folder. A silent folder does not answer. The unit may not open an unreadable folder, or it
  /// fails to.
  enum FolderState { case present, missing, silent, unreadable }

  /// Creates a snapshot without folders and file systems.
  init() {
    folders = []
    fileSystems = []
  }

  /// - Parameter readings: the readings of ``StoragePaths/all``. A path without an answer is missing in `readings`.
  init(_ paths: StoragePaths, _ readings: StorageReader.Readings) {
    folders = paths.musicFolders.map { path in
      guard let reading = readings[path] else { return (path, .silent) }
      guard reading.isPresent else { return (path, .missing) }
      return (path, reading.isReadable ? .present : .unreadable)
    }
    picture = paths.picture.flatMap { path in
      // A cover without a path is not in the cache, so it counts as unreadable.
      guard path.hasPrefix("/") else { return (path, false) }
      return readings[path].map { (path, $0.isReadable) }
    }
    isStateReadable = readings[paths.stateFolder]?.isReadable ?? true
    stateSpace = readings[paths.stateFolder]?.space
    fileSystems = paths.mounts.map {
      .init(point: $0.point, kind: $0.kind, space: readings[$0.point]?.space)
    }
  }

  /// Resident memory of this process in KiB; nil if the kernel does not report it.
  lazy var memory: UInt64? = MachineReadings.status("VmRSS")
    .flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }
  lazy var clock = MachineReadings.wallClock
  lazy var kernel = MachineReadings.kernel
  lazy var system = MachineReadings.operatingSystem
  /// The texts of the devices. They were read before the kernel's readings are first used. Nil if they are not needed.
  var deviceTexts: DeviceTexts?
  /// What the kernel reports about memory, load and devices.
  lazy var kernelReadings = KernelReadings(
    root: KernelReadings.standardRoot, mounts: MachineReadings.mounts(), deviceTexts)
  /// The systemd units of the image.
  var services = ServiceReadings.noImage
  /// True if this machine runs the image. On a desktop, many things belong to other people and other programs.
  var runsImage: Bool { services != .noImage }
  lazy var image = ImageVersions.standard
  /// True if the service manager started this process.
  lazy var isService = getenv("NOTIFY_SOCKET") != nil
  /// The kernel's parameters of each open PCM.
  lazy var pcmParameters = MachineReadings.pcmParameters
  /// The configured music folders.
  var folders: [(path: String, state: FolderState)]
  /// The file of the cover that surfaces got. Nil if they got no cover, or if the file system does not answer.
  var picture: (path: String, isReadable: Bool)?
  /// False if the folder of the saved state cannot be opened.
  var isStateReadable = true
  /// The space on the file system of the saved state. Nil if this file system does not answer.
  var stateSpace: FileSystemSpace?
  /// The file systems of the root, of the state and of the music.
  var fileSystems: [MachineReadings.FileSystem]
}

/// The paths whose presence and free space a snapshot contains.
struct StoragePaths {
  var stateFolder: String
  var musicFolders: [String]
  /// The file of the cover that surfaces got. Nil if they got no cover.
  var picture: String?
  /// The file systems of the root, of the state and of the music.
  var mounts: [Mount]

  init(stateFolder: String, musicFolders: [String], picture: String? = nil) {
    self.stateFolder = stateFolder
    self.picture = picture
    self.musicFolders = musicFolders
    let folders = [stateFolder] + musicFolders
    mounts = MachineReadings.mounts { point in
      point == "/" || folders.contains { $0 == point || point.hasPrefix("\($0)/") }
    }
  }

  var all: [String] {
    [stateFolder] + musicFolders + mounts.map(\.point)
      + [picture].compactMap { $0 }.filter { $0.hasPrefix("/") }
  }
}
