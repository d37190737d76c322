/// The properties that all kinds of content have in common.
///
/// Apple's protocol of this name stores texts in fields. Here all texts are in ``metadata``, because a text can exist
/// in several languages (P9). The properties with Apple's names, such as ``MusicContent/songTitle``, read their texts
/// from ``metadata``.
public protocol MediaContentRepresentable: Identifiable, Equatable, Sendable where ID == String {
  /// The identity. It is constant while the same content plays; a new value is a track change (P2).
  var id: String { get }
  /// All known facts, in all languages.
  var metadata: MetadataItems { get set }
  /// Audio or video.
  var type: MediaType { get }
  /// The gross length, with advertisements; nil if unknown (P6). Surfaces get the net length.
  var duration: MediaDuration? { get set }
  /// The cover, as a reference (A2). If it is nil, surfaces show the placeholder (A3).
  var artwork: Artwork? { get set }
  /// Advertisements within the content (P8).
  var adTimeRanges: [AdTimeRange] { get }
  /// True if this content stands for real content that is not known yet. A placeholder never replaces real content with
  /// the same identity (P5).
  var isPlaceholder: Bool { get }
  /// The identity of the album, show or list to which the content belongs; nil if unknown.
  var collectionID: String? { get }
  /// True for explicit content; nil if unknown.
  var isExplicit: Bool? { get }
  /// The lines in the language of a listener.
  func lines(for listener: LanguageTag) -> ContentLines
}
