/// The tags and pictures of a stream.
public struct AudioMetadata: Equatable, Sendable {
  /// The tags, under the names of Vorbis comments.
  public var comments: VorbisComments
  /// References to the pictures. The bytes stay in the file.
  public var pictures: [PictureReference]

  /// Creates metadata. Without arguments, there are no tags and no pictures.
  public init(comments: VorbisComments = VorbisComments(), pictures: [PictureReference] = []) {
    self.comments = comments
    self.pictures = pictures
  }

  /// Title of the track.
  public var title: String? { comments.first("TITLE") }
  /// All artists, joined with commas.
  public var artist: String? { joined("ARTIST") }
  /// Title of the album.
  public var album: String? { comments.first("ALBUM") }
  /// The artist of the album, if the tag exists.
  public var albumArtist: String? { joined("ALBUMARTIST") ?? joined("ALBUM ARTIST") }
  /// The number in `TRACKNUMBER`. For `3/12` it is 3.
  public var trackNumber: Int? { leadingNumber("TRACKNUMBER") }
  /// The number in `DISCNUMBER`. For `1/2` it is 1.
  public var discNumber: Int? { leadingNumber("DISCNUMBER") }
  /// ReplayGain and R128 tags.
  public var loudness: Loudness { Loudness(comments) }

  private func joined(_ name: String) -> String? {
    let values = comments.all(name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private func leadingNumber(_ name: String) -> Int? {
    comments.first(name).flatMap { Int($0.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }) }
  }
}
