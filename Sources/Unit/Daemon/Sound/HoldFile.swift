internal import Files
internal import NowPlaying
internal import Reports

/// The file with the holds that outlive their clients. A daemon that starts again in the same boot begins these holds
/// again, so music does not start during a call because the daemon has crashed.
///
/// The file is in the folder of the control socket, which is in memory. So a write does not wait for a device.
struct HoldFile {
  /// A hold with its end.
  struct Entry: Equatable {
    var hold: SoundHold
    /// The end, on the clock of ``EventClock/monotonic``, which begins with the boot.
    var end: Int64
  }

  private static let name = "holds"
  /// More than the largest file: 16 holds with the longest names.
  private static let maximumBytes = 64 << 10

  private let folder: String
  private let boot: String

  /// - Parameters:
  ///   - folder: the folder of the file.
  ///   - boot: the identity of this boot. A file of another boot is ignored.
  init(folder: String, boot: String) {
    self.folder = folder
    self.boot = boot
  }

  /// Replaces the file. An error has no effect now: only a restart of the daemon needs the file.
  func write(_ entries: [Entry]) {
    var text = "\(boot)\n"
    for entry in entries where !entry.hold.name.utf8.contains(UInt8(ascii: "\n")) {
      text += "\(entry.hold.isDuck ? "duck" : "interruption") \(entry.end) \(entry.hold.name)\n"
    }
    try? ReplacedFile.write(
      Array(text.utf8), to: Self.name, in: folder, temporary: ".\(Self.name).new")
  }

  /// The holds of an earlier run in this boot. Empty if there is no such file.
  func read() -> [Entry] {
    guard let bytes = BoundedFile.read("\(folder)/\(Self.name)", atMost: Self.maximumBytes) else {
      return []
    }
    // Bytes are split, because a separator and the first character of a name can be one `Character`.
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, first.elementsEqual(boot.utf8) else { return [] }
    return lines.dropFirst().compactMap { line in
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        .map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 3, let end = Int64(parts[1]) else { return nil }
      switch parts[0] {
      case "interruption": return Entry(hold: .interruption(.init(parts[2])), end: end)
      case "duck": return Entry(hold: .duck(parts[2]), end: end)
      default: return nil
      }
    }
  }
}
