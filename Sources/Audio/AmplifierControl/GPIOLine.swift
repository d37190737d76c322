public import AudioEngine
public import GPIO
internal import Glibc
internal import Synchronization
internal import Threads

/// A GPIO line that mutes an amplifier while the line is active. For a line that switches an amplifier *on*, use
/// `isActiveLow`.
///
/// This class uses version 2 of Linux' GPIO character device (`/dev/gpiochipN`), which exists since Linux 5.10. The
/// first call of ``setMuted(_:)`` requests the line as an output. The line has the right level from the moment of the
/// request. The object keeps the line until the object is released or switching fails. The kernel shows `autoharp` as
/// the consumer of the line. After the end of the process, the level of the line depends on the driver. So a resistor
/// on the board should mute the amplifier in this case.
///
/// A system test uses a simulated line of the kernel (gpio-sim). No test has used a real line yet.
public final class GPIOLine: Amplifier {
  /// The chip and the line.
  public typealias Address = GPIOAddress

  private let choice: GPIOLineChoice
  private let folder: String
  /// File descriptor of the line; nil before the line is requested. The lock keeps the descriptor open while another
  /// thread reads the line.
  private let line = Mutex<Int32?>(nil)

  /// Creates the amplifier without opening the chip.
  ///
  /// - Parameters:
  ///   - isActiveLow: true if the amplifier is muted while the line is low.
  ///   - folder: the folder of the chip devices.
  public init(_ address: Address, isActiveLow: Bool = false, folder: String = "/dev") {
    choice = GPIOLineChoice(address, isActiveLow: isActiveLow)
    self.folder = folder
  }

  deinit {
    if let line = line.withLock({ $0 }) { Glibc.close(line) }
  }

  /// See ``Amplifier/setMuted(_:)``. The system calls can block until the GPIO chip has answered.
  ///
  /// - Throws: if the chip or the line does not exist, another program has the line, or the chip refuses the change.
  public func setMuted(_ muted: Bool) throws(SinkError) {
    try line.withLock { line throws(SinkError) in
      guard let descriptor = line else {
        line = try request(muted)
        return
      }
      let status = GPIOLevel.set(descriptor, isActive: muted)
      if status < 0 {
        Glibc.close(descriptor)
        line = nil
        throw SinkError("\(choice.address.text) cannot be switched: \(systemWords(status))")
      }
    }
  }

  /// See ``Amplifier/isMuted()``. Reads the level of the line.
  ///
  /// - Throws: if the line is not requested, or if the chip returns an error.
  public func isMuted() throws(SinkError) -> Bool {
    try line.withLock { line throws(SinkError) in
      guard let isActive = line.flatMap({ GPIOLevel.isActive($0) }) else {
        throw SinkError("\(choice.address.text) cannot be read")
      }
      return isActive
    }
  }

  private func request(_ muted: Bool) throws(SinkError) -> Int32 {
    do throws(GPIOError) {
      return try GPIOChip.output(choice, isActive: muted, folder: folder)
    } catch {
      throw SinkError(error.message)
    }
  }
}
