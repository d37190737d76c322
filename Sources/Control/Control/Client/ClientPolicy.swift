/// The intervals and timeouts of a client.
package struct ClientPolicy: Equatable, Sendable {
  /// The time between two checks whether the daemon answers. Nil to make no such checks. Use nil if another program
  /// ends a daemon that hangs.
  package var pingInterval: Duration? = .seconds(2)
  /// After this time without an answer, the daemon counts as hanging.
  package var answerTimeout = Duration.seconds(2)
  /// The wait before the first attempt to reconnect. The wait doubles with each attempt.
  package var firstRetry = Duration.milliseconds(50)
  /// The maximum wait before an attempt to reconnect.
  package var longestRetry = Duration.seconds(1)
  /// If this number of connections ends within ``loopTime``, the daemon is in a restart loop.
  package var loopCount = 3
  /// See ``loopCount``.
  package var loopTime = Duration.seconds(60)
  /// The daemon's systemd unit. The service manager is asked why this unit ended. If nil, the service manager is not
  /// asked.
  package var serviceName: String? = "autoharp.service"

  /// The defaults, for a screen and a console.
  package init() {}
}
