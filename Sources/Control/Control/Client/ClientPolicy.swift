/// How patient a client is.
package struct ClientPolicy: Equatable, Sendable {
  /// Between one look at the daemon and the next, while it answers.
  package var pingInterval = Duration.seconds(2)
  /// Without an answer for so long, it hangs.
  package var patience = Duration.seconds(2)
  /// From the first attempt to come back to it, doubled each time…
  package var firstRetry = Duration.milliseconds(50)
  /// … up to this.
  package var longestRetry = Duration.seconds(1)
  /// So many ends of the connection…
  package var loopCount = 3
  /// … within so long are a loop.
  package var loopTime = Duration.seconds(60)
  /// The daemon's unit at the service manager; nil to ask nobody why it ended.
  package var serviceName: String? = "autoharp.service"

  /// What suits a screen and a console.
  package init() {}
}
