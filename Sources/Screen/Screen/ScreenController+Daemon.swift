internal import Control
internal import LibraryModel
internal import NowPlaying
package import Reports
internal import ScreenDisplay
internal import ScreenLayout
internal import SystemClock

// Handles what the daemon sends.
extension ScreenController {
  func daemonChanged() {
    if client.state == .connected {
      // After a hang of the daemon, the connection still exists, and the daemon does not send its state again. So the
      // screen shows the old state again. After a lost connection, the daemon counts as available only when it has sent
      // its state.
      if isHanging {
        if model.state != nil { model.setPresent() }
        if let phones = client.phones { send(model.receive(phones, at: .now())) }
        // The questions that were asked during the hang have failed, so the page asks again.
        send(model.pages.refresh())
      }
      isHanging = false
    } else {
      if case .hangs = client.state { isHanging = true } else { isHanging = false }
      model.setAway(at: .now())
      buttonPictures.forget()
      if let finding = client.state.finding { onLog?(.daemonUnavailable, finding) }
    }
    paintSoon()
  }

  func receive(_ state: NowPlayingState) {
    model.setPresent()
    let obstacle = model.state?.obstacle
    send(model.receive(state, at: .now()))
    if state.obstacle != obstacle, let new = state.obstacle { showRefusal(new) }
    requestCover()
    requestButtonPictures()
    report.stateArrived()
    paintSoon()
  }

  func receive(_ library: LibraryState) {
    thumbnails.retry()
    send(model.receive(library))
    paintSoon()
  }

  /// Receives the settings from the daemon.
  package func receive(_ settings: SettingsState) {
    model.settings = settings
    paintSoon()
  }

  func receive(_ phones: PhonesState) {
    send(model.receive(phones, at: .now()))
    paintSoon()
  }

  func receive(_ notice: UnitNotice) {
    let words = model.words
    let (text, symbol): (String, Symbol) =
      switch notice.kind {
      case .mediumGone: (words.notices.stickRemoved, .stick)
      case .mediumSilent: (words.notices.stickSilent, .stick)
      case .mediumUnsupported: (words.notices.stickUnsupported(notice.about), .stick)
      case .mediumUnformatted: (words.notices.stickUnformatted, .stick)
      case .mediumDamaged: (words.notices.stickDamaged, .stick)
      case .mediumUnreadable: (words.notices.stickUnreadable, .stick)
      case .outputGone: (words.notices.outputGone, .mute)
      case .outputBack: (words.notices.outputBack, .volume)
      case .cannotPlay:
        (words.notices.cannotPlay(notice.about.isEmpty ? words.untitled : notice.about), .warning)
      case .listFailed: (words.notices.listFailed, .warning)
      case .filesUnplayable:
        (words.notices.unplayable(notice.files?.count ?? 0, notice.files?.formats ?? []), .stick)
      case .stickReady: (words.notices.stickReady(notice.about), .stick)
      case .phoneAbsent: (words.notices.phoneAbsent(notice.about), .bluetooth)
      case .phoneAwaited: (words.notices.phoneAwaited(notice.about), .bluetooth)
      case .noMusic: (words.notices.noMusic(notice.about), .stick)
      case .safeMode: (words.notices.safeMode, .warning)
      case .storageChecking: (words.notices.storageCheck, .warning)
      case .storageChecked: (words.notices.storageOK, .warning)
      case .storageRepaired: (words.notices.storageRepaired, .warning)
      case .dataErased: (words.notices.dataErased, .info)
      case .dataNotErased: (words.notices.dataNotErased, .warning)
      case .storageReadOnly, .storageMissing: (words.notices.storageError, .warning)
      case .configurationWrong: (words.notices.configurationWrong(notice.about), .warning)
      }
    switch notice.kind {
    case .safeMode:
      model.notices.showStanding(symbol, text, touch: .endSafeMode, at: .now())
    case _ where notice.isStanding: model.notices.showStanding(symbol, text, at: .now())
    // These notices stay true, so they can wait until other notices were shown.
    case .filesUnplayable, .noMusic, .mediumUnsupported, .mediumUnformatted, .mediumDamaged,
      .mediumUnreadable, .configurationWrong:
      model.notices.showLater(symbol, text, at: painter != nil && display.isReady ? .now() : nil)
    case .mediumGone:
      model.notices.dropLaterNoticesOfMedia()
      model.notices.show(symbol, text, at: .now())
    default: model.notices.show(symbol, text, at: .now())
    }
    paintSoon()
  }

  func showRefusal(_ refusal: Refusal?) {
    model.notices.show(.warning, model.words.notices.text(of: refusal), at: .now())
    paintSoon()
  }

  /// Shows a text of ``LocalizedWords/Notices`` as a notice.
  func showNotice(_ text: KeyPath<LocalizedWords.Notices, String>, _ symbol: Symbol = .warning) {
    model.notices.show(symbol, model.words.notices[keyPath: text], at: .now())
    paintSoon()
  }
}
