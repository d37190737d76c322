import ALSASink
import AudioEngine
import TestKit
import Testing

@Suite(.enabled(if: SwitchControl.obstacle == nil, Comment(rawValue: SwitchControl.obstacle ?? "")))
struct MixerSwitchTests {
  private static let prepared: Void = ALSASink.prepareProcess()

  init() { _ = Self.prepared }

  private func failure(of element: MixerSwitch) -> SinkError? {
    #expect(throws: SinkError.self) { try element.setMuted(true) }
  }

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

  @Test func isMuted_readsWhatAnotherProgramHasSet() throws {
    let control = try SwitchControl()
    let master = MixerSwitch(control: control.name, element: "Master")
    #expect(try !master.isMuted())
    try master.setMuted(true)
    #expect(try master.isMuted())
    try control.set(isOn: true)
    #expect(try !master.isMuted())
    try control.set(isOn: false)
    #expect(try master.isMuted())
    try control.unplug()
    #expect(throws: SinkError.self) { try master.isMuted() }
    #expect(throws: SinkError.self) {
      try MixerSwitch(control: control.name, element: "Tone").isMuted()
    }
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

  @Test func elements_haveTheirVolumesAndSwitches() throws {
    let control = try SwitchControl()
    func elements() -> [MixerElement] { MixerElement.all(of: control.name) }
    #expect(elements().map(\.name) == ["Master", "Speaker", "Tone"])
    #expect(elements().map(\.isOn) == [true, elements()[1].isOn, nil])
    #expect(elements()[2].percent != nil && elements()[0].percent == nil)
    try control.set(isOn: false)
    #expect(elements()[0].isOn == false)
    try control.unplug()
    #expect(elements() == [] && MixerElement.all(of: "hw:999") == [])
  }

  @Test func setMuted_unknownElement_listsElementsWithASwitch() throws {
    let control = try SwitchControl()
    let error = failure(of: MixerSwitch(control: control.name, element: "Maestro"))
    for name in [control.name, "Maestro", "Master, Speaker"] {
      #expect(error?.reason.contains(name) == true)
    }
  }

  @Test func setMuted_elementWithoutSwitch_listsElementsWithASwitch() throws {
    let control = try SwitchControl()
    let error = failure(of: MixerSwitch(control: control.name, element: "Tone"))
    for name in [control.name, "Tone", "Master, Speaker"] {
      #expect(error?.reason.contains(name) == true)
    }
  }

  @Test func setMuted_unknownControl_namesTheControl() throws {
    _ = try SwitchControl()
    let error = failure(of: MixerSwitch(control: "nowhere", element: "Master"))
    #expect(error?.isAbsent == true)
    #expect(error?.reason.contains("nowhere") == true)
  }

  @Test func setMuted_unpluggedControl_reportsTheError() throws {
    let control = try SwitchControl()
    try control.unplug()
    let error = failure(of: MixerSwitch(control: control.name, element: "Master"))
    #expect(error?.isAbsent == true)
    #expect(error?.reason.contains(control.name) == true)
  }
}
