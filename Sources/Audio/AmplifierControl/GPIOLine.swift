public import AudioEngine
public import GPIO
internal import Glibc
internal import Threads

/// A GPIO line that mutes an amplifier while it is active. A line that switches an amplifier *on*
/// is one that mutes it active low.
///
/// It goes through Linux' GPIO character device (`/dev/gpiochipN`, second version, since Linux
/// 5.10). The line is requested with the first switching, as an output that has the right level from
/// its first moment, and held with the consumer's name `autoharp`; what it does when the process
/// ends is the driver's business, so a resistor on the board should mute.
///
/// What is asked of the kernel and what it refuses is tested; it was not yet tried on a real or
/// simulated line.
public final class GPIOLine: Amplifier, @unchecked Sendable {
  /// Which line.
  public typealias Address = GPIOAddress

  private let choice: GPIOLineChoice
  private let folder: String
  /// Its descriptor, once it was requested.
  private var line: Int32?

  /// Opens nothing yet.
  ///
  /// - Parameters:
  ///   - isActiveLow: the amplifier is muted while the line is low.
  ///   - folder: where the chips' devices are.
  public init(_ address: Address, isActiveLow: Bool = false, folder: String = "/dev") {
    choice = GPIOLineChoice(address, isActiveLow: isActiveLow)
    self.folder = folder
  }

  deinit { release() }

  /// See ``Amplifier/setMuted(_:)``. No system call here waits for anything but the chip.
  ///
  /// - Throws: where there is no such chip or line, somebody else has it, or the chip refuses.
  public func setMuted(_ muted: Bool) throws(SinkError) {
    guard let line else {
      self.line = try request(muted)
      return
    }
    let status = GPIOLevel.set(line, isActive: muted)
    if status < 0 {
      release()
      throw SinkError("\(choice.address.words) cannot be switched: \(systemWords(status))")
    }
  }

  private func request(_ muted: Bool) throws(SinkError) -> Int32 {
    do throws(GPIOError) {
      return try GPIOChip.output(choice, isActive: muted, folder: folder)
    } catch {
      throw SinkError(error.words)
    }
  }

  private func release() {
    if let line { Glibc.close(line) }
    line = nil
  }
}
