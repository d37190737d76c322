// Fuzz target for the lines that a program writes to descriptor 3 of autoharp-app. It is compiled together with the
// files of Sources/Programs/autoharp-app/Lines.

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLines(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: data, count: size))
  var random = FuzzRandom(from: bytes)
  let lines = split(bytes, largestPart: .max)
  // The result must not depend on the sizes of the reads.
  require(split(bytes, largestPart: 1 + random.below(300)) == lines)
  var schedule = TitleSchedule()
  // The number of the next frame of the stream.
  var next = 0
  for line in lines {
    guard let line else { continue }
    require(line.count <= LineSplitter.limit)
    guard let read = try? ProgramLine(line) else { continue }
    check(read)
    perform(read, &schedule, &next, &random)
  }
  return 0
}

private func split(_ bytes: [UInt8], largestPart: Int) -> [[UInt8]?] {
  var splitter = LineSplitter()
  var lines: [[UInt8]?] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    splitter.add(rest.prefix(largestPart)) { lines.append($0) }
    rest = rest.dropFirst(largestPart)
  }
  return lines
}

private func check(_ line: ProgramLine) {
  let title = line.title
  for text in [title?.title, title?.artist, title?.album, line.answer?.failure] {
    require(text?.unicodeScalars.count ?? 0 <= ProgramLine.Title.textLimit)
  }
  if let path = title?.artwork { require((1...4096).contains(path.utf8.count)) }
  for time in [title?.duration, title?.time, line.time] {
    if let time { require((0..<1e9).contains(time)) }
  }
  if let frame = line.frame { require((0..<ProgramLine.frameLimit).contains(frame)) }
  if case .below(let frame)? = line.flush { require((0..<ProgramLine.frameLimit).contains(frame)) }
  if let answer = line.answer { require(answer.number >= 0) }
}

/// What autoharp-app does with a line, and then with some frames.
private func perform(
  _ line: ProgramLine, _ schedule: inout TitleSchedule, _ next: inout Int,
  _ random: inout FuzzRandom
) {
  if case .below(let frame)? = line.flush { schedule.skip(to: frame) }
  if let title = line.title,
    let placed = try? schedule.add(title, at: line.frame ?? schedule.taken + 9, next: next)
  {
    require((0...next).contains(placed.frame))
  }
  let count = random.below(2) == 0 ? random.below(20_000) : min(schedule.framesToSkip, 1 << 20)
  let before = schedule.taken
  let taken = schedule.take(count, keeps: random.below(4) > 0, next: next)
  require(schedule.taken == before + count && (0...count).contains(taken.dropped))
  require(taken.titles.count <= TitleSchedule.limit)
  var last = next
  for placed in taken.titles {
    require(placed.frame >= last && placed.frame <= next + count - taken.dropped)
    last = placed.frame
  }
  next += count - taken.dropped
  if random.below(8) == 0 { schedule.lostFrames() }
}
