import NowPlaying

/// An owner of lists that records the requests, and lets a test answer them.
final class ScriptedListOwner: ListOwner {
  let listSession: SessionID
  private(set) var requests: [ListRequest] = []
  private(set) var replies: [CommandReply] = []

  init(_ session: SessionID) { listSession = session }

  func perform(_ request: ListRequest, _ reply: CommandReply) {
    requests.append(request)
    replies.append(reply)
  }
}
