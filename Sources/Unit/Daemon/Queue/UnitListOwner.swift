internal import EventLoop
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying
internal import Reports

/// The owner of the lists of the unit: of the library, and the playlists of the unit itself.
///
/// Used on the control thread; no call blocks.
final class UnitListOwner: ListOwner {
  private let commands: QueueCommands
  private let jumps: QueueJumps
  private let turns: Turns

  /// Registers at the center.
  init(
    _ center: NowPlayingCenter, _ commands: QueueCommands, _ jumps: QueueJumps,
    _ turns: Turns
  ) {
    self.commands = commands
    self.jumps = jumps
    self.turns = turns
    center.add(listOwner: self)
  }

  let listSession = LocalSource.sessionID

  func perform(_ request: ListRequest, _ command: CommandReply) {
    let reply = ListReply(command, turns.loop)
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
    case .playSource(let source): commands.playSource(source, reply)
    case .jump(let jump): jumps.jump(jump, reply)
    }
    turns.request()
  }
}
