import EventLoop
import TestKit

@testable import Daemon
@testable import UnitState

extension UnitPlaylists {
  /// Waits until the playlists are read. ``whenLoaded(_:)`` waits only for a limited time, so tests do not use it.
  func load(_ loop: EventLoop) throws {
    start()
    var isRead = false
    read { _ throws(PlaylistFailure) in
      true
    } completion: { _ in
      isRead = true
    }
    try loop.turn { isRead }
  }
}
