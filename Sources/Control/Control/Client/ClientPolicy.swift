/// The intervals and timeouts of a client.
package struct ClientPolicy: Equatable, Sendable {
  /// The time between two checks of a daemon that answers.
  package var pingInterval = Duration.seconds(2)
  /// After this time without an answer, the daemon counts as hanging.
  package var answerTimeout = Duration.seconds(2)
  /// The wait before the first reconnection attempt. It doubles with each attempt …
  package var firstRetry = Duration.milliseconds(50)
  /// … up to this maximum.
  package var longestRetry = Duration.seconds(1)
  /// This number of ended connections …
  package var loopCount = 3
  /// … within this time counts as a restart loop.
  package var loopTime = Duration.seconds(60)
  /// The daemon's systemd unit. Nil if the service manager is not asked why the daemon ended.
  package var serviceName: String? = "autoharp.service"

  /// The defaults, for a screen and a console.
  package init() {}
}
