// Covers at a requested size: the center applies the rules, the sources supply the pictures.
extension NowPlayingCenter {
  /// Requests the cover of content that a surface shows, in the size that the surface needs (A4).
  ///
  /// If `artworkWaitersLimit` callers already wait for one request, further callers get the
  /// placeholder.
  ///
  /// - Parameter answer: called exactly once. If the source has the picture, the call is immediate.
  ///   Otherwise the call follows when the picture arrives. If the content changes before that,
  ///   `answer` gets ``ArtworkAnswer/superseded`` (A2).
  public func artwork(
    for contentID: String, size: ArtworkSize, at now: MonotonicInstant,
    answer: @escaping (ArtworkAnswer) -> Void
  ) {
    change(at: now) {
      switch artworkRequests.ask(for: contentID, size: size) {
      case .placeholder: answer(.placeholder)
      case .superseded: answer(.superseded)
      case .joins(let ticket) where artworkWaiters[ticket]?.count == Self.artworkWaitersLimit:
        answer(.placeholder)
      case .joins(let ticket): artworkWaiters[ticket, default: []].append(answer)
      case .ask(let request):
        artworkWaiters[request.ticket] = [answer]
        guard let provider = state.content?.artwork?.provider else { return }
        switch provider(request) {
        case .later: break
        case .ready(let picture): artworkArrived(request.ticket, picture, at: now)
        case .none: artworkArrived(request.ticket, nil, at: now)
        }
      }
    }
  }

  /// Called by a source to deliver a requested cover. If `picture` is nil, the source has no cover.
  /// A late or second answer is ignored (A1, A2).
  public func artworkArrived(
    _ ticket: Int, _ picture: ArtworkRepresentation?, at now: MonotonicInstant
  ) {
    change(at: now) {
      guard case .deliver(let answer) = artworkRequests.arrived(ticket, picture) else { return }
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(answer) }
    }
  }

  func refuseLateArtwork() {
    let superseded = artworkRequests.contentChanged(
      to: state.content?.id, artworkID: state.content?.artwork?.id)
    for ticket in superseded {
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(.superseded) }
    }
  }
}
