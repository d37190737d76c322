import Testing

import UnitState

@Suite struct SaveScheduleTests {
  private func moment(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  @Test func nothingChanged_nothingIsDue() {
    var schedule = SaveSchedule()
    #expect(schedule.nextDeadline == nil)
    #expect(schedule.takeDue(at: moment(5000)) == false)
  }

  @Test func progress_isSavedOncePerSecond() {
    var schedule = SaveSchedule()
    var saves: [Int] = []
    for now in stride(from: 0, to: 5000, by: 100) {
      schedule.note(.progress, at: moment(now))
      if schedule.takeDue(at: moment(now)) { saves.append(now) }
    }
    #expect(saves == [0, 1000, 2000, 3000, 4000])
  }

  @Test func userAction_isSavedAtOnce() {
    var schedule = SaveSchedule()
    schedule.note(.progress, at: moment(0))
    #expect(schedule.takeDue(at: moment(0)) == true)
    schedule.note(.progress, at: moment(300))
    #expect(schedule.nextDeadline == moment(1000))
    schedule.note(.userAction, at: moment(400))
    #expect(schedule.nextDeadline == moment(400))
    #expect(schedule.takeDue(at: moment(400)) == true)
    #expect(schedule.nextDeadline == nil)
  }

  @Test func manyUserActions_areSavedFourTimesPerSecond_andTheLastIsSaved() {
    var schedule = SaveSchedule()
    var saves: [Int] = []
    for now in stride(from: 0, to: 1010, by: 10) {
      if now <= 900 { schedule.note(.userAction, at: moment(now)) }
      if schedule.takeDue(at: moment(now)) { saves.append(now) }
    }
    #expect(saves == [0, 250, 500, 750, 1000])
  }

  @Test func progressAfterAUserAction_keepsTheDeadline() {
    var schedule = SaveSchedule()
    schedule.note(.userAction, at: moment(0))
    #expect(schedule.takeDue(at: moment(0)) == true)
    schedule.note(.userAction, at: moment(100))
    schedule.note(.progress, at: moment(110))
    #expect(schedule.nextDeadline == moment(250))
  }

  @Test func earlierTime_countsAsTheLatestTime() {
    var schedule = SaveSchedule()
    schedule.note(.progress, at: moment(1000))
    #expect(schedule.takeDue(at: moment(1000)) == true)
    schedule.note(.progress, at: moment(0))
    #expect(schedule.nextDeadline == moment(2000))
    #expect(schedule.takeDue(at: moment(10)) == false)
    #expect(schedule.takeDue(at: moment(2000)) == true)
  }
}
