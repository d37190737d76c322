public import MusicFiles
public import NowPlaying

// What the owner of lists does with their songs. A reply is nil if no person has asked for it.
extension LocalSource {
  /// Replaces the queue and plays. See ``LocalPlayer/choose(_:first:at:shuffled:from:)``.
  public func choose(
    _ files: [MusicFile], first: Int, at seconds: Double, shuffled: Bool,
    from context: QueueContext, _ reply: CommandReply?
  ) {
    act(on: reply) {
      $0.choose(files, first: first, at: seconds, shuffled: shuffled, from: context)
      return true
    }
  }

  /// Inserts files into the queue. An empty queue is not played.
  public func insert(
    _ files: [MusicFile], _ place: LocalPlayer.Insertion, _ reply: CommandReply?
  ) {
    act(on: reply) {
      $0.insert(files, place)
      return true
    }
  }

  /// Plays on.
  public func resume(_ reply: CommandReply?) {
    act(on: reply) {
      $0.resume()
      return true
    }
  }

  /// Plays the first file of another album or folder of the queue. Returns false, and does not answer, if the queue has
  /// no other one there.
  public func move(to jump: ListJump, _ reply: CommandReply?) -> Bool {
    let step: FolderStep = jump.isNext ? .next : .previous
    return switch jump {
    case .nextAlbum, .previousAlbum: act(on: reply) { $0.moveToAlbum(step) }
    case .nextFolder, .previousFolder: act(on: reply) { $0.moveToFolder(step) }
    case .nextPlaylist, .previousPlaylist: false
    }
  }

  @discardableResult
  private func act(on reply: CommandReply?, _ body: (LocalPlayer) -> Bool) -> Bool {
    let before = player.lastEffect
    guard body(player) else { return false }
    if let reply {
      reply(.success, at: clock())
      awaitEffect(since: before, reply)
    }
    update()
    return true
  }
}
