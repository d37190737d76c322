/// Maps the frames of ID3v2 to names of Vorbis comments, in the same way as MusicBrainz Picard.
enum ID3Names {
  /// Frames with one or more texts. Each entry of `names` contains the identifier of the frame, its identifier in
  /// ID3v2.2, and the name of the Vorbis comment.
  static let texts: [String: String] = {
    let names: [(String, String, String)] = [
      ("TIT1", "TT1", "GROUPING"), ("TIT2", "TT2", "TITLE"), ("TIT3", "TT3", "SUBTITLE"),
      ("TPE1", "TP1", "ARTIST"), ("TPE2", "TP2", "ALBUMARTIST"), ("TPE3", "TP3", "CONDUCTOR"),
      ("TALB", "TAL", "ALBUM"), ("TCOM", "TCM", "COMPOSER"), ("TRCK", "TRK", "TRACKNUMBER"),
      ("TPOS", "TPA", "DISCNUMBER"), ("TCON", "TCO", "GENRE"), ("TCMP", "TCP", "COMPILATION"),
      ("TYER", "TYE", "DATE"), ("TDRC", "", "DATE"), ("TSOT", "TST", "TITLESORT"),
      ("TSOP", "TSP", "ARTISTSORT"), ("TSOA", "TSA", "ALBUMSORT"),
      ("TSO2", "TS2", "ALBUMARTISTSORT"), ("TSRC", "TRC", "ISRC"),
      ("TLAN", "TLA", "LANGUAGE"),
    ]
    var result: [String: String] = [:]
    for (id, old, name) in names {
      result[id] = name
      if !old.isEmpty { result[old] = name }
    }
    return result
  }()

  /// The name of the Vorbis comment for a frame `TXXX` with the description `text`, such as `replaygain_track_gain`.
  /// Removes the spaces from names of MusicBrainz, such as `MusicBrainz Album Id`. Nil if a Vorbis comment cannot have
  /// the name.
  static func ofDescription(_ text: String) -> String? {
    let prefix = "MUSICBRAINZ "
    var name = text.uppercased()
    if name.hasPrefix(prefix) {
      name = "MUSICBRAINZ_" + name.dropFirst(prefix.count).filter { $0 != " " }
    }
    let isValid = name.utf8.allSatisfy { (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }
    return isValid && (1...TagCollector.maximumNameBytes).contains(name.utf8.count) ? name : nil
  }

  /// The number of stars for a rating from 0 to 255. For one to five stars, most programs write 1, 64, 128, 196 and
  /// 255. Nil if the rating is 0, which means that there is no rating.
  static func stars(_ rating: UInt8) -> Int? {
    switch rating {
    case 0: nil
    case ..<32: 1
    case ..<96: 2
    case ..<160: 3
    case ..<224: 4
    default: 5
    }
  }

  /// A genre as text. In ID3v2.3 a number is written as `(17)`. Several numbers can follow each other, and a text can
  /// follow the numbers. `((` stands for a bracket. In ID3v2.4 a number is written as `17`.
  static func genre(_ text: String) -> String {
    if let number = Int(text) { return genre(number) ?? text }
    var rest = text[...]
    var named: String?
    while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
      let code = rest[rest.index(after: rest.startIndex)..<end]
      guard let name = codes[String(code)] ?? Int(code).flatMap(genre) else { break }
      named = named ?? name
      rest = rest[rest.index(after: end)...]
    }
    if rest.hasPrefix("((") { rest = rest.dropFirst() }
    return rest.isEmpty ? named ?? text : String(rest)
  }

  private static let codes = ["RX": "Remix", "CR": "Cover"]

  private static func genre(_ number: Int) -> String? {
    genres.indices.contains(number) ? genres[number] : nil
  }

  /// The genres by number: 0 … 79 of ID3v1, and 80 … 191 of Winamp.
  static let genres = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz",
    "Metal", "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno",
    "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno",
    "Ambient", "Trip-Hop", "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental",
    "Acid", "House", "Game", "Sound Clip", "Gospel", "Noise", "Alternative Rock", "Bass", "Soul",
    "Punk", "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic",
    "Darkwave", "Techno-Industrial", "Electronic", "Pop-Folk", "Eurodance", "Dream",
    "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk", "Jungle",
    "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave", "Showtunes", "Trailer",
    "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical", "Rock & Roll",
    "Hard Rock", "Folk", "Folk-Rock", "National Folk", "Swing", "Fast Fusion", "Bebop", "Latin",
    "Revival", "Celtic", "Bluegrass", "Avantgarde", "Gothic Rock", "Progressive Rock",
    "Psychedelic Rock", "Symphonic Rock", "Slow Rock", "Big Band", "Chorus", "Easy Listening",
    "Acoustic", "Humour", "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony",
    "Booty Bass", "Primus", "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba",
    "Folklore", "Ballad", "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock",
    "Drum Solo", "A cappella", "Euro-House", "Dance Hall", "Goa", "Drum & Bass", "Club-House",
    "Hardcore Techno", "Terror", "Indie", "BritPop", "Worldbeat", "Polsk Punk", "Beat",
    "Christian Gangsta Rap", "Heavy Metal", "Black Metal", "Crossover", "Contemporary Christian",
    "Christian Rock", "Merengue", "Salsa", "Thrash Metal", "Anime", "JPop", "Synthpop",
    "Abstract", "Art Rock", "Baroque", "Bhangra", "Big Beat", "Breakbeat", "Chillout",
    "Downtempo", "Dub", "EBM", "Eclectic", "Electro", "Electroclash", "Emo", "Experimental",
    "Garage", "Global", "IDM", "Illbient", "Industro-Goth", "Jam Band", "Krautrock", "Leftfield",
    "Lounge", "Math Rock", "New Romantic", "Nu-Breakz", "Post-Punk", "Post-Rock", "Psytrance",
    "Shoegaze", "Space Rock", "Trop Rock", "World Music", "Neoclassical", "Audiobook",
    "Audio Theatre", "Neue Deutsche Welle", "Podcast", "Indie Rock", "G-Funk", "Dubstep",
    "Garage Rock", "Psybient",
  ]
}
