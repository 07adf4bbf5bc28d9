// Trees contain values and errors are diagnostics, so importing the language imports both.
@_exported public import Diagnostics
@_exported public import Values
