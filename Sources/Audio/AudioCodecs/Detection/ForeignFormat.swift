/// A format that is recognised by its content and cannot be played. The raw value identifies the format and must not
/// change between versions.
public enum ForeignFormat: String, CaseIterable, Hashable, Sendable {
  /// AAC, in an MP4 file or in ADTS frames.
  case aac
  /// Apple Lossless, in an MP4 file.
  case alac
  /// Sound that only the seller's player can decrypt.
  case protected
  /// Windows Media Audio.
  case wma
  /// Monkey's Audio.
  case ape
  case wavPack = "wavpack"
  case musepack
  /// One-bit sound, in a DSF or DSDIFF file.
  case dsd
  /// True Audio.
  case tta
  case tak
  case optimFROG = "optimfrog"
  case realAudio = "realaudio"
  /// Adaptive Multi-Rate, the coding of telephone recordings.
  case amr
  case matroska
  case midi
  /// WAV with the most significant byte first.
  case rifx
  case ac3
  case eac3
  case dts
  /// An MP4 file with a coding that none of these cases names, or without a description of its sound.
  case mp4
  /// A film.
  case video
  case picture
  /// A web page, for example one that a server sent instead of the requested file.
  case page
  case text

  /// The name for display. If ``isSound`` is true, the name is the same in all languages.
  public var name: String {
    switch self {
    case .aac: "AAC"
    case .alac: "ALAC"
    case .protected: "DRM"
    case .wma: "WMA"
    case .ape: "APE"
    case .wavPack: "WavPack"
    case .musepack: "Musepack"
    case .dsd: "DSD"
    case .tta: "TTA"
    case .tak: "TAK"
    case .optimFROG: "OptimFROG"
    case .realAudio: "RealAudio"
    case .amr: "AMR"
    case .matroska: "Matroska"
    case .midi: "MIDI"
    case .rifx: "RIFX"
    case .ac3: "AC-3"
    case .eac3: "E-AC-3"
    case .dts: "DTS"
    case .mp4: "MP4"
    case .video: "video"
    case .picture: "picture"
    case .page: "web page"
    case .text: "text"
    }
  }

  /// False if the file contains no sound. Its name can still have the extension of a music file.
  public var isSound: Bool {
    switch self {
    case .video, .picture, .page, .text: false
    default: true
    }
  }

  /// Why the file cannot be played.
  var reason: String {
    switch self {
    case .protected: "the file is protected (DRM)"
    case .video, .picture, .page: "the file is a \(name)"
    case .text: "the file is a text file"
    default: "\(name) is not supported"
    }
  }
}
