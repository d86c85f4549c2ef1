namespace MqttCheck.Reports.Documents;

/// <summary>Lines that keep their spaces, such as a transcript.</summary>
/// <param name="Title">The title of the lines.</param>
/// <param name="Lines">The lines.</param>
internal sealed record DocumentListing(string Title, IReadOnlyList<string> Lines) : DocumentBlock;
