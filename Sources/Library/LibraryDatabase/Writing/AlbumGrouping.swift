internal import NameKeys

/// Groups the tracks of one folder into albums, and decides which artists each album has.
///
/// - Tracks with the same album title and the same MusicBrainz id form an album. For tracks without an album title, the
///   name of the folder is the album title.
/// - Tracks with different album artists belong to different albums.
/// - If all tracks with an album artist have the same one, tracks without an album artist join them. Otherwise, tracks
///   without an album artist form their own album. If all tracks of this album have the same artists, these are the
///   artists of the album. If the album is a compilation, or if no artist is on more than half of the tracks, it is an
///   album of various artists. Otherwise, the artist on most tracks is the artist of the album; if several artists have
///   the highest number of tracks, all of them are artists of the album.
struct AlbumGrouping {
  struct Track {
    let id: Int64
    /// The artists of the track in one text, separated by NUL.
    let artists: String?
    let tags: AlbumTags
  }

  struct Album: Equatable {
    var title: String
    /// Empty if the artists are not known, or if ``isVarious`` is true.
    var artists: [String]
    var isVarious: Bool
    var release: String?
    /// See ``AlbumTags``.
    var sortTitle: String?
    var sortArtist: String?
    var tracks: [Int64]
  }

  /// Groups tracks into albums.
  /// - Parameter folder: the name of the folder, as the user sees it.
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
  /// The title of the track that was added last. It is checked first, because consecutive tracks mostly have the same
  /// title.
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
        // Consecutive tracks mostly have the same artists, so the last artists are checked first.
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
    // Tags use the name `Various Artists`. This name is not stored, because surfaces show their own words for it.
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

  /// The album artists for tracks without an album artist. Empty if they are not known. Nil for various artists.
  private static func commonArtists(of tracks: [Track]) -> [String]? {
    var artists: [(name: String, count: Int)] = []
    var indexes: [String: Int] = [:]
    // The artists of the previous track, as indexes. Most consecutive tracks have the same artists.
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

  /// The index of an artist, who is added if not known. Nil if there are already ``maximumArtists`` artists.
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

  /// Maximum number of artists that are counted in a folder. A folder can contain more.
  private static let maximumArtists = 4096
}

extension AlbumGrouping {
  /// True if this is the name of a folder with one disc of an album, such as `CD1` or `Disc 2`.
  static func isDisc(_ name: String) -> Bool {
    let text = FoldedName(name).text
    let words = ["cd", "disco", "disc", "disk", "disque"]
    guard let word = words.first(where: { text.hasPrefix($0) }) else { return false }
    let number = text.dropFirst(word.count).drop { " _-.#".contains($0) }
    return (1...2).contains(number.count) && number.allSatisfy(\.isNumber)
  }
}
