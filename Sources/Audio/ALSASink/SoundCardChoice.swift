internal import AudioEngine
internal import Files
internal import Synchronization

/// A sound card that can play, as the kernel shows it in `/proc/asound`.
public struct SoundCard: Equatable, Sendable {
  /// How the card is connected.
  public enum Kind: String, Equatable, Sendable, CaseIterable {
    /// A card that is connected by USB.
    case usb
    /// A DAC at the I2S pins of the board.
    case dac
    /// The headphone jack of a Raspberry Pi.
    case jack
    /// An HDMI port of a Raspberry Pi.
    case hdmi
  }

  /// How the card is connected. Nil if no case of ``Kind`` fits.
  public let kind: Kind?
  /// ALSA's identity of the card, such as `Headphones`.
  public let id: String

  /// The name of the PCM. An HDMI card takes only IEC 958 frames. ALSA's PCM `hdmi` converts samples to these frames.
  public var pcm: String { kind == .hdmi ? "hdmi:CARD=\(id)" : "hw:CARD=\(id),DEV=0" }

  /// The cards of the machine, in the order of their numbers. Does not block, because the kernel provides the files.
  ///
  /// - Parameter folder: the folder in which the kernel shows its cards.
  public static func all(in folder: String = "/proc/asound") -> [SoundCard] {
    (0..<32).compactMap { number in
      let card = "\(folder)/card\(number)"
      // A card that can only record has no file `pcm0p/info`.
      guard FirstWord.of("\(card)/pcm0p/info") != nil, let id = FirstWord.of("\(card)/id"),
        id.utf8.allSatisfy(isPlain)
      else { return nil }
      return SoundCard(kind: kind(id, isUSB: FirstWord.of("\(card)/usbid") != nil), id: id)
    }
  }

  /// True for the bytes that the kernel permits in the identity of a card. Any other byte could change the meaning of
  /// the name of the PCM.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The drivers snd-bcm2835 and vc4 set the identities `Headphones` and `vc4hdmi…`. The device tree of the DAC sets
  /// `dac`.
  private static func kind(_ id: String, isUSB: Bool) -> Kind? {
    if isUSB { return .usb }
    if id == "dac" { return .dac }
    if id == "Headphones" { return .jack }
    return id.hasPrefix("vc4hdmi") ? .hdmi : nil
  }
}

/// Chooses the sound card each time the output is opened: at the start, and after the loss of the card.
///
/// - Thread: any.
public final class SoundCardChoice: Sendable {
  private let wanted: SoundCard.Kind?
  private let folder: String
  private let last = Mutex<SoundCard?>(nil)

  /// - Parameters:
  ///   - wanted: the kind of the card. If nil, the first kind of ``SoundCard/Kind`` that is present is chosen, or
  ///     ALSA's default PCM if no card of these kinds is present.
  ///   - folder: the folder in which the kernel shows its cards.
  public init(_ wanted: SoundCard.Kind?, folder: String = "/proc/asound") {
    self.wanted = wanted
    self.folder = folder
  }

  /// The card that was chosen last; nil if the default PCM was chosen, or if no card was chosen yet.
  public var chosen: SoundCard? { last.withLock { $0 } }

  /// Chooses the PCM to open now.
  ///
  /// - Throws: if there is no card of the wanted kind.
  func pcm() throws(SinkError) -> String {
    let cards = SoundCard.all(in: folder)
    let card: SoundCard?
    if let wanted {
      card = cards.first { $0.kind == wanted }
      guard card != nil else {
        throw SinkError("no sound card of the kind '\(wanted.rawValue)'", isAbsent: true)
      }
    } else {
      card =
        SoundCard.Kind.allCases.lazy.compactMap { kind in cards.first { $0.kind == kind } }
        .first
    }
    last.withLock { $0 = card }
    return card?.pcm ?? "default"
  }
}
