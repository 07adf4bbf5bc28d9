import Glibc

/// Whether what the file says is compared with its checksums. Always, but in the control of the tests of damaged files:
/// there a variable in the environment has a debug build leave it out, to show that the tests notice what comes of it.
package enum DamageChecks {
  #if DEBUG
    package static let areSkipped = getenv("OBJECTSTORE_SKIP_DAMAGE_CHECKS") != nil
  #else
    package static var areSkipped: Bool { false }
  #endif
}
