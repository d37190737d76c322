internal import Files
internal import Glibc
internal import Reports
internal import Settings
internal import SystemClock

/// Reads small files of the kernel and the system. A read of these files does not wait for a device.
enum MachineReadings {
  /// The identity of this boot. Nil if the kernel reports no identity. A test can set another value in the environment
  /// variable `AUTOHARP_BOOT`.
  static var boot: String? {
    getenv("AUTOHARP_BOOT").map { String(cString: $0) }
      ?? firstLine("/proc/sys/kernel/random/boot_id")
  }

  /// The time of day; unknown if it is not reliable.
  static var wallClock: KnownTime { KnownTime(now: time(nil), keeper: clockKeeper) }

  /// The source of the time of day.
  static var clockKeeper: SettingsState.Clock {
    // systemd-timesyncd creates this file when a server has sent the time.
    if access("/run/systemd/timesync/synchronized", F_OK) == 0 { return .network }
    // set-clock creates this file when a person has set the time.
    if access("/run/clock/set", F_OK) == 0 { return .person }
    return clockChipKeepsTime ? .chip : .unknown
  }

  /// True if the kernel has taken the time from a clock chip, and the chip has not lost the time. A chip at I2C answers
  /// within a millisecond.
  static var clockChipKeepsTime: Bool { clockChipKeepsTime(in: "/sys/class/rtc") }

  /// The most seconds by which the clock chip and the system differ. If the chip is far in the future, systemd sets the
  /// system to the date of its release, and the chip stays wrong.
  private static let chipTolerance = 86_400

  static func clockChipKeepsTime(in folder: String, now: Int = time(nil)) -> Bool {
    (0..<4).contains { number in
      let chip = "\(folder)/rtc\(number)"
      guard firstLine("\(chip)/hctosys") == "1" else { return false }
      // If the system time is older than the release of systemd, systemd sets the system time to the date of this
      // release. So the system time does not show that the chip has lost the time, and the chip is read.
      guard let seconds = firstLine("\(chip)/since_epoch").flatMap({ Int($0) }) else {
        return false
      }
      return seconds >= LocalTime.earliestSeconds
        && (now - chipTolerance...now + chipTolerance).contains(seconds)
    }
  }

  /// A mounted file system.
  struct FileSystem {
    var point: String
    /// The type of the file system: `ext4`, `vfat`, …
    var kind: String
    /// The space on the file system. Nil if the file system does not answer.
    var space: FileSystemSpace?
  }

  /// The mounts whose mount points satisfy `isWanted`, at most 100. Reads the kernel's list, which never waits for a
  /// medium.
  static func mounts(_ isWanted: (_ point: String) -> Bool = { _ in true }) -> [Mount] {
    mounts(read("/proc/self/mountinfo", limit: 256 << 10) ?? "", isWanted)
  }

  /// Parses the mounts in the text of `mountinfo`.
  static func mounts(_ text: String, _ isWanted: (_ point: String) -> Bool) -> [Mount] {
    Mount.all(in: text) { !$0.hasPrefix(mountsOfLibrary) && isWanted($0) }
  }

  /// `mount-stick` mounts each stick here a second time, for the library. The mounts below this folder are left out.
  private static let mountsOfLibrary = "/run/library-sticks/"

  /// The kernel's parameters of each PCM that is open for playback. A name states the PCM and the parameter, as in
  /// `hw:0,0 rate`.
  static var pcmParameters: [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for card in 0..<8 {
      for device in 0..<8 {
        let folder = "/proc/asound/card\(card)/pcm\(device)p/sub0"
        guard let text = read("\(folder)/hw_params", limit: 4096), text != "closed\n" else {
          continue
        }
        for line in text.split(separator: "\n") {
          let pair = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
          if pair.count == 2 {
            found.append(("hw:\(card),\(device) \(pair[0])", String(pair[1])))
          }
        }
      }
    }
    return found
  }

  /// The name of the distribution.
  static var operatingSystem: String? {
    read("/etc/os-release", limit: 4096)?.split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }
      .map { String($0.dropFirst("PRETTY_NAME=".count)).filter { $0 != "\"" } }
  }

  /// The kernel's release.
  static var kernel: String {
    var system = utsname()
    uname(&system)
    return withUnsafeBytes(of: system.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The value of a line in `/proc/self/status`. An example of a `key` is `VmRSS`.
  static func status(_ key: String) -> String? {
    read("/proc/self/status", limit: 8192)?.split(separator: "\n")
      .first { $0.hasPrefix("\(key):") }
      .map { String($0.dropFirst(key.count + 1).drop { $0 == " " || $0 == "\t" }) }
  }

  static func firstLine(_ path: String) -> String? {
    read(path, limit: 4096)?.split(separator: "\n").first.map(String.init)
  }

  /// Reads a file as text. Bytes that are not UTF-8 are kept as in ``FileName``. Nil if the file cannot be opened.
  static func read(_ path: String, limit: Int) -> String? {
    KernelFile.bytes(path, atMost: limit).map(FileName.text)
  }
}
