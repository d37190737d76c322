package import GPIO
internal import Glibc

/// The files in which the daemon names GPIO lines for the program `release-power` (`board/helpers/release-power.c`).
/// This program runs after the daemon has ended.
package struct ReleaseNotes: Sendable {
  /// The purpose of a line. The raw value is the name of the file.
  package enum Kind: String, Sendable {
    /// The line that keeps the power supply on.
    case hold = "power-hold"
    /// The line of the ignition, if the unit powers down because the ignition is off.
    case ignition
  }

  private let folder: String

  /// - Parameter folder: an existing folder that remains after the end of the daemon.
  package init(folder: String) { self.folder = folder }

  /// The notes in the folder that the environment variable `AUTOHARP_POWER` names. Nil if the variable is not set, as
  /// on a desktop. The service file of the image sets it.
  package static var ofThisProcess: ReleaseNotes? {
    getenv("AUTOHARP_POWER").map { ReleaseNotes(folder: String(cString: $0)) }
  }

  /// Writes the file about a line. Removes the file if `choice` is nil, or if the chip of the line was removed.
  ///
  /// - Parameter devices: the folder that contains the devices of the chips.
  package func write(_ kind: Kind, _ choice: GPIOLineChoice?, devices: String = "/dev") {
    let path = "\(folder)/\(kind.rawValue)"
    guard let choice, let line = try? GPIOChip.line(of: choice.address, folder: devices) else {
      unlink(path)
      return
    }
    write(path, Self.text(line.chip, line.offset, choice))
  }

  static func text(_ chip: String, _ offset: UInt32, _ choice: GPIOLineChoice) -> String {
    let words = [chip, "\(offset)"] + (choice.isActiveLow ? ["active-low"] : [])
    return (words + (choice.pull.map { [$0.rawValue] } ?? [])).joined(separator: " ") + "\n"
  }

  private func write(_ path: String, _ text: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    var text = text
    text.withUTF8 { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
  }
}
