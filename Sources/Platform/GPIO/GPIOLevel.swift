internal import CGPIO
internal import Glibc

/// What can be done with the descriptor of a requested line. Active low is the kernel's business.
public enum GPIOLevel {
  /// Makes an output active or not.
  /// - Returns: 0, or a negative error number.
  public static func set(_ line: Int32, isActive: Bool) -> Int32 { cgpio_set(line, isActive) }

  /// Whether a line is active now; nil where the chip does not say.
  public static func isActive(_ line: Int32) -> Bool? {
    var isActive = false
    return cgpio_get(line, &isActive) == 0 ? isActive : nil
  }

  /// Takes the changes of an input that have come, so that its descriptor is quiet again. What they
  /// were does not matter: the level is asked for.
  /// - Returns: false where the line has gone, with its chip.
  public static func takeChanges(_ line: Int32) -> Bool {
    while true {
      let count = withUnsafeTemporaryAllocation(
        byteCount: 16 * MemoryLayout<gpio_v2_line_event>.stride, alignment: 8
      ) { read(line, $0.baseAddress, $0.count) }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count == 0 { return false }
    }
  }
}
