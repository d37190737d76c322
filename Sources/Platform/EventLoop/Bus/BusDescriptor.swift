internal import Glibc

/// A file descriptor in a message. This object owns a duplicate of the descriptor, and closes the duplicate when it is
/// deallocated.
///
/// Can be used on any thread.
public final class BusDescriptor: Equatable, Sendable {
  /// The number of the duplicate. It is valid as long as this object exists.
  public let number: Int32

  /// Duplicates a descriptor. Nil if the process has no free descriptor.
  public init?(duplicating descriptor: Int32) {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { close(number) }

  /// True if both are the same object.
  public static func == (one: BusDescriptor, other: BusDescriptor) -> Bool { one === other }
}
