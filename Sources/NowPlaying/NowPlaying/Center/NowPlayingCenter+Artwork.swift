// Covers at a requested size: the center applies the rules, the sources supply the pictures.
extension NowPlayingCenter {
  /// Requests the cover of content that a surface shows, in the size that the surface needs (A4).
  ///
  /// If too many callers wait for one request (`artworkWaitersLimit`), the next ones get the
  /// placeholder.
  ///
  /// - Parameter answer: called once: at once if the source has the picture, otherwise when the
  ///   picture arrives. Gets ``ArtworkAnswer/superseded`` if other content plays by then (A2).
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

  /// A source delivers a requested cover; nil if it has none. A late or second answer is ignored
  /// (A1, A2).
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
