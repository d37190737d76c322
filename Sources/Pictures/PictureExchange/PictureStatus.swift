/// The exit status of the program `autoharp-cover`.
public enum PictureStatus: Int32, Sendable {
  /// The result is complete and sealed.
  case decoded = 0
  /// The command line is not valid.
  case usage = 2
  /// The file is neither a JPEG nor a PNG.
  case unknownFormat = 3
  /// The picture exceeds a limit, or has no pixels.
  case tooLarge = 4
  /// The data does not match the header, or the colours are not supported (CMYK).
  case damaged = 5
  /// The program could not give up its rights, so it has not read the picture.
  case noSandbox = 6
  /// The picture could not be read, or the result could not be written.
  case noFile = 7
}
