internal import CGPIO
internal import Glibc

/// Operations on the descriptor of a requested line. The kernel inverts the level of a line whose low level counts as
/// active.
public enum GPIOLevel {
  /// Makes an output active or inactive.
  /// - Returns: 0, or a negative error number.
  public static func set(_ line: Int32, isActive: Bool) -> Int32 { cgpio_set(line, isActive) }

  /// True if the line is active now. Nil if the chip returns an error.
  public static func isActive(_ line: Int32) -> Bool? {
    var isActive = false
    return cgpio_get(line, &isActive) == 0 ? isActive : nil
  }

  /// Reads and discards all pending changes of an input, so that its descriptor is no longer readable. The caller reads
  /// the level instead, see ``isActive(_:)``.
  /// - Returns: false if the line was removed together with its chip.
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
