/// Limits the memory that all peers of a listener use together: messages that wait to be sent, messages that have
/// arrived in part, and calls that are not answered yet. If the limit is exceeded, the peer that uses most memory is
/// disconnected.
///
/// The same rule, with a separate limit, applies to the peers of each user. So the programs of one user cannot use up
/// the memory for the other users. Used on the control thread only.
final class PeerBudget {
  private struct Share {
    unowned let bus: Bus
    let user: UInt32
    var bytes: Int
    /// The number of the last change of ``bytes``. If two peers use the same number of bytes, the peer with the older
    /// change is disconnected, because it probably does not read its messages.
    var change: Int
  }

  private let limits: PeerListener.Limits
  private var shares: [ObjectIdentifier: Share] = [:]
  private var users: [UInt32: Int] = [:]
  /// The bytes of all peers.
  private(set) var bytes = 0
  private var changes = 0

  init(_ limits: PeerListener.Limits) { self.limits = limits }

  /// Sets the number of bytes that a peer uses. If a limit is then exceeded, disconnects the peers that use most.
  func set(_ count: Int, for bus: Bus) {
    let key = ObjectIdentifier(bus)
    let user = bus.credentials?.user ?? 0
    let before = shares[key]?.bytes ?? 0
    guard count != before else { return }
    changes += 1
    shares[key] = count == 0 ? nil : Share(bus: bus, user: user, bytes: count, change: changes)
    bytes += count - before
    users[user, default: 0] += count - before
    if users[user] == 0 { users[user] = nil }
    while let users = self.users[user], users > limits.bytesOfUser {
      dropLargest { $0.user == user }
    }
    while bytes > limits.bytes { dropLargest { _ in true } }
  }

  /// Disconnects the candidate that uses most memory. The disconnected connection calls ``set(_:for:)`` with 0.
  private func dropLargest(_ isCandidate: (Share) -> Bool) {
    shares.values.filter(isCandidate).max { ($0.bytes, -$0.change) < ($1.bytes, -$1.change) }?.bus
      .drop(.overBudget)
  }
}
