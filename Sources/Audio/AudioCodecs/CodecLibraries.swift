internal import CFLAC
internal import CVorbisFile

/// The installed libraries for decoding.
public enum CodecLibraries {
  /// For example `libFLAC 1.4.2, Xiph.Org libVorbis 1.3.7`.
  public static var versions: String {
    let vorbis = vorbis_version_string().map { String(cString: $0) } ?? "libVorbis"
    return "libFLAC \(String(cString: cflac_version())), \(vorbis)"
  }
}
