/// The center's record of a surface.
struct SurfaceRecord {
  let description: SurfaceDescription
  /// Distinguishes this surface from earlier surfaces with the same identity.
  let generation: Int
  let show: (NowPlayingState) -> Void
  /// The last revision that the surface was given; 0 means none.
  var given = 0
  var check = SurfaceGuard()
  var channel = ChannelCheck()
}
