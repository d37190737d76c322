/// What the screen and the library request from the program `autoharp-cover`. The request is the command line. Standard
/// input of the program is the picture file, and standard output is the ``PictureFile`` for the result.
public struct PictureRequest: Equatable, Sendable {
  /// The form of the result.
  public enum Form: String, Sendable {
    /// The central square of the picture on white, without transparency. So the background of the screen is not visible
    /// through the cover. The screen computes the colours of its background from this result.
    case cover
    /// The whole picture with its alpha channel.
    case shape
    /// The same square as in `cover`, as a JPEG. The caller can store this result without an encoder.
    case thumbnail
  }

  /// The greatest ``side``. The result then has 16 MiB.
  public static let largestSide = 2048
  /// The greatest ``side`` of a thumbnail, so that its JPEG is small.
  public static let largestThumbnailSide = 192

  /// The form of the result.
  public let form: Form
  /// The greatest width and height of the result, in pixels.
  public let side: Int

  /// Creates a request. `side` is limited to 1 … ``largestSide`` or ``largestThumbnailSide``.
  public init(_ form: Form, side: Int) {
    self.form = form
    self.side = min(max(side, 1), Self.largestSide(of: form))
  }

  private static func largestSide(of form: Form) -> Int {
    form == .thumbnail ? largestThumbnailSide : largestSide
  }

  /// Parses the arguments of the program, without the program's name. Nil if they are not valid.
  public init?(arguments: [String]) {
    guard arguments.count == 2, let form = Form(rawValue: arguments[0]),
      let side = Int(arguments[1]), (1...Self.largestSide(of: form)).contains(side)
    else { return nil }
    self.init(form, side: side)
  }

  /// The arguments of the program.
  public var arguments: [String] { [form.rawValue, "\(side)"] }
}
