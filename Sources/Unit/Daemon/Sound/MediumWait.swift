internal import Files
internal import MusicFiles
internal import NowPlaying
internal import SystemClock

/// A time in which the sound waited for a medium, and how many bytes the medium delivered meanwhile.
struct MediumWait: Equatable {
  /// The path of the file that was read.
  let path: String
  /// The kernel's name of the disk or partition: `sda1`. Nil if the file is not on a disk.
  let device: String?
  let began: MonotonicInstant
  private(set) var ended: MonotonicInstant?
  /// The bytes that the kernel has read from the device, at the beginning and at the end of the wait.
  private let bytesAtBegin: UInt64?
  private var bytesAtEnd: UInt64?

  /// The shortest time from which a rate is computed. In less time, one request of the kernel decides the rate.
  private static let shortestTime = Duration.seconds(2)

  /// Begins a wait for `path`.
  /// - Parameters:
  ///   - mounts: the mounts of the machine.
  ///   - read: returns the bytes that the kernel has read from a device.
  init(
    path: String, mounts: [Mount], at now: MonotonicInstant,
    read: (String) -> UInt64? = MediumWait.bytesRead
  ) {
    self.path = path
    began = now
    let source = mounts.filter { MusicVolume.contains($0.point, path) }
      .max { $0.point.utf8.count < $1.point.utf8.count }?.source
    device = source.flatMap { $0.hasPrefix("/dev/") ? String($0.dropFirst("/dev/".count)) : nil }
    bytesAtBegin = device.flatMap(read)
  }

  mutating func end(
    at now: MonotonicInstant, read: (String) -> UInt64? = MediumWait.bytesRead
  ) {
    guard ended == nil else { return }
    ended = now
    bytesAtEnd = device.flatMap(read)
  }

  /// The rate of the medium in bytes per second. Nil if it is not known, or if the wait is too short.
  func bytesPerSecond(
    at now: MonotonicInstant, read: (String) -> UInt64? = MediumWait.bytesRead
  ) -> UInt64? {
    let time = (ended ?? now).awakeTime(since: began)
    guard time >= Self.shortestTime, let begin = bytesAtBegin,
      let end = bytesAtEnd ?? device.flatMap(read), end >= begin
    else { return nil }
    let (seconds, attoseconds) = time.components
    let milliseconds = UInt64(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    let (thousandths, isTooLarge) = (end - begin).multipliedReportingOverflow(by: 1000)
    return isTooLarge ? nil : thousandths / milliseconds
  }

  /// The bytes that the kernel has read from a device since it was plugged in.
  static func bytesRead(_ device: String) -> UInt64? {
    let path = "\(KernelReadings.standardRoot)/sys/class/block/\(device)/stat"
    // The third number counts sectors of 512 bytes.
    let sectors = MachineReadings.firstLine(path)?.split(separator: " ").dropFirst(2).first
    return sectors.flatMap { UInt64($0) }?.multipliedReportingOverflow(by: 512).partialValue
  }
}
