internal import Control
internal import EventLoop
internal import HeadUnit
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying
internal import Reports
internal import SystemClock

/// Carries out requests for the lists of the unit: the lists of the library, and the playlists that the unit stores.
///
/// Used on the control thread; no call blocks.
final class UnitListOwner: ListOwner {
  private let source: LocalSource
  private let commands: QueueCommands
  private let jumps: QueueJumps
  private let outbox: UnitOutbox
  private let turns: Turns
  private let log: UnitLog

  /// Registers this object at the ``NowPlayingCenter``.
  init(
    _ unit: HeadUnit, _ commands: QueueCommands, _ jumps: QueueJumps, _ outbox: UnitOutbox,
    _ turns: Turns, log: UnitLog
  ) {
    source = unit.source
    self.commands = commands
    self.jumps = jumps
    self.outbox = outbox
    self.turns = turns
    self.log = log
    unit.center.add(listOwner: self)
  }

  let listSession = LocalSource.sessionID

  func perform(_ request: ListRequest, _ command: CommandReply) {
    let reply = ListReply(command, source, turns.loop) { [weak self] in
      self?.tell($0, of: request)
    }
    switch request {
    case .play(let list, let row, let word):
      let reference = row.flatMap { RowReference(identifier: $0) }
      guard let list = TrackList(text: list), (row == nil) == (reference == nil) else {
        return reply.refuse(Refusal(.noSuchItem, "there is no such list or row"))
      }
      guard let mode = PlayMode(rawValue: word) else {
        return reply.refuse(Refusal(.unsupportedValue, "a list is not played this way"))
      }
      commands.play(list, row: reference, mode, reply)
    case .playSource(let volume): commands.playVolume(volume, reply)
    case .jump(let jump): jumps.jump(jump, reply)
    }
    turns.request()
  }

  /// Shows a notice and logs the refusal, because the sender of the request already has the answer *accepted*.
  private func tell(_ refusal: Refusal, of request: ListRequest) {
    guard refusal.code != .superseded else { return }
    log(.listRefused, "\(request): \(refusal.sentence)", at: .now())
    outbox.put(.notice(UnitNotice(.listFailed)))
  }
}
