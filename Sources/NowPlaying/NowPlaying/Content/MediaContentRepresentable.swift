/// The properties that all kinds of content have in common.
///
/// Apple's protocol of this name stores texts in fields. Here all texts are in ``metadata``, so
/// that there is one source of truth for several languages (P9). The familiar properties read it.
public protocol MediaContentRepresentable: Identifiable, Equatable, Sendable where ID == String {
  /// Constant while the same thing plays; a new value is a track change (P2).
  var id: String { get }
  /// All known facts, in all languages.
  var metadata: MetadataItems { get }
  /// Sound or picture.
  var type: MediaType { get }
  /// The gross length, with advertisements; nil if unknown (P6). Surfaces get the net length.
  var duration: MediaDuration? { get set }
  /// The cover, as a reference (A2); nil is shown as the placeholder (A3).
  var artwork: Artwork? { get }
  /// Advertisements within the content (P8).
  var adTimeRanges: [AdTimeRange] { get }
  /// True while nothing better is known. A placeholder never replaces real content (P5).
  var isPlaceholder: Bool { get }
  /// The album, show or list that the content belongs to.
  var collectionID: String? { get }
  /// True for explicit content; nil if unknown.
  var isExplicit: Bool? { get }
  /// The lines in the language of a listener.
  func lines(for listener: LanguageTag) -> ContentLines
}
