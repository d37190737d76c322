internal import Control
internal import NowPlaying
internal import ScreenDisplay
internal import ScreenLayout
internal import ScreenPainter

// Covers, and pictures of buttons.
extension ScreenController {
  // MARK: Covers

  func requestCover() {
    guard let painter, let state = model.state, let content = state.content,
      case .artwork(let id) = state.artwork, covers.shouldRequest(id, painter)
    else { return }
    let side = NowPlayingLayout.largestCover(panel)
    waiting += 1
    client.artwork(for: content.id, size: ArtworkSize(width: side, height: side)) {
      [weak self] result in
      self?.coverFound(id, side, result)
    }
  }

  func coverFound(
    _ id: String, _ side: Int, _ result: Result<ArtworkAnswer, ControlError>
  ) {
    switch result {
    case .success(.image(let picture)):
      // The cover stays pending until it is decoded.
      waiting += 1
      decoder.request(CoverDecoder.Request(id: id, path: picture.reference, side: side))
    case .success(.placeholder): covers.note(id, .none)
    case .success(.superseded), .failure: covers.note(id, .unknown)
    }
    waiting -= 1
    paintSoon()
  }

  func takeCovers() {
    for answer in decoder.takeAnswers() {
      waiting -= 1
      switch answer.outcome {
      case .image(let image):
        painter?.pictures.set(image, for: answer.request.id)
        covers.note(answer.request.id, .present)
      case .none(let reason):
        onLog?(.coverFailed, reason)
        covers.note(answer.request.id, .none)
      case .replaced: covers.note(answer.request.id, .unknown)
      }
    }
    paintSoon()
  }

  // MARK: Button pictures

  func requestButtonPictures() {
    guard painter != nil, let state = model.state else { return }
    for name in buttonPictures.missing(in: state) {
      waiting += 1
      client.buttonPicture(name) { [weak self] result in
        self?.waiting -= 1
        guard case .success(let picture?) = result else { return }
        self?.show(picture, named: name)
      }
    }
  }

  func show(_ picture: ButtonPicture, named name: String) {
    do {
      painter?.pictures.set(try SourcePicture(picture), named: name)
      paintSoon()
    } catch {
      // The painter draws the first letter of the name instead.
      onLog?(
        .buttonPictureFailed, "the picture of the button '\(name)' cannot be drawn: \(error)")
    }
  }
}
