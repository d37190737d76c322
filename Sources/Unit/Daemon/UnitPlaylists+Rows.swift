internal import LibraryModel
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import UnitState

// The lists and their songs as rows, and as songs for the queue.
extension UnitPlaylists {
  /// The rows of all lists, in order.
  var rows: [(name: PlaylistName, row: LibraryRow)] {
    let volumes = volumes()
    return index.lists.map { summary in
      var row = LibraryRow(
        kind: .playlist, id: -summary.name.identity, title: summary.name.text)
      row.count = summary.count ?? 0
      // The songs of other programs have no volume, and may be anywhere.
      row.isAbsent =
        !summary.volumes.isEmpty
        && !summary.volumes.contains { $0.isEmpty || volumes.place(of: $0).path != nil }
      return (summary.name, row)
    }
  }

  /// A page of the songs of a list.
  func page(
    _ id: Int64, _ request: PageRequest,
    completion: @escaping (Result<LibraryPage, LibraryFailure>) -> Void
  ) {
    guard request.heading == nil else { return completion(.success(LibraryPage())) }
    read { store throws(PlaylistFailure) in
      let list = try store.read(identity: id).list
      return OwnSongsPage(list, cursor: request.cursor, limit: request.limit)
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { page in
          page.page(self?.volumes() ?? PresentVolumes())
        })
    }
  }

  /// The songs of a list, for the queue.
  /// - Parameters:
  ///   - isAlone: true for the chosen song alone.
  ///   - take: see ``UnitLists/songs(_:row:isAlone:seed:take:completion:)``.
  func songs(
    _ id: Int64, chosen: RowReference?, isAlone: Bool,
    take: @escaping ([LibraryTrack], _ isFirst: Bool) -> Void,
    completion: @escaping (UnitLibrary.Songs) -> Void
  ) {
    read { store throws(PlaylistFailure) in
      let (name, list) = try store.read(identity: id)
      var page = TracksPage(.node(.own(id)))
      page.title = name.text
      let place = chosen.flatMap { chosen in list.identities.firstIndex { $0 == chosen.id } }
      guard chosen == nil || place != nil else { throw PlaylistFailure.unknownEntry }
      page.chosen = isAlone ? 0 : place ?? 0
      let entries =
        if isAlone, let place { list.entries[place...place] } else { list.entries[...] }
      return (page, Array(entries))
    } completion: { [weak self] result in
      completion(
        result.mapError { LibraryFailure($0) }.map { page, entries in
          let volumes = self?.volumes() ?? PresentVolumes()
          var page = page
          page.count = entries.count
          take(entries.map { $0.located(volumes).track }, true)
          return page
        })
    }
  }
}

/// A page of the songs of a list.
///
/// A cursor has the identity of a song and its number. The number counts only if the song is gone.
struct OwnSongsPage: Sendable {
  /// The rows of a page have at most this size, so that an answer is not too large for a message.
  private static let maximumBytes = 56 << 10

  private var songs: [(id: Int64, entry: OwnPlaylist.Entry)] = []
  private var page = LibraryPage()

  init(_ list: OwnPlaylist, cursor: String?, limit: Int) {
    let identities = list.identities
    let limit = min(max(limit, 1), 100)
    var range: Range<Int>
    switch Self.place(cursor, identities) {
    case .from(let start): range = start..<min(identities.count, start + limit)
    case .upTo(let end): range = max(0, end - limit)..<end
    }
    page.count = list.entries.count
    var bytes = 0
    let isBackward = cursor?.first == "b"
    for place in isBackward ? Array(range.reversed()) : Array(range) {
      let entry = list.entries[place]
      bytes += 200 + entry.shownTitle.utf8.count + entry.artist.utf8.count + entry.album.utf8.count
      if bytes > Self.maximumBytes, !songs.isEmpty {
        range = isBackward ? place + 1..<range.upperBound : range.lowerBound..<place
        break
      }
      songs.append((identities[place], entry))
    }
    if isBackward { songs.reverse() }
    page.position = range.lowerBound
    if range.upperBound < identities.count, let last = songs.last {
      page.next = "a:\(String(last.id, radix: 16)):\(range.upperBound)"
    }
    if range.lowerBound > 0, let first = songs.first {
      page.previous = "b:\(String(first.id, radix: 16)):\(range.lowerBound)"
    }
  }

  private enum Place {
    case from(Int)
    case upTo(Int)
  }

  /// A text that is no cursor begins the list.
  private static func place(_ cursor: String?, _ identities: [Int64]) -> Place {
    let parts = (cursor ?? "").split(separator: ":")
    guard parts.count == 3, let id = Int64(parts[1], radix: 16), let number = Int(parts[2]) else {
      return .from(0)
    }
    let known = identities.firstIndex(of: id)
    let bounded = min(max(number, 0), identities.count)
    return parts[0] == "b"
      ? .upTo(known ?? bounded) : .from(known.map { $0 + 1 } ?? bounded)
  }

  func page(_ volumes: PresentVolumes) -> LibraryPage {
    var page = page
    page.rows = songs.map { id, entry in
      let song = entry.located(volumes)
      var row = LibraryRow(kind: .song, id: id, title: song.shownTitle)
      row.artist = song.artist.isEmpty ? nil : song.artist
      row.detail = song.album.isEmpty ? nil : song.album
      row.milliseconds = Int64(song.milliseconds)
      row.isAbsent = volumes.place(of: song.volume).path == nil
      return row
    }
    return page
  }
}

extension LibraryFailure {
  /// Why a playlist of the unit cannot be read.
  init(_ refusal: Refusal) {
    self =
      switch refusal.code {
      case .noSuchPlaylist, .noSuchItem: .unknownNode
      case .tooManyCalls: .busy
      default: .failed(refusal.sentence)
      }
  }
}
