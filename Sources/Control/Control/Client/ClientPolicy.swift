/// The intervals and timeouts of a client.
package struct ClientPolicy: Equatable, Sendable {
  /// The time between two checks of a daemon that answers. Nil if another program ends a daemon that hangs.
  package var pingInterval: Duration? = .seconds(2)
  /// After this time without an answer, the daemon counts as hanging.
  package var answerTimeout = Duration.seconds(2)
  /// The wait before the first attempt to reconnect. The wait doubles with each attempt.
  package var firstRetry = Duration.milliseconds(50)
  /// The maximum wait before an attempt to reconnect.
  package var longestRetry = Duration.seconds(1)
  /// The number of ended connections within ``loopTime`` that counts as a restart loop.
  package var loopCount = 3
  /// The time in which ``loopCount`` ended connections count as a restart loop.
  package var loopTime = Duration.seconds(60)
  /// The daemon's systemd unit. If nil, the reason why the daemon ended is not requested from the service manager.
  package var serviceName: String? = "autoharp.service"

  /// The defaults, for a screen and a console.
  package init() {}
}
