internal import NameKeys

/// Decides which tracks of one folder are an album, and whose album it is.
///
/// - Tracks with the same title of the album and the same MusicBrainz id are an album. Tracks without such a title are
///   an album with the name of the folder.
/// - Tracks with different artists of the album are different albums.
/// - Tracks without an artist of the album join those that have one, if these have the same artist. Otherwise the
///   artists of the tracks decide. If all tracks have the same artists, it is an album of these. If it is a
///   compilation, or if no artist is on more than half of the tracks, it is an album of various artists. Otherwise it
///   is an album of the artist who is on most tracks, or of several who are on the same number of tracks.
struct AlbumGrouping {
  struct Track {
    let id: Int64
    /// The artists of the track in one text, with a zero character between two.
    let artists: String?
    let tags: AlbumTags
  }

  struct Album: Equatable {
    var title: String
    /// Empty if the artist is not known, and if there are various artists.
    var artists: [String]
    var isVarious: Bool
    var release: String?
    /// See ``AlbumTags``.
    var sortTitle: String?
    var sortArtist: String?
    var tracks: [Int64]
  }

  /// - Parameter folder: the name of the folder, for people.
  static func albums(of tracks: [Track], folder: String) -> [Album] {
    var grouping = AlbumGrouping(folder: folder)
    for track in tracks { grouping.add(track) }
    return grouping.tracks.flatMap { grouping.albums(of: $0) }
  }

  private struct Title: Hashable {
    let folded: String
    let release: String?
  }

  private let folder: String
  /// The tracks of each title, in the order in which the titles were found.
  private var tracks: [[Track]] = []
  private var indexes: [Title: Int] = [:]
  /// The title before. Consecutive tracks mostly have the same.
  private var last: (shown: String, release: String?, index: Int)?

  private init(folder: String) { self.folder = folder }

  private mutating func add(_ track: Track) {
    let shown = track.tags.title ?? folder
    if let last, last.shown == shown, last.release == track.tags.release {
      tracks[last.index].append(track)
      return
    }
    let title = Title(folded: FoldedName(shown).text, release: track.tags.release)
    let index: Int
    if let known = indexes[title] {
      index = known
      tracks[index].append(track)
    } else {
      index = tracks.count
      indexes[title] = index
      tracks.append([track])
    }
    last = (shown, track.tags.release, index)
  }

  private func albums(of tracks: [Track]) -> [Album] {
    var named: [(artists: [String], tracks: [Track])] = []
    var unnamed: [Track] = []
    var indexes: [[String]: Int] = [:]
    for track in tracks {
      let artists = track.tags.artists
      if artists.isEmpty {
        unnamed.append(track)
      } else if let last = named.indices.last, named[last].artists == artists {
        // Consecutive tracks mostly have the same artists.
        named[last].tracks.append(track)
      } else {
        let folded = artists.map { FoldedName($0).text }
        if let index = indexes[folded] {
          named[index].tracks.append(track)
        } else {
          indexes[folded] = named.count
          named.append((artists, [track]))
        }
      }
    }
    if named.count == 1 {
      named[0].tracks = tracks
      unnamed = []
    }
    var albums = named.map { album(of: $0.tracks, by: $0.artists, isVarious: false) }
    if !unnamed.isEmpty {
      let common = Self.commonArtists(of: unnamed)
      albums.append(album(of: unnamed, by: common ?? [], isVarious: common == nil))
    }
    return albums
  }

  private func album(of tracks: [Track], by artists: [String], isVarious: Bool) -> Album {
    // Tags call various artists by this name. The program has its own word for them.
    let isVarious = isVarious || Self.areSame(artists, ["Various Artists"])
    return Album(
      title: tracks.compactMap(\.tags.title).first ?? folder, artists: isVarious ? [] : artists,
      isVarious: isVarious, release: tracks[0].tags.release,
      sortTitle: tracks.compactMap(\.tags.sortTitle).first,
      sortArtist: tracks.compactMap(\.tags.sortArtist).first, tracks: tracks.map(\.id))
  }

  private static func areSame(_ left: [String], _ right: [String]) -> Bool {
    left == right
      || left.count == right.count
        && zip(left, right).allSatisfy { FoldedName($0) == FoldedName($1) }
  }

  /// The artists of tracks that do not name the artist of their album. Empty if they are not known, nil for various
  /// artists.
  private static func commonArtists(of tracks: [Track]) -> [String]? {
    var artists: [(name: String, count: Int)] = []
    var indexes: [String: Int] = [:]
    // The artists of a track, as indexes. Consecutive tracks mostly have the same artists.
    var last: (text: String?, indexes: Set<Int>) = (nil, [])
    var first: Set<Int>?
    var areSame = true
    for track in tracks where track.artists != nil {
      if track.artists != last.text {
        let names = LibraryWriter.names(track.artists)
        let found = names.compactMap { index(of: $0, &artists, &indexes) }
        last = (track.artists, Set(found))
        areSame = areSame && (first ?? last.indexes) == last.indexes
        first = first ?? last.indexes
      }
      for index in last.indexes { artists[index].count += 1 }
    }
    if areSame { return artists.map(\.name) }
    let most = artists.map(\.count).max() ?? 0
    if most * 2 <= tracks.count || tracks.contains(where: \.tags.isCompilation) { return nil }
    return artists.filter { $0.count == most }.map(\.name)
  }

  /// The index of an artist, who is added if there is room. A folder may have any number of artists.
  private static func index(
    of name: String, _ artists: inout [(name: String, count: Int)], _ indexes: inout [String: Int]
  ) -> Int? {
    let folded = FoldedName(name).text
    if let known = indexes[folded] { return known }
    guard artists.count < maximumArtists else { return nil }
    indexes[folded] = artists.count
    artists.append((name, 0))
    return artists.count - 1
  }

  /// Further artists of a folder do not count.
  private static let maximumArtists = 4096
}

extension AlbumGrouping {
  /// True for the name of a folder with one disc of an album: `CD1`, `Disc 2`.
  static func isDisc(_ name: String) -> Bool {
    let text = FoldedName(name).text
    let words = ["cd", "disco", "disc", "disk", "disque"]
    guard let word = words.first(where: { text.hasPrefix($0) }) else { return false }
    let number = text.dropFirst(word.count).drop { " _-.#".contains($0) }
    return (1...2).contains(number.count) && number.allSatisfy(\.isNumber)
  }
}
