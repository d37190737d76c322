/// The installed libraries for decoding.
public enum CodecLibraries {
  /// For example `libFLAC 1.4.2, Xiph.Org libVorbis 1.3.7, libopus 1.3.1, libmpg123 with API 47`.
  public static var versions: String {
    let libraries = OggCodecs.all.map { $0.library } + FileFormats.all.map { $0.library }
    return libraries.compactMap { $0 }.joined(separator: ", ")
  }
}
