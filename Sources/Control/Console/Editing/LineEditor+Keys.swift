internal import Text

// The effects of keys, the completion, and the width of the terminal.
extension LineEditor {
  // MARK: Working

  mutating func process() -> [Event] {
    isDrawn ? processKeys() : processLines()
  }

  mutating func processKeys() -> [Event] {
    var events: [Event] = []
    var done = 0
    while isEditing, !awaitsNames, done < pending.count {
      let byte = pending[done]
      done += 1
      // CR LF counts as one key.
      let isSecondHalf = endsCarriageReturn && byte == 0x0A
      endsCarriageReturn = byte == 0x0D
      if isSecondHalf { continue }
      for key in decoder.keys(from: byte) where isEditing {
        if let event = handle(key) { events.append(event) }
      }
    }
    pending.removeFirst(done)
    if isEditing { draw() }
    // While a command runs, Ctrl-C takes effect immediately. All waiting input before Ctrl-C is discarded.
    if !isEditing, let last = pending.lastIndex(of: 0x03) {
      pending.removeFirst(last + 1)
      decoder = TerminalKeyDecoder()
      events.append(.interrupt)
    }
    return events
  }

  mutating func handle(_ key: TerminalKey) -> Event? {
    switch key {
    case .scalar(let scalar): insert(scalar)
    case .enter: return enter()
    case .tab: return completeWord()
    case .backspace: ringBell(unless: buffer.deleteBackward())
    case .delete: ringBell(unless: buffer.deleteForward())
    case .left, .control("B"): ringBell(unless: buffer.move(by: -1))
    case .right, .control("F"): ringBell(unless: buffer.move(by: 1))
    case .wordLeft: buffer.moveWordLeft()
    case .wordRight: buffer.moveWordRight()
    case .home, .control("A"): buffer.moveToStart()
    case .end, .control("E"): buffer.moveToEnd()
    case .up, .control("P"): recall(history.older(than: buffer.text))
    case .down, .control("N"): recall(history.newer())
    case .control("K"): buffer.killToEnd()
    case .control("U"): buffer.killToStart()
    case .control("W"): buffer.killWord()
    case .control("L"):
      renderedLine.invalidate()
      requestWidth()
    case .control("C"): return interrupt()
    case .control("D"):
      if buffer.characters.isEmpty {
        finishRow()
        return .endOfInput
      }
      ringBell(unless: buffer.deleteForward())
    case .control("Z"):
      draw()
      finishRow()
      return .suspend
    case .cursorReport(_, let column): report(column)
    case .invalid: ringsBell = true
    case .control, .escape, .backTab, .pageUp, .pageDown: break
    }
    return nil
  }

  mutating func insert(_ scalar: Unicode.Scalar) {
    if buffer.isFull { isTooLong = true }
    ringBell(unless: buffer.insert(scalar))
  }

  mutating func enter() -> Event {
    buffer.moveToEnd()
    draw()
    finishRow()
    let line = buffer.text
    let wasTooLong = isTooLong
    clear()
    if wasTooLong { return .tooLong }
    if !isQuestion { history.add(line) }
    return .line(line)
  }

  mutating func interrupt() -> Event {
    buffer.moveToEnd()
    draw()
    output += "^C"
    finishRow()
    clear()
    return .interrupt
  }

  mutating func clear() {
    buffer = LineBuffer()
    isTooLong = false
    history.rewind()
  }

  mutating func finishRow() {
    // A terminal that reports its width sends the report before the keys that are pressed after the request. The key
    // that ends the row has already arrived, so no report is expected any more.
    awaitsReport = false
    output += Self.newLine
    renderedLine.beginRow()
    isEditing = false
    awaitsNames = false
  }

  mutating func recall(_ line: String?) {
    guard !isQuestion, let line else {
      ringsBell = true
      return
    }
    buffer.replace(with: line)
    isTooLong = false
  }

  mutating func ringBell(unless isDone: Bool) {
    if !isDone { ringsBell = true }
  }

  mutating func draw() {
    output += renderedLine.draw(prompt: prompt, isSecret ? LineBuffer() : buffer)
  }

  // MARK: Completing

  mutating func completeWord() -> Event? {
    guard !isQuestion else { return nil }
    let completion = complete(buffer.head)
    guard completion.names == nil else {
      awaitsNames = true
      return .needsNames(completion)
    }
    apply(completion)
    return nil
  }

  /// Completes the word with the names that were found, and processes the input that has arrived since then.
  package mutating func finish(_ completion: Completion) -> [Event] {
    guard awaitsNames else { return [] }
    awaitsNames = false
    apply(completion)
    return process()
  }

  mutating func apply(_ completion: Completion) {
    if !completion.insertion.isEmpty {
      ringBell(unless: buffer.insert(completion.insertion))
    } else if completion.candidates.isEmpty {
      ringsBell = true
    } else {
      printAbove(completion.listing(columns: columns))
    }
  }

  // MARK: Width

  /// Moves the cursor far to the right and requests the position of the cursor (CPR, ECMA-48 8.3.14). A terminal that
  /// does not know this request shows a part of the sequence as text. The next drawing of the row overwrites this text.
  mutating func requestWidth() {
    guard isWidthUnknown else { return }
    output += "\r\u{1B}[999C\u{1B}[6n\r"
    hasRequestedWidth = true
    awaitsReport = true
    renderedLine.invalidate()
  }

  mutating func report(_ column: Int) {
    guard hasRequestedWidth else { return }
    awaitsReport = false
    // On a noisy serial line, the received width can be wrong.
    guard RenderedLine.columnRange.contains(column) else { return }
    if column != renderedLine.columns { renderedLine.resize(columns: column) }
  }

  // MARK: Plain lines

  mutating func processLines() -> [Event] {
    guard isEditing else { return [] }
    guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else {
      // No valid line is this long, so the bytes are dropped. The input up to the next line feed also belongs to the
      // dropped line.
      if pending.count > 4 * LineBuffer.limit {
        pending.removeAll()
        isTooLong = true
      }
      return []
    }
    let bytes = pending[..<end]
    let text = String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    pending.removeFirst(end + 1)
    isEditing = false
    let wasTooLong = isTooLong || text.unicodeScalars.count > LineBuffer.limit
    isTooLong = false
    return [wasTooLong ? .tooLong : .line(text)]
  }
}
