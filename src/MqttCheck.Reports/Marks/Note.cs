namespace MqttCheck.Reports.Marks;

/// <summary>A line of text above the data, for example the meaning of a bound.</summary>
/// <param name="Text">The text.</param>
/// <param name="Role">The colour.</param>
internal sealed record Note(string Text, Role Role);
