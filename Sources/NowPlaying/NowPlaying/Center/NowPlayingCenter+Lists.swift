// The owners of lists, and of queues.
extension NowPlayingCenter {
  /// Registers the owner of all lists whose identities have a prefix; empty for the lists of the unit. The center keeps no
  /// reference to it.
  public func add(listOwner owner: any ListOwner, prefix: String = "") {
    listOwners[prefix] = WeakListOwner(owner: owner)
  }

  func pass(_ request: ListRequest, _ press: Press) {
    guard let owner = listOwners[request.owner]?.owner else { return refuse(press, .noListOwner) }
    let reply = expectAnswer(press, session: owner.listSession, kind: nil)
    owner.perform(request, reply)
  }

  /// The session that gets a command: the primary one. A command for a queue goes to the owner of the queue, because
  /// people also see the queue of the unit while a phone plays, which may have a queue too.
  func receiver(of request: MediaRequest) -> Int? {
    let primary = records.firstIndex { $0.id == arbitration.primary }
    guard request.kind.isOfQueue, let owner = listOwners[request.queueOwner]?.owner else {
      return primary
    }
    return records.firstIndex { $0.id == owner.listSession } ?? primary
  }
}
