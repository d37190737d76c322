/// What one surface draws as the cover, as a value that any surface can own.
///
/// On a track change the old cover goes at once (A3), unless the new one is the same picture, which
/// stays without a flicker; then there is exactly one update, whenever the answer comes (A1, A5).
public struct ArtworkDisplay: Equatable, Sendable {
  /// What is drawn. The placeholder, while nothing has come.
  public private(set) var shown: ArtworkAnswer = .placeholder
  /// Answers drawn so far; one per cover.
  public private(set) var updates = 0
  private var contentID: String?
  private var reference = ArtworkReference.placeholder
  private var isWaiting = false

  /// An empty display.
  public init() {}

  /// Shows a new state. True where the surface must now ask for the cover.
  public mutating func show(contentID: String?, _ reference: ArtworkReference) -> Bool {
    defer { self.contentID = contentID }
    if reference == self.reference {
      // The same picture under the next track of an album; a question that was cancelled with
      // the old track is asked anew.
      return isWaiting && contentID != self.contentID
    }
    self.reference = reference
    shown = .placeholder
    isWaiting = reference != .placeholder
    if !isWaiting { updates += 1 }
    return isWaiting
  }

  /// Draws an answer, if it is for what is shown (A2). True where something changed.
  public mutating func draw(_ answer: ArtworkAnswer, for contentID: String) -> Bool {
    guard isWaiting, contentID == self.contentID, answer != .superseded else { return false }
    isWaiting = false
    shown = answer
    updates += 1
    return true
  }
}
