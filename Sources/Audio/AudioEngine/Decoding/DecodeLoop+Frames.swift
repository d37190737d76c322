internal import AudioCodecs

// Frames: from the decoder to the ring.
extension DecodeLoop {
  func decode(_ current: OpenTrack) -> Step {
    var track = current
    if let live = track.live { prepare(live, &track) }
    do throws(DecodeError) {
      switch try track.decoder.next() {
      case .frames(let block):
        if track.receive(block) { startSegment(&track) }
        if let samples = block.samples, block.frameCount > 0 {
          chain?.feed(samples, frames: block.frameCount)
        }
      case .formatChanged(let format):
        // The part in the new format is treated like the next track.
        track.change(to: format)
        drainChain()
        content = .next(track)
        return .worked
      case .metadataChanged(let metadata):
        track.change(to: metadata)
        startSegment(&track)
      case .skipped(let error):
        if track.damageCount < Self.reportedDamage { post(.damaged(id: track.id, error)) }
        track.damageCount += 1
      case .working:
        break
      case .waiting:
        content = .track(track)
        return .waits
      case .end:
        if !track.hasSound, track.startSeconds == 0 {
          postFailure(
            track.request, DecodeError(.endTrack, at: .frame(0), "the file contains no sound"))
        }
        finish(track)
        return .worked
      }
    } catch {
      postFailure(track.request, error)
      finish(track)
      return .worked
    }
    content = .track(track)
    return .worked
  }

  /// Call this before the next frames of a live input are taken.
  private func prepare(_ live: LiveDecoder, _ track: inout OpenTrack) {
    let written = input.writePosition
    live.progress = LiveProgress(written: written, end: written + (chain?.framesBehind ?? 0))
    if chain?.setRatio(live.input.ratio) == true {
      // The segment has the new coding of the frames.
      track.continueSegment()
      startSegment(&track)
    }
  }

  private func finish(_ track: OpenTrack) {
    if track.damageCount > Self.reportedDamage {
      post(.moreDamage(id: track.id, count: track.damageCount - Self.reportedDamage))
    }
    if track.hasSound { post(.decoded(id: track.id)) }
    advance(after: track.id)
  }
}
