internal import EventLoop
internal import Files
internal import LibraryExchange
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports

/// Plays the next or previous album, folder or playlist: in the queue, else in the library.
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

  func jump(_ kind: QueueJump) {
    let player = queue.player
    let isNext = kind.isNext
    switch kind {
    case .nextAlbum, .previousAlbum:
      if player.moveToAlbum(isNext ? .next : .previous) { return turns.request() }
    case .nextFolder, .previousFolder:
      if player.moveToFolder(isNext ? .next : .previous) { return turns.request() }
    case .nextPlaylist, .previousPlaylist: return jumpToPlaylist(isNext: isNext)
    }
    // The queue has no other album or folder, so the library decides.
    guard let file = player.state.file, let volume = file.volume else { return }
    let context = player.context
    neighbours.lists.library.link.ask(
      LibraryProcess1.getEntries,
      FileReference(volume: volume.identity, path: FileName.bytes(file.pathInVolume))
    ) { [weak self] result in
      guard let self, case .success(let entries) = result else { return }
      let wanted: LibraryRow.Kind =
        kind == .nextAlbum || kind == .previousAlbum ? .album : .folder
      guard let node = entries.first(where: { $0.kind == wanted })?.node else { return }
      // The order is that of the list in which the album was chosen.
      let parent = context?.list == node.text ? context?.parent ?? "" : ""
      jump(from: node, parent, isNext: isNext)
    }
  }

  private func jump(from node: LibraryNode, _ parent: String, isNext: Bool) {
    let request = queue.beginRequest()
    neighbours.songs(of: node, parent, isNext: isNext) { [queue, turns] songs, files, parent in
      guard request == queue.latestRequest else { return }
      queue.replace(with: songs, files, at: 0, shuffled: false, parent: parent)
      turns.request()
    }
  }

  private func jumpToPlaylist(isNext: Bool) {
    switch queue.player.context.flatMap({ LibraryNode(text: $0.list) }) {
    case .playlist(let id)?: return jump(from: .playlist(id), "", isNext: isNext)
    case .own(let id)?: return jump(from: .own(id), "", isNext: isNext)
    default: break
    }
    neighbours.lists.page(PageRequest(.playlists, limit: 100)) { [commands, turns] result in
      guard case .success(let page) = result, let node = page.rows.firstPlayableList else { return }
      commands.play(.node(node), row: nil, .now) { _ in turns.request() }
    }
  }
}
