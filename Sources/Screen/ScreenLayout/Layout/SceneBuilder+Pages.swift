internal import NowPlaying

// The pages that are shown if nothing plays, if the daemon does not answer, and during pairing.
extension SceneBuilder {
  /// Adds the page that is shown if nothing plays. The page explains what to do.
  mutating func emptyPage() {
    cover("empty")
    header(showsUpNext: false)
    guard context.canPairPhone else {
      return message(words.nothingPlaying, words.plugIn, isAlone: true)
    }
    message(words.nothingPlaying, words.plugIn)
    let isCompact = scale.arrangement == .compact
    let numbers = metrics.empty
    let frame = PixelRect(
      x: isCompact ? margin : column.x, y: y(numbers.button),
      width: isCompact ? screen.width - 2 * margin : column.width,
      height: u(numbers.buttonHeight))
    button(
      "pair", frame, words.pairPhone, .bluetooth, isPrimary: true,
      .pairPhone)
  }

  /// Adds the page that is shown if the daemon does not answer. The page has no controls, because no command can be
  /// sent. The daemon is restarted automatically.
  mutating func awayPage(_ absence: DaemonAbsence) {
    cover("empty")
    header(showsUpNext: false, showsMenu: false)
    switch absence {
    case .unnoticed: break
    case .starting: message(words.starting, words.startingDetail, isAlone: true)
    case .restarting: message(words.playerStopped, words.playerRestarts, isAlone: true)
    case .lasting: message(words.playerStopped, words.playerStaysAway, isAlone: true)
    }
  }

  /// Removes the actions of all parts, because no command can be sent.
  mutating func removeActions() {
    hitAreas = []
    (scrubber, swipeLeft, swipeRight, pageTurns, firstFocus) = (nil, nil, nil, nil, nil)
  }

  /// - Parameter isAlone: true if there is no button below the title and the detail. Beside a large cover, these texts
  ///   are then vertically centred.
  private mutating func message(_ title: String, _ detail: String, isAlone: Bool = false) {
    let column = column
    let numbers = metrics.empty
    let isBeside = scale.arrangement == .regular || scale.arrangement == .wide
    let drop = isAlone && isBeside ? u(numbers.aloneDrop) : 0
    text(
      "title", title, style(metrics.titleSize, .semibold), Paint(.text), x: column.x,
      baseline: y(numbers.title) + drop, width: column.width)
    text(
      "detail", detail, style(metrics.artistSize, .medium), Paint(.secondaryText), x: column.x,
      baseline: y(numbers.detail) + drop, width: column.width, lines: 2,
      pitch: scale.text(numbers.detailPitch))
  }

  /// Adds the page for the pairing request of a phone. The user compares the code with the code on the phone.
  mutating func pairingPage(_ pairing: ScreenContext.Pairing) {
    header(showsUpNext: false, showsMenu: false)
    glowCenter = PixelPoint(x: screen.midX, y: screen.height * 9 / 20)
    let numbers = metrics.pairing
    let width = screen.width - 2 * margin
    let peer = DisplayText.clean(pairing.peer) ?? words.unnamedDevice
    text(
      "title", words.pairWith(peer), style(numbers.titleSize, .semibold), Paint(.text), x: margin,
      baseline: y(numbers.title), width: width, alignment: .center)
    let code = pairing.code.flatMap(Self.digits)
    text(
      "detail", code == nil ? words.pairWithoutCode : words.sameCode,
      style(numbers.detailSize, .medium), Paint(.secondaryText), x: margin,
      baseline: y(numbers.detail), width: width, alignment: .center)
    if let code {
      self.code(code)
    } else {
      let side = u(numbers.codeSize)
      icon(
        "phone", .phone, centerX: screen.midX,
        centerY: y(numbers.code) - side * 2 / 5, size: side, Paint(.secondaryText))
    }
    let gap = u(metrics.pairingButton.gap)
    let buttonWidth = min(u(metrics.pairingButton.widest), (width - gap) / 2)
    let height = u(numbers.buttonHeight)
    button(
      "reject",
      PixelRect(
        x: screen.midX - gap / 2 - buttonWidth, y: y(numbers.button), width: buttonWidth,
        height: height), words.cancel, .cross, isPrimary: false,
      .answerPairing(isAccepted: false))
    button(
      "accept",
      PixelRect(
        x: screen.midX + gap - gap / 2, y: y(numbers.button), width: buttonWidth, height: height),
      words.pair, .check, isPrimary: true, .answerPairing(isAccepted: true))
  }

  /// Adds the code of the pairing request as two groups of three digits, in the same way as phones. In every language,
  /// the first digit is on the left.
  private mutating func code(_ digits: String) {
    let style = style(metrics.pairing.codeSize, .semibold, tabular: true, fixed: true)
    let gap = u(metrics.pairing.codeGap)
    let half = digits.index(digits.startIndex, offsetBy: digits.count / 2)
    let groups = (String(digits[..<half]), String(digits[half...]))
    let widths = (width(groups.0, style), width(groups.1, style))
    let left = screen.midX - (widths.0 + gap + widths.1) / 2
    block = screen
    defer { block = nil }
    let baseline = y(metrics.pairing.code)
    text("code.0", groups.0, style, Paint(.text), x: left, baseline: baseline, width: widths.0)
    text(
      "code.1", groups.1, style, Paint(.text), x: left + widths.0 + gap, baseline: baseline,
      width: widths.1)
  }

  /// The six digits of a code. Nil if the text does not contain exactly six digits.
  private static func digits(_ text: String) -> String? {
    let digits = text.filter { ("0"..."9").contains($0) }
    return digits.count == 6 ? digits : nil
  }
}
