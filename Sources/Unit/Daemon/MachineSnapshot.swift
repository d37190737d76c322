internal import Files
internal import Glibc

/// What the kernel and the file systems say. Each question is asked when its answer is first read, and
/// once: `status` needs no free space, and a diagnosis no parameters of a PCM.
final class MachineSnapshot {
  private let stateFolder: String
  private let musicFolders: [String]

  init(stateFolder: String, musicFolders: [String]) {
    self.stateFolder = stateFolder
    self.musicFolders = musicFolders
  }

  /// Resident memory of this process in KiB; nil where the kernel does not say.
  lazy var memory: UInt64? = MachineReadings.status("VmRSS")
    .flatMap { $0.split(separator: " ").first }.flatMap { UInt64($0) }
  lazy var clock = MachineReadings.wallClock
  lazy var kernel = MachineReadings.kernel
  lazy var system = MachineReadings.operatingSystem
  lazy var image = ImageVersions.standard
  /// The service manager started this process.
  lazy var isService = getenv("NOTIFY_SOCKET") != nil
  /// What the kernel says of each PCM that plays.
  lazy var pcmParameters = MachineReadings.pcmParameters
  /// The configured folders of music.
  lazy var folders: [(path: String, isThere: Bool)] = musicFolders.map { path in
    var status = stat()
    return (path, stat(FileName.cString(path), &status) == 0)
  }
  /// Of the file system of the state; nil where it does not answer.
  lazy var stateSpace = FileSystemSpace(stateFolder)
  /// The root, and the file systems of state and music.
  lazy var fileSystems: [MachineReadings.FileSystem] = {
    let folders = [stateFolder] + musicFolders
    return MachineReadings.fileSystems { point in
      point == "/" || folders.contains { $0 == point || point.hasPrefix("\($0)/") }
    }
  }()
}
