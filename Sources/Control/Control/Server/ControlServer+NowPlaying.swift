internal import BusMethods
internal import EventLoop
internal import NowPlaying
internal import Reports

// The state, the covers and the album.
extension ControlServer {
  static func addNowPlaying(to handlers: inout ControlHandlers) {
    handlers.follow(NowPlaying1.state) { $0.unit.center.state }
    handlers.on(NowPlaying1.getArtwork) { $0.getArtwork($1) }
    handlers.on(NowPlaying1.getButtonPicture) { server, call in
      call.reply(server.unit.center.buttonPicture(named: call.arguments))
    }
    handlers.on(NowPlaying1.getAlbum) { server, call in
      call.reply(server.unit.album() ?? AlbumReport(title: "", items: []))
    }
  }

  private func getArtwork(_ call: ServedCall<CoverRequest, ArtworkAnswer>) {
    let request = call.arguments
    // Identities are truncated and cleaned on the wire. So if the request names the current
    // content, the original identity of this content is used. Only the identity of the current
    // content needs this conversion.
    let current = unit.center.state.content?.id
    let isCurrent = current.map(WireText.identityText) == request.content
    unit.center.artwork(
      for: isCurrent ? current ?? request.content : request.content, size: request.size,
      at: call.caller.now
    ) { call.reply($0) }
    turns.request()
  }
}
