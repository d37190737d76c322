/// The files and sockets of the image that the console uses without the daemon.
package struct MachineFiles: Sendable {
  /// The socket of the helper that lists and restarts services.
  package var serviceSocket = "/run/service"
  /// The socket of the helper that frees space on the storage.
  package var freeSpaceSocket = "/run/free-space"
  /// The socket of the helper that writes the report to a stick.
  package var reportSocket = "/run/stick-report"
  /// The folder with the logs of earlier runs.
  package var keptLogs = "/data/log"
  /// The folder below which sticks are mounted.
  package var media = "/media"
  package var mounts = "/proc/self/mountinfo"
  /// The folder with the reports about sticks that could not be mounted.
  package var sticks = "/run/sticks"
  /// The folder with the disks that the kernel sees.
  package var disks = "/sys/block"
  package var cards = "/proc/asound/cards"
  /// The longest time for which a stick is read.
  package var stickTime = Duration.seconds(10)
  /// The longest time for writing the report to a stick. The helper needs at most 70 s, if the stick does not answer.
  package var reportTime = Duration.seconds(90)

  /// Creates the paths of the image.
  package init() {}
}
