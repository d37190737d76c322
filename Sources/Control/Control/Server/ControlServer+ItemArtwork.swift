internal import EventLoop
internal import LibraryModel
internal import NowPlaying
internal import Reports

// The thumbnails of the library.
extension ControlServer {
  /// Answers with a thumbnail. There is one size, so the size that the client wants is only checked.
  func itemArtwork(_ call: MethodCall, _ library: any ControlledLibrary) throws {
    var arguments = call.arguments
    guard let row = RowReference(identifier: try arguments.string()) else {
      throw Refusal(.noSuchItem, "there is no such row")
    }
    _ = (try arguments.integer(), try arguments.integer())
    library.thumbnail(of: row) { result in
      Self.answer(call, result) { jpeg in [.string(jpeg.isEmpty ? "" : "jpeg"), .bytes(jpeg)] }
    }
  }
}
