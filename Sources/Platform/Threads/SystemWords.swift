internal import Glibc

/// The system's message for an error number. Negative numbers are accepted too, because drivers return them. This
/// function can be called on any thread.
///
/// This function is in the lowest module that handles error numbers, so that all higher modules can use it.
package func systemWords(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(abs(code), &buffer, buffer.count) == 0 else { return "error \(code)" }
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
