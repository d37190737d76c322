/// A value that applies the rules of artwork (A1 … A4): it stores which requests are pending, and decides which answers
/// are accepted.
///
/// At most one request per cover and size is pending, even if several surfaces ask for the cover (A1). An answer is
/// accepted if it is the first answer to the request, if the picture can be shown, and if the content has not changed
/// after the request (A2).
public struct ArtworkRequests: Equatable, Sendable {
  /// The decision about a request of a surface.
  public enum Question: Equatable, Sendable {
    /// Ask the provider.
    case ask(ArtworkRequest)
    /// The same request is already pending, with this ticket. Its answer is for this surface too.
    case joins(ticket: Int)
    /// The content has no cover, or too many requests are pending.
    case placeholder
    /// The content is not current any more.
    case superseded
  }

  /// The decision about an answer of a provider.
  public enum Verdict: Equatable, Sendable {
    case deliver(ArtworkAnswer)
    /// No request with this ticket is pending: the content has changed, or the request was already answered (A1, A2).
    case refused
  }

  /// Counters for the diagnosis. ``FailurePattern`` lists the patterns.
  public struct Counts: Equatable, Sendable {
    /// Requests to providers.
    public var asked = 0
    /// Pictures delivered.
    public var images = 0
    /// Placeholders delivered because the provider had no picture (pattern 3a).
    public var none = 0
    /// Answers that cannot be shown because of their file type or size (pattern 3b).
    public var unusable = 0
    /// Answers without a pending request, usually because the content has changed (pattern 3c).
    public var late = 0
    /// Number of changes of the cover while the content stayed the same (pattern 3d).
    public var changesWithinContent = 0
  }

  /// Maximum number of pending requests. A limit is necessary, because a stick that does not respond can leave requests
  /// pending for hours. A head unit has fewer than 16 surfaces, so normal use does not reach the limit.
  static let pendingLimit = 16

  /// The counters so far.
  public private(set) var counts = Counts()
  /// The last picture that was delivered for the current content; nil if there is none.
  public private(set) var delivered: ArtworkRepresentation?
  private var contentID: String?
  private var artworkID: String?
  private var pending: [Int: ArtworkRequest] = [:]
  private var lastTicket = 0

  /// Creates a value without content and without pending requests.
  public init() {}

  /// Sets the current content. Called at each publication. Returns the tickets of the requests that this change
  /// cancels. The surfaces that made these requests get ``ArtworkAnswer/superseded``.
  public mutating func contentChanged(to contentID: String?, artworkID: String?) -> [Int] {
    if contentID == self.contentID, artworkID == self.artworkID { return [] }
    if contentID == self.contentID, contentID != nil, self.artworkID != nil {
      counts.changesWithinContent += 1
    }
    self.contentID = contentID
    self.artworkID = artworkID
    delivered = nil
    let superseded = pending.filter {
      $0.value.contentID != contentID || $0.value.artworkID != artworkID
    }
    for ticket in superseded.keys { pending[ticket] = nil }
    return superseded.keys.sorted()
  }

  /// Called when a surface requests the cover of the content that it shows.
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

  /// The size that the request with this ticket has asked for. Nil if no such request is pending.
  public func size(of ticket: Int) -> ArtworkSize? { pending[ticket]?.size }

  /// Called when a provider has answered. If `answer` is nil, the provider has no picture.
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
    delivered = answer
    return .deliver(.image(answer))
  }

  /// True for a JPEG or PNG of the size that ``ArtworkSize/fitted(original:)`` requires (A4). Because of rounding, each
  /// side can differ by one pixel.
  private static func isUsable(_ answer: ArtworkRepresentation, for request: ArtworkRequest) -> Bool
  {
    guard answer.dataType == .jpeg || answer.dataType == .png else { return false }
    let wanted = request.size.fitted(original: answer.originalSize)
    return abs(answer.size.width - wanted.width) <= 1
      && abs(answer.size.height - wanted.height) <= 1
  }
}
