import NowPlaying

/// The cover that one surface draws. This is a value, so each surface can have its own display.
///
/// If the next track has the same cover, the drawn picture stays, so nothing flickers. If the next track has another
/// cover, the old cover disappears at once (A3). The new cover is drawn only one time, when the answer arrives (A1,
/// A5).
struct ArtworkDisplay: Equatable, Sendable {
  /// The answer that is drawn. This is the placeholder until an answer has arrived.
  private(set) var shown: ArtworkAnswer = .placeholder
  /// Number of covers drawn so far. A placeholder counts only for a track without a cover.
  private(set) var updates = 0
  private var contentID: String?
  private var reference = ArtworkReference.placeholder
  private var isWaiting = false

  /// Creates a display that shows the placeholder.
  init() {}

  /// Shows a new state. Returns true if the surface must now request the cover.
  mutating func show(contentID: String?, _ reference: ArtworkReference) -> Bool {
    defer { self.contentID = contentID }
    if reference == self.reference {
      // The cover is the same, for example because the next track of an album plays. If the request for the old track
      // was not answered yet, the center has cancelled this request, so the surface must request the cover again.
      return isWaiting && contentID != self.contentID
    }
    self.reference = reference
    shown = .placeholder
    isWaiting = reference != .placeholder
    if !isWaiting { updates += 1 }
    return isWaiting
  }

  /// Draws an answer if the answer is for the shown content (A2). Returns true if something changed.
  mutating func draw(_ answer: ArtworkAnswer, for contentID: String) -> Bool {
    guard isWaiting, contentID == self.contentID, answer != .superseded else { return false }
    isWaiting = false
    shown = answer
    updates += 1
    return true
  }
}
