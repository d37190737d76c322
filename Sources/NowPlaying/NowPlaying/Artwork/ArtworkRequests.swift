/// The rules of artwork (A1 … A4) as a value: who asked for what, and which answers count.
///
/// One request per cover and size is under way at a time, however many ask (A1). An answer counts
/// if it is the first, can be shown, and its content is still the current one (A2).
public struct ArtworkRequests: Equatable, Sendable {
  /// What becomes of a question.
  public enum Question: Equatable, Sendable {
    /// Ask the provider.
    case ask(ArtworkRequest)
    /// Somebody asked already: the answer will come under this ticket.
    case joins(ticket: Int)
    /// There is none to ask for.
    case placeholder
    /// That content is not current any more.
    case superseded
  }

  /// What becomes of an answer.
  public enum Verdict: Equatable, Sendable {
    case deliver(ArtworkAnswer)
    /// Nobody waits for it: late, or a second answer (A1, A2).
    case refused
  }

  /// What was counted, for the diagnosis.
  public struct Counts: Equatable, Sendable {
    /// Requests to providers.
    public var asked = 0
    /// Pictures delivered.
    public var images = 0
    /// Placeholders delivered, because the provider had none.
    public var none = 0
    /// Answers that cannot be shown: kind of file, or size (patterns 3a, 3b).
    public var unusable = 0
    /// Answers for content that had gone (pattern 3c).
    public var late = 0
    /// Times that the cover changed under the same content (pattern 3d).
    public var changesWithinContent = 0
  }

  /// More sizes at a time are not asked for: no head unit has so many surfaces, and a stick that
  /// does not answer may do so for hours.
  static let pendingLimit = 16

  /// What was counted so far.
  public private(set) var counts = Counts()
  private var contentID: String?
  private var artworkID: String?
  private var pending: [Int: ArtworkRequest] = [:]
  private var lastTicket = 0

  /// Nothing plays.
  public init() {}

  /// The current content, whenever it is published. Returns the tickets whose askers are told
  /// ``ArtworkAnswer/superseded``.
  public mutating func contentChanged(to contentID: String?, artworkID: String?) -> [Int] {
    if contentID == self.contentID, artworkID == self.artworkID { return [] }
    if contentID == self.contentID, contentID != nil, self.artworkID != nil {
      counts.changesWithinContent += 1
    }
    self.contentID = contentID
    self.artworkID = artworkID
    let gone = pending.filter { $0.value.contentID != contentID || $0.value.artworkID != artworkID }
    for ticket in gone.keys { pending[ticket] = nil }
    return gone.keys.sorted()
  }

  /// A surface wants the cover of the content that it shows.
  public mutating func ask(for contentID: String, size: ArtworkSize) -> Question {
    guard contentID == self.contentID else { return .superseded }
    guard let artworkID else { return .placeholder }
    if let known = pending.values.first(where: { $0.size == size }) {
      return .joins(ticket: known.ticket)
    }
    guard pending.count < Self.pendingLimit else { return .placeholder }
    lastTicket += 1
    let request = ArtworkRequest(
      ticket: lastTicket, contentID: contentID, artworkID: artworkID, size: size)
    pending[lastTicket] = request
    counts.asked += 1
    return .ask(request)
  }

  /// A provider has answered.
  public mutating func arrived(_ ticket: Int, _ answer: ArtworkRepresentation?) -> Verdict {
    guard let request = pending.removeValue(forKey: ticket) else {
      counts.late += 1
      return .refused
    }
    guard let answer else {
      counts.none += 1
      return .deliver(.placeholder)
    }
    guard Self.isUsable(answer, for: request) else {
      counts.unusable += 1
      return .deliver(.placeholder)
    }
    counts.images += 1
    return .deliver(.image(answer))
  }

  /// Whether it is a picture, and of the size that was asked for (A4). A pixel of rounding is
  /// forgiven.
  private static func isUsable(_ answer: ArtworkRepresentation, for request: ArtworkRequest) -> Bool
  {
    guard answer.dataType == .jpeg || answer.dataType == .png else { return false }
    let wanted = request.size.fitted(original: answer.originalSize)
    return abs(answer.size.width - wanted.width) <= 1
      && abs(answer.size.height - wanted.height) <= 1
  }
}
