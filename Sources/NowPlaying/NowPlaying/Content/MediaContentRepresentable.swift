/// What every kind of content has in common.
///
/// Apple's protocol of that name has the text in stored fields; here all text stands in
/// ``metadata``, so that there is one truth in several languages (P9), and the familiar names read
/// it.
public protocol MediaContentRepresentable: Identifiable, Equatable, Sendable where ID == String {
  /// The same as long as the same thing plays; a new one is a track change (P2).
  var id: String { get }
  /// What is known, in all languages.
  var metadata: MetadataItems { get }
  /// Sound or picture.
  var type: MediaType { get }
  /// Gross, with advertisements; nil where unknown (P6). Surfaces are given the net one.
  var duration: MediaDuration? { get set }
  /// The cover, as a reference (A2); nil is shown as a placeholder (A3).
  var artwork: Artwork? { get }
  /// Advertisements within (P8).
  var adTimeRanges: [AdTimeRange] { get }
  /// Said while nothing better is known; never replaces what is real (P5).
  var isPlaceholder: Bool { get }
  /// The album, show or list that it belongs to.
  var collectionID: String? { get }
  /// Not for every ear; nil where unknown.
  var isExplicit: Bool? { get }
  /// The lines for a listener.
  func lines(for listener: LanguageTag) -> ContentLines
}
