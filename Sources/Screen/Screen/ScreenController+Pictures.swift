internal import Control
internal import NowPlaying
internal import ScreenDisplay
internal import ScreenLayout
internal import ScreenPainter

// Requests covers, pictures of buttons, and thumbnails.
extension ScreenController {
  // MARK: Covers

  func requestCover() {
    guard let painter, let state = model.state, let content = state.content,
      case .artwork(let id) = state.artwork, covers.shouldRequest(id, painter)
    else { return }
    let side = NowPlayingLayout.largestCover(panel)
    waiting += 1
    client.call(
      NowPlaying1.getArtwork, CoverRequest(content.id, size: ArtworkSize(width: side, height: side))
    ) {
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
      pictures.request(PictureLoader.Cover(id: id, path: picture.reference, side: side))
    case .success(.placeholder): covers.note(id, .none)
    case .success(.superseded), .failure: covers.note(id, .unknown)
    }
    waiting -= 1
    paintSoon()
  }

  func receivePictures() {
    for answer in pictures.takeAnswers() {
      waiting -= 1
      switch answer {
      case .cover(let cover, .image(let image)):
        painter?.pictures.set(image, for: cover.id)
        covers.note(cover.id, .present)
      case .cover(let cover, .none(let reason)):
        onLog?(.coverFailed, reason)
        covers.note(cover.id, .none)
      case .cover(let cover, .replaced): covers.note(cover.id, .unknown)
      case .thumbnail(let thumbnail, .success(let image)):
        thumbnails.end(thumbnail.id)
        painter?.pictures.setThumbnail(image, for: thumbnail.id)
      case .thumbnail(let thumbnail, .failure(let failure)):
        thumbnails.fail(thumbnail.id)
        onLog?(.coverFailed, "a thumbnail cannot be shown, \(failure)")
      case .button(let button, .success(let picture)):
        painter?.pictures.set(picture, named: button.name)
        noteSourcePicture(button.name)
      case .button(let button, .failure(let failure)):
        logUnusable(button.name, "\(failure)")
      }
    }
    paintSoon()
  }

  // MARK: Button pictures

  func requestButtonPictures() {
    guard painter != nil, let state = model.state else { return }
    for name in buttonPictures.missing(in: state) {
      waiting += 1
      client.call(NowPlaying1.getButtonPicture, name) { [weak self] result in
        self?.waiting -= 1
        guard case .success(let picture?) = result else { return }
        self?.show(picture, named: name)
      }
    }
  }

  func show(_ picture: ButtonPicture, named name: String) {
    switch picture.format {
    case .svgPath:
      do {
        let path = String(decoding: picture.bytes, as: UTF8.self)
        painter?.pictures.set(try SourcePicture(svgPath: path), named: name)
        noteSourcePicture(name)
        paintSoon()
      } catch {
        logUnusable(name, "\(error)")
      }
    case .png:
      waiting += 1
      pictures.request(PictureLoader.Button(name: name, png: picture.bytes))
    }
  }

  private func noteSourcePicture(_ name: String) {
    if name == NowPlayingTemplate.sourcePicture { model.hasSourcePicture = true }
  }

  /// Logs that a picture cannot be drawn. The painter then draws the first letter of the name.
  private func logUnusable(_ name: String, _ reason: String) {
    onLog?(.buttonPictureFailed, "the picture of the button '\(name)' cannot be drawn: \(reason)")
  }

  // MARK: Thumbnails

  /// Requests the missing thumbnails of the painted scene.
  func requestThumbnails() {
    guard let scene, let painter else { return }
    for element in scene.elements {
      guard case .image(let slot) = element.content, case .thumbnail(let id) = slot.source,
        !painter.pictures.hasThumbnail(id),
        let row = model.pages.menu.library.row(ofThumbnail: id),
        thumbnails.begin(id)
      else { continue }
      waiting += 1
      client.call(Library1.getItemArtwork, row) { [weak self] in
        self?.thumbnailFound(id, $0)
      }
    }
  }

  private func thumbnailFound(_ id: String, _ result: Result<[UInt8], ControlError>) {
    guard case .success(let jpeg) = result, !jpeg.isEmpty else {
      waiting -= 1
      thumbnails.fail(id)
      return requestThumbnails()
    }
    pictures.request(PictureLoader.Thumbnail(id: id, jpeg: jpeg))
  }
}
