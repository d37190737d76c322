internal import Files
internal import Glibc

/// Readings of the kernel and the file systems. Each value is read when it is first used, and only
/// once. Values that are not used are not read: for example, `status` does not read the free space,
/// and a diagnosis does not read the parameters of a PCM.
final class MachineSnapshot {
  private let stateFolder: String
  private let musicFolders: [String]

  init(stateFolder: String, musicFolders: [String]) {
    self.stateFolder = stateFolder
    self.musicFolders = musicFolders
  }

  /// Resident memory of this process in KiB; nil if the kernel does not report it.
  lazy var memory: UInt64? = MachineReadings.status("VmRSS")
    .flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }
  lazy var clock = MachineReadings.wallClock
  lazy var kernel = MachineReadings.kernel
  lazy var system = MachineReadings.operatingSystem
  lazy var image = ImageVersions.standard
  /// True if the service manager started this process.
  lazy var isService = getenv("NOTIFY_SOCKET") != nil
  /// The kernel's parameters of each open PCM.
  lazy var pcmParameters = MachineReadings.pcmParameters
  /// The configured music folders.
  lazy var folders: [(path: String, isPresent: Bool)] = musicFolders.map { path in
    var status = stat()
    return (path, stat(FileName.cString(path), &status) == 0)
  }
  /// The space for the saved state; nil if its file system does not answer.
  lazy var stateSpace = FileSystemSpace(stateFolder)
  /// The file systems of the root, of the state and of the music.
  lazy var fileSystems: [MachineReadings.FileSystem] = {
    let folders = [stateFolder] + musicFolders
    return MachineReadings.fileSystems { point in
      point == "/" || folders.contains { $0 == point || point.hasPrefix("\($0)/") }
    }
  }()
}
