namespace MqttCheck.Reports.Documents;

/// <summary>Lines that keep their spaces, such as a transcript.</summary>
/// <param name="Title">What they are.</param>
/// <param name="Lines">The lines.</param>
public sealed record DocumentListing(string Title, IReadOnlyList<string> Lines) : DocumentBlock;
