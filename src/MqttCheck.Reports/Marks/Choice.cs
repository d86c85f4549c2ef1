namespace MqttCheck.Reports.Marks;

/// <summary>
/// A list above a chart, from which a reader of the page chooses; a still picture has the first option.
/// </summary>
/// <param name="Name">The name by which marks refer to it.</param>
/// <param name="Label">What is chosen.</param>
/// <param name="Options">The options: a value, and its text. The value "" shows the marks of all.</param>
internal sealed record Choice(string Name, string Label, IReadOnlyList<KeyValuePair<string, string>> Options);
