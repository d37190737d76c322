import ALSASink
import AudioEngine
import TestKit
import Testing

@Suite(.enabled(if: SwitchControl.obstacle == nil, Comment(rawValue: SwitchControl.obstacle ?? "")))
struct MixerSwitchTests {
  private static let prepared: Void = ALSASink.prepareProcess()

  init() { _ = Self.prepared }

  @Test func setMuted_onAndOff_switchesTheElement() throws {
    let control = try SwitchControl()
    let master = MixerSwitch(control: control.name, element: "Master")
    try master.setMuted(true)
    #expect(try control.changes().map(\.isOn) == [false])
    try master.setMuted(false)
    #expect(try control.changes().map(\.isOn) == [false, true])
  }

  @Test func setMuted_switchedOnByAnotherProgram_switchesOffAgain() throws {
    let control = try SwitchControl()
    let master = MixerSwitch(control: control.name, element: "Master")
    try master.setMuted(true)
    try MixerSwitch(control: control.name, element: "Master").setMuted(false)
    try master.setMuted(true)
    #expect(try control.changes().map(\.isOn) == [false, true, false])
  }

  @Test func setMuted_refusedOnce_writesAtTheNextCall() throws {
    let control = try SwitchControl()
    let master = MixerSwitch(control: control.name, element: "Master")
    try master.setMuted(false)
    try control.unplug()
    #expect(throws: SinkError.self) { try master.setMuted(true) }
    try control.plugIn()
    try master.setMuted(true)
    #expect(try control.isOn() == false)
  }

  @Test func setMuted_unknownElement_listsElementsWithASwitch() throws {
    let control = try SwitchControl()
    #expect(
      throws: SinkError(
        "\(control.name) has no element 'Maestro'; with a switch: Master, Speaker")
    ) { try MixerSwitch(control: control.name, element: "Maestro").setMuted(true) }
  }

  @Test func setMuted_elementWithoutSwitch_listsElementsWithASwitch() throws {
    let control = try SwitchControl()
    #expect(
      throws: SinkError(
        "Tone of \(control.name) has no playback switch; with a switch: Master, Speaker")
    ) { try MixerSwitch(control: control.name, element: "Tone").setMuted(true) }
  }

  @Test func setMuted_unknownControl_namesTheControl() throws {
    _ = try SwitchControl()
    #expect(
      throws: SinkError(
        "the mixer of nowhere cannot be opened: No such file or directory", isAbsent: true)
    ) { try MixerSwitch(control: "nowhere", element: "Master").setMuted(true) }
  }

  @Test func setMuted_unpluggedControl_reportsTheError() throws {
    let control = try SwitchControl()
    try control.unplug()
    #expect(
      throws: SinkError(
        "the mixer of \(control.name) cannot be opened: No such device", isAbsent: true)
    ) { try MixerSwitch(control: control.name, element: "Master").setMuted(true) }
  }
}
