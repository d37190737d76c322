internal import Glibc

/// A file descriptor in a message. The value owns a duplicate of the descriptor and closes it at the end.
///
/// Used on any thread.
public final class BusDescriptor: Equatable, Sendable {
  /// The number of the duplicate. It is valid as long as this object exists.
  public let number: Int32

  /// Duplicates a descriptor. Nil if no descriptor is left.
  public init?(duplicating descriptor: Int32) {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { close(number) }

  /// True if both are the same object.
  public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
}
