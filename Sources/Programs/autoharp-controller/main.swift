// Reads data of Bluetooth controllers for the daemon. This is a separate program, because libbluetooth is under the
// GPL.

import BluetoothController
import Glibc

private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

private func end(_ message: String, _ status: Int32) -> Never {
  _ = writeAll("autoharp-controller: \(message)\n", to: STDERR_FILENO)
  exit(status)
}

switch Job(Array(CommandLine.arguments.dropFirst())) {
case .controller(let adapter)?:
  dropPriority()
  do throws(CallFailure) {
    let reading = try ControllerInquiry.ask(adapter, KernelControllers())
    guard writeAll(reading.text, to: STDOUT_FILENO) else {
      end("standard output: \(String(cString: strerror(errno)))", 1)
    }
  } catch {
    end("\(error)", 1)
  }
case .help?:
  _ = writeAll(Job.usage, to: STDOUT_FILENO)
case nil:
  _ = writeAll(Job.usage, to: STDERR_FILENO)
  exit(2)
}
