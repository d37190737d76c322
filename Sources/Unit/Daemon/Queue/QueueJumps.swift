internal import Control
internal import EventLoop
internal import Files
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports

/// Plays the next or previous album, folder or playlist. Looks for the album, folder or playlist first in the queue,
/// and then in the library.
///
/// Used on the control thread; no call blocks.
final class QueueJumps {
  private let queue: UnitQueue
  private let commands: QueueCommands
  private let neighbours: ListNeighbours
  private let turns: Turns

  init(
    _ queue: UnitQueue, _ commands: QueueCommands, _ neighbours: ListNeighbours, _ turns: Turns
  ) {
    self.queue = queue
    self.commands = commands
    self.neighbours = neighbours
    self.turns = turns
  }

  func jump(_ kind: ListJump, _ reply: ListReply) {
    let player = queue.player
    if queue.source.move(to: kind, reply.command) { return }
    if kind == .nextPlaylist || kind == .previousPlaylist {
      reply.begin()
      return jumpToPlaylist(kind, reply)
    }
    // The queue contains no other album or folder in this direction, so the library is asked.
    guard let file = player.state.file, file.volume != nil else {
      return reply.refuse(Self.nothingThere(kind))
    }
    let context = player.context
    reply.begin()
    neighbours.lists.library.link.ask(LibraryProcess1.getEntries, file.reference) {
      [weak self] result in
      guard let self else { return }
      let wanted: LibraryRow.Kind =
        kind == .nextAlbum || kind == .previousAlbum ? .album : .folder
      guard case .success(let entries) = result,
        let node = entries.first(where: { $0.kind == wanted })?.node
      else { return reply.refuse(Self.nothingThere(kind)) }
      // The next album is the next album in the list in which the user chose the present album.
      let parent = context?.list == node.text ? context?.parent ?? "" : ""
      jump(kind, from: node, parent, reply)
    }
  }

  private static func nothingThere(_ jump: ListJump) -> Refusal {
    let list =
      switch jump {
      case .nextAlbum, .previousAlbum: "album"
      case .nextFolder, .previousFolder: "folder"
      case .nextPlaylist, .previousPlaylist: "playlist"
      }
    return Refusal(
      .noSuchContent, "there is no \(list) \(jump.isNext ? "after" : "before") what plays")
  }

  private func jump(
    _ kind: ListJump, from node: LibraryNode, _ parent: String, _ reply: ListReply
  ) {
    neighbours.find(beside: node, in: parent, isNext: kind.isNext) { [weak self] answer in
      self?.play(answer, kind, parent, reply)
    }
  }

  private func jumpToPlaylist(_ kind: ListJump, _ reply: ListReply) {
    switch queue.player.context.flatMap({ LibraryNode(text: $0.list) }) {
    case .playlist(let id)?: return jump(kind, from: .playlist(id), "", reply)
    case .own(let id)?: return jump(kind, from: .own(id), "", reply)
    default: break
    }
    neighbours.findFirstPlaylist { [weak self] answer in self?.play(answer, kind, "", reply) }
  }

  private func play(
    _ answer: ListNeighbours.Answer, _ kind: ListJump, _ parent: String, _ reply: ListReply
  ) {
    defer { turns.request() }
    guard reply.isLatest else { return reply.refuse(.superseded) }
    switch answer {
    case .found(let node): commands.play(.node(node), parent: parent, reply)
    case .none: reply.refuse(Self.nothingThere(kind))
    case .failed: reply.refuse(Refusal(LibraryFailure.unavailable))
    }
  }
}
