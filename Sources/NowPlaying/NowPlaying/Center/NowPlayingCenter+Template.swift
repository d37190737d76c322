// Taps on the buttons of the template.
extension NowPlayingCenter {
  func tap(_ request: TemplateRequest, _ press: Press) {
    guard let index = records.firstIndex(where: { $0.id == arbitration.primary }) else {
      return refuse(press, .nothingPlaying)
    }
    let record = records[index]
    switch request {
    case .button(let number):
      let buttons = record.template.nowPlayingButtons
      guard buttons.indices.contains(number), state.template.buttons.indices.contains(number) else {
        return refuse(press, .noButton(number))
      }
      guard state.template.buttons[number].isEnabled else {
        return refuse(press, .buttonDisabled(number))
      }
      if let handler = buttons[number].handler {
        return handler(expectAnswer(press, session: record.id, kind: nil))
      }
      let offer = buttons[number].command.flatMap { kind in
        record.shownOffers.first { $0.kind == kind }
      }
      if let request = buttons[number].request {
        return perform(request.clearingSetMark(where: offer), press)
      }
      guard
        let next = offer.flatMap({
          NextMode.request(for: $0, rate: record.anchor?.defaultPlaybackRate ?? 1)
        })
      else { return refuse(press, .buttonDisabled(number)) }
      route(next, press)
    case .upNext:
      notify(press, if: record.template.isUpNextButtonEnabled) {
        $0.nowPlayingTemplateUpNextButtonTapped(record.id)
      }
    case .albumArtist:
      notify(press, if: record.template.isAlbumArtistButtonEnabled) {
        $0.nowPlayingTemplateAlbumArtistButtonTapped(record.id)
      }
    }
  }

  private func notify(
    _ press: Press, if isOn: Bool, _ call: (any NowPlayingTemplateObserver) -> Void
  ) {
    let observers = observers.compactMap(\.observer)
    guard isOn, !observers.isEmpty else { return refuse(press, .noObserver) }
    trace.update(press.number) { $0.verdict = .accepted(nil) }
    for observer in observers { call(observer) }
    answer(press, .success)
  }
}

extension CommandRequest {
  /// Returns the request of a button. But if the request sets a mark (like, dislike, bookmark) that
  /// is already set, the result is the request that clears this mark.
  fileprivate func clearingSetMark(where offer: CommandOffer?) -> CommandRequest {
    guard case .feedback(isActive: true, _)? = offer?.parameters else { return self }
    switch self {
    case .media(.like): return .media(.like(false))
    case .media(.dislike): return .media(.dislike(false))
    case .media(.bookmark): return .media(.bookmark(false))
    default: return self
    }
  }
}
