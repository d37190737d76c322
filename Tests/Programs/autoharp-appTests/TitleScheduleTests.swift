import Testing

@testable import autoharp_app

@Suite struct TitleScheduleTests {
  private func title(_ text: String) -> ProgramLine.Title { ProgramLine.Title(title: text) }

  private func placed(_ text: String, _ frame: Int) -> TitleSchedule.Placed {
    TitleSchedule.Placed(title: title(text), frame: frame)
  }

  @Test func title_beginsAtItsFrame_whenThisFrameArrives() throws {
    var schedule = TitleSchedule()
    #expect(try schedule.add(title("B"), at: 150, next: 1000) == nil)
    #expect(try schedule.add(title("A"), at: 0, next: 1000) == nil)
    #expect(
      schedule.take(100, keeps: true, next: 1000) == .init(dropped: 0, titles: [placed("A", 1000)]))
    #expect(
      schedule.take(100, keeps: true, next: 1100) == .init(dropped: 0, titles: [placed("B", 1150)]))
    #expect(schedule.taken == 200)
  }

  @Test func title_canComeAfterItsFrame() throws {
    var schedule = TitleSchedule()
    #expect(try schedule.add(title("A"), at: 0, next: 500) == nil)
    _ = schedule.take(50, keeps: false, next: 500)
    _ = schedule.take(100, keeps: true, next: 500)
    #expect(try schedule.add(title("B"), at: 120, next: 600) == placed("B", 570))
    // The frame was thrown away, so the title begins with the first frame that was kept.
    #expect(try schedule.add(title("C"), at: 20, next: 600) == placed("C", 500))
    schedule.lostFrames()
    #expect(try schedule.add(title("D"), at: 120, next: 600) == placed("D", 600))
  }

  @Test func laterTitle_replacesTheOneOfTheSameFrame() throws {
    var schedule = TitleSchedule()
    _ = try schedule.add(title("A"), at: 10, next: 0)
    _ = try schedule.add(title("B"), at: 10, next: 0)
    #expect(schedule.take(20, keeps: true, next: 0).titles == [placed("B", 10)])
  }

  @Test func seek_throwsFramesAway_andKeepsTheirTitles() throws {
    var schedule = TitleSchedule()
    _ = try schedule.add(title("A"), at: 50, next: 0)
    _ = try schedule.add(title("B"), at: 130, next: 0)
    schedule.skip(to: 120)
    #expect(schedule.framesToSkip == 120)
    #expect(
      schedule.take(100, keeps: true, next: 7) == .init(dropped: 100, titles: [placed("A", 7)]))
    #expect(schedule.isSkipping)
    #expect(
      schedule.take(100, keeps: true, next: 7) == .init(dropped: 20, titles: [placed("B", 17)]))
    #expect(!schedule.isSkipping)
    // A seek to a frame that was taken has nothing to throw away.
    schedule.skip(to: 3)
    #expect(schedule.take(10, keeps: true, next: 87).dropped == 0)
  }

  @Test func framesThatAreNotKept_areCounted_andTheirTitlesWait() throws {
    var schedule = TitleSchedule()
    _ = try schedule.add(title("A"), at: 5, next: 40)
    #expect(
      schedule.take(10, keeps: false, next: 40) == .init(dropped: 10, titles: [placed("A", 40)]))
    _ = try schedule.add(title("B"), at: 15, next: 40)
    #expect(schedule.take(10, keeps: true, next: 40).titles == [placed("B", 45)])
  }

  @Test func number_ofTitlesIsLimited() throws {
    var schedule = TitleSchedule()
    let last = ProgramLine.frameLimit - 1
    for index in 0..<TitleSchedule.limit {
      #expect(try schedule.add(title("\(index)"), at: last - index, next: 0) == nil)
    }
    #expect(throws: ProgramLine.Fault.self) { try schedule.add(title("x"), at: 1, next: 0) }
    #expect(throws: Never.self) { try schedule.add(title("x"), at: last, next: 0) }
    schedule.skip(to: last)
    #expect(schedule.take(1 << 40, keeps: true, next: 0) == .init(dropped: 1 << 40, titles: []))
  }
}
