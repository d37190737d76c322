/// What the center keeps about a surface.
struct SurfaceRecord {
  let description: SurfaceDescription
  /// Tells a former holder of the same identity from this one.
  let generation: Int
  let show: (NowPlayingState) -> Void
  /// The revision that it was given last; 0 is none.
  var given = 0
  var check = SurfaceGuard()
  var channel = ChannelCheck()
}
