/// A cover: an identity, and a way to get it at a size (A4).
///
/// Apple's provider is `async`; this one answers at once or says *later*, and the answer is then
/// handed to the center on the control thread under the request's ticket. Equal if the identities
/// are, so `id` must change with every pixel.
public struct Artwork: Identifiable, Sendable, Equatable {
  /// Asked lazily, once per size, on the control thread; must not block.
  public typealias Provider = @Sendable (ArtworkRequest) -> ArtworkResponse

  /// What caches go by.
  public let id: String
  let provider: Provider

  /// - Parameter artworkProvider: see ``Provider``.
  public init(id: String, artworkProvider: @escaping Provider) {
    self.id = id
    provider = artworkProvider
  }

  /// By identity.
  public static func == (left: Artwork, right: Artwork) -> Bool { left.id == right.id }
}

/// What a provider is asked for.
public struct ArtworkRequest: Hashable, Sendable {
  /// Under this the answer is returned.
  public let ticket: Int
  /// For which content (A2).
  public let contentID: String
  /// Which cover.
  public let artworkID: String
  /// The largest size that is of use.
  public let size: ArtworkSize
}

/// The cover in a state: one reference per track, never nil (A3).
public enum ArtworkReference: Hashable, Sendable, CustomStringConvertible {
  case placeholder
  case artwork(id: String)

  /// For a trace or a golden.
  public var description: String {
    switch self {
    case .placeholder: "placeholder"
    case .artwork(let id): id
    }
  }
}
