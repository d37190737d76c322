internal import AudioCodecs

// Requests of the device, and its loss.
extension DecodeLoop {
  func receiveDevice() -> Step {
    guard let answer = output.takeAnswer() else {
      // While a new command waits, the renderer outputs no frames. But it must reach the event that
      // requests the device. So discard the frames before this event.
      if exchange.hasCommand { input.discardWritten() }
      return .waits
    }
    if case .track(let track) = content { start(track, on: answer) }
    return .worked
  }

  /// Requests a device for an overlay, if there is no device yet.
  func requestMissingDevice(_ format: StreamFormat) {
    if output.isMissing { output.request(format, after: &input) }
  }

  /// Called after the device was lost, if the frames in the ring do not fit the new device. Frames
  /// that were not handed over yet are decoded again after the new device is set up.
  func startOver() {
    let position = input.readPosition
    let time = device.flatMap { ringTracks.time(at: position, sampleRate: $0.sampleRate) }
    let isAllHandedOver = position == input.writePosition && !input.hasFrames
    let lost = output
    output.forget()
    if lost.isRequested, case .track(let waiting) = content, isAllHandedOver || time == nil {
      // This track waits for a device, and its device request is void now. Request a device for it
      // again, and discard all frames in the ring.
      discardFrames()
      begin(waiting)
    } else if let time, !(isAllHandedOver && isOver) {
      // The decode thread may have taken the upcoming track already. So ask the control thread for
      // it again.
      exchange.forgetUpcoming()
      perform(.play(time.request, seconds: time.seconds))
    } else if let format = lost.request {
      // No content is left to play. But perhaps the output has not reached the end event yet. It
      // needs a device to reach this event.
      output.request(format, after: &input)
    }
  }

  /// True if no more frames will be written.
  private var isOver: Bool {
    if case .nothing = content { true } else { false }
  }
}
