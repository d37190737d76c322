internal import Control
internal import LibraryModel
internal import Reports
internal import ScreenLayout
internal import ScreenPainter

// Questions to the library, and thumbnails of its rows.
extension ScreenController {
  func receive(_ library: LibraryState) {
    thumbnails.retry()
    sendRequests(model.receive(library))
    paintSoon()
  }

  func ask(_ question: LibraryQuestion, _ number: Int) {
    switch question {
    case .letters(let node, let heading):
      client.call(Library1.getLetters, LettersRequest(.node(node), under: heading)) { [weak self] in
        self?.answered(number, $0.map { .letters($0) })
      }
    case .page(let request):
      client.call(Library1.getPage, request) { [weak self] in
        self?.answered(number, $0.map { .page($0.page) })
      }
    case .recent:
      client.call(Library1.getRecent, RecentReport.limit) { [weak self] in
        self?.answered(number, $0.map { .recent($0) })
      }
    case .search(let request):
      client.call(Library1.search, NumberedSearch(request, number: number)) { [weak self] in
        self?.answered(number, $0.map { .findings($0.found) })
      }
    }
  }

  private func answered(_ number: Int, _ result: Result<LibraryAnswer, ControlError>) {
    sendRequests(model.receive((try? result.get()) ?? .failed, number: number))
    paintSoon()
  }

  /// Shows the page of an artist, or the album that plays if the library has no artist with this name.
  func showArtist(_ name: String?) {
    guard let name else {
      client.call(NowPlaying1.getAlbum) { [weak self] in self?.receiveAlbum($0) }
      return
    }
    client.call(Library1.search, NumberedSearch(SearchRequest(name, kind: .artist, limit: 100))) {
      [weak self] result in
      guard let self else { return }
      let (isFound, requests) = model.receiveArtist(
        (try? result.get().found.rows) ?? [], name: name)
      if isFound {
        sendRequests(requests)
        paintSoon()
      } else {
        showArtist(nil)
      }
    }
  }

  // MARK: Thumbnails

  /// Requests the thumbnails that the picture shows a place for, after it was painted.
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
