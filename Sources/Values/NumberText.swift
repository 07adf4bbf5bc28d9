/// Numbers as the shortest text that reads back as the same number.
public enum NumberText {
  /// A Double always has a point or an exponent, so that it never looks like an integer; `inf`, `-inf`, `nan`.
  public static func text(_ number: Double) -> String { number.isNaN ? "nan" : number.description }

  /// A Float likewise, with the digits a Float needs.
  public static func text(_ number: Float) -> String { number.isNaN ? "nan" : number.description }
}
