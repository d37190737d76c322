import Files
import Glibc
import NowPlayingClient

extension MusicContent {
  /// The content of a title of PROGRAM. Without texts, its title is the name of the app.
  init(_ title: ProgramLine.Title, _ options: Options) {
    let texts: [(MetadataIdentifier, String?)] = [
      (.title, title.title ?? (title.artist == nil ? options.name : nil)),
      (.artist, title.artist), (.albumName, title.album),
    ]
    let items = texts.compactMap { identifier, text in text.map { MetadataItem(identifier, $0) } }
    self.init(
      id: texts.map { $0.1 ?? "" }.joined(separator: "\n"), metadata: MetadataItems(items),
      duration: title.duration.map { .finite(.seconds($0)) }
        ?? (options.kind == .live ? .live : nil),
      artwork: title.artwork.map { Artwork(id: Self.identity(ofFile: $0), file: $0) })
  }

  /// The identity of a picture. Another file at the same path is another picture.
  private static func identity(ofFile path: String) -> String {
    var facts = stat()
    let isKnown = stat(path, &facts) == 0
    var hash = StableHash()
    hash.add(path.utf8)
    hash.separate()
    if isKnown {
      hash.add(facts.st_ino)
      hash.add(facts.st_size)
      hash.add(facts.st_mtim.tv_sec)
      hash.add(facts.st_mtim.tv_nsec)
    }
    return String(hash.value, radix: 16)
  }
}
