internal import BusMethods
internal import EventLoop
internal import NowPlaying

/// The interface for clients that are surfaces.
package enum Surface1 {
  package static let interface = MethodTable(
    "Surface1",
    [
      register.row, unregister.row, observed.row, checkChannel.row, confirmShown.row,
      returnToken.row,
    ],
    signals: [channelToken.declaration])

  static let register: ControlMethod<SurfaceRegistration, NowPlayingState> = .init(
    "Surface1.Register", .play,
    takes: .record(SurfaceRegistration()) { field, surface in
      try field("name", &surface.name, .text)
      try field("showsTemplate", &surface.showsTemplate, .flag)
    },
    returns: NowPlaying1.state.get.method.returns)

  static let unregister: ControlMethod<Void, Void> = .init("Surface1.Unregister", .play)

  /// Reports what the surface shows (P12).
  static let observed: ControlMethod<DisplayedState, String> = .init(
    "Surface1.Observed", .play, takes: .one("shown", .displayed), returns: .one("verdict", .text))

  /// Begins a loop-back test (C7).
  static let checkChannel: ControlMethod<Void, Void> = .init("Surface1.CheckChannel", .play)
  static let confirmShown: ControlMethod<Int, Void> = .init(
    "Surface1.ConfirmShown", .play, takes: .one("token", .count))
  static let returnToken: ControlMethod<Int, Void> = .init(
    "Surface1.ReturnToken", .play, takes: .one("token", .count))

  static let channelToken = BusSignal<Int>("Surface1.ChannelToken", carries: .one("token", .count))
}

/// A request to become a surface.
struct SurfaceRegistration: Equatable, Sendable {
  var name = ""
  var showsTemplate = false
}

extension WireType<DisplayedState> {
  fileprivate static var displayed: Self {
    Self("a{sv}", AnswerCoding.value(of:), read: AnswerCoding.displayedState)
  }
}
