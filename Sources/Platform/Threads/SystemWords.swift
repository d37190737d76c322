internal import Glibc

/// What the system says about an error number, also a negative one as drivers return it. Any
/// thread.
///
/// It stands in the lowest module that meets such numbers, for all above.
package func systemWords(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(abs(code), &buffer, buffer.count) == 0 else { return "error \(code)" }
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
