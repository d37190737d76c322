/// A cover: an identity, and a provider that supplies the picture at a requested size (A4).
///
/// Apple's provider is `async`. The provider here returns at once, with the picture or with *later*. After *later*, the
/// source passes the picture to ``NowPlayingCenter/artworkArrived(_:_:at:)`` on the control thread, with the ticket of
/// the request. Two covers are equal if their identities are equal, so `id` must change whenever a pixel changes.
public struct Artwork: Identifiable, Sendable, Equatable {
  /// Called on the control thread, when a surface needs the picture in a certain size. While a request for a size is
  /// pending, the center does not request the same size again. The provider must not block.
  public typealias Provider = @Sendable (ArtworkRequest) -> ArtworkResponse

  /// The identity. Caches use it as their key.
  public let id: String
  package let provider: Provider
  /// What the maker of the cover needs to deliver the picture without ``provider``. Nil for a cover with a provider.
  package let attachment: (any Sendable)?

  /// - Parameter artworkProvider: see ``Provider``.
  public init(id: String, artworkProvider: @escaping Provider) {
    self.id = id
    provider = artworkProvider
    attachment = nil
  }

  /// Creates a cover that its maker delivers itself. Its provider has no picture.
  package init(id: String, attachment: any Sendable) {
    self.id = id
    self.attachment = attachment
    provider = { _ in .none }
  }

  /// Compares the identities.
  public static func == (left: Artwork, right: Artwork) -> Bool { left.id == right.id }
}

/// A request to a provider.
public struct ArtworkRequest: Hashable, Sendable {
  /// The number of the request. The source passes it back with the picture.
  public let ticket: Int
  /// The content that the cover belongs to (A2).
  public let contentID: String
  /// The identity of the cover.
  public let artworkID: String
  /// The largest size that is useful to the surface.
  public let size: ArtworkSize

  package init(ticket: Int, contentID: String, artworkID: String, size: ArtworkSize) {
    self.ticket = ticket
    self.contentID = contentID
    self.artworkID = artworkID
    self.size = size
  }
}

/// The reference to the cover in a state. Each track has exactly one reference, never nil (A3).
public enum ArtworkReference: Hashable, Sendable, CustomStringConvertible {
  case placeholder
  case artwork(id: String)

  /// Text for traces and golden files.
  public var description: String {
    switch self {
    case .placeholder: "placeholder"
    case .artwork(let id): id
    }
  }
}
