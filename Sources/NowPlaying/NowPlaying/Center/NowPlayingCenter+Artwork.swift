// The cover at a size: the center keeps the rules, the sources have the pictures.
extension NowPlayingCenter {
  /// Asks for the cover of content that a surface shows, in the size that it needs (A4).
  ///
  /// Where more ask than there can be surfaces, the rest is answered with the placeholder.
  ///
  /// - Parameter answer: called once: at once if the source has it ready, else when it comes, and
  ///   with ``ArtworkAnswer/superseded`` when something else plays by then (A2).
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

  /// A source hands in the cover that it was asked for, or says that there is none. An answer that
  /// comes late or twice is refused (A1, A2).
  public func artworkArrived(
    _ ticket: Int, _ picture: ArtworkRepresentation?, at now: MonotonicInstant
  ) {
    change(at: now) {
      guard case .deliver(let answer) = artworkRequests.arrived(ticket, picture) else { return }
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(answer) }
    }
  }

  func refuseLateArtwork() {
    let gone = artworkRequests.contentChanged(
      to: state.content?.id, artworkID: state.content?.artwork?.id)
    for ticket in gone {
      for waiter in artworkWaiters.removeValue(forKey: ticket) ?? [] { waiter(.superseded) }
    }
  }
}
