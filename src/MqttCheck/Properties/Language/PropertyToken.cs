namespace MqttCheck.Properties.Language;

/// <summary>
/// A word, number or sign of a property's text. A number carries the letters that follow it without a space as its
/// unit.
/// </summary>
internal readonly record struct PropertyToken(
    PropertyTokenKind Kind,
    string Text,
    double Number,
    string Unit,
    int Column
);

/// <summary>The kind of a token.</summary>
internal enum PropertyTokenKind
{
    End,
    Word,
    Number,
    Sign,
}
