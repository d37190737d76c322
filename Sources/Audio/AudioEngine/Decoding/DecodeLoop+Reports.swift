internal import AudioCodecs

// Reports to the control thread.
extension DecodeLoop {
  /// The number of damaged places in one track that are reported one by one. Further places are
  /// only counted, because a hostile file can have one in each packet.
  static let reportedDamage = 20

  func post(_ event: EngineEvent) { exchange.post(event, command: input.command) }

  func postFailure(_ request: TrackRequest, _ error: DecodeError) {
    post(.failed(id: request.id, error, isGone: request.isGone()))
  }

  func reportEnd(after id: Int) {
    if device == nil {
      // Without a device, the output thread would not reach an end event. So report the end
      // directly.
      post(.ended(after: id))
    } else {
      input.push(StreamEvent(kind: .end, position: input.writePosition, token: id))
    }
  }
}
