// Trees hold values and errors are diagnostics: who imports the language has both.
@_exported public import Diagnostics
@_exported public import Values
