/// What can be done to the whole machine.
package enum PowerAction: String, Hashable, Sendable, CaseIterable {
  case reboot, poweroff
}
