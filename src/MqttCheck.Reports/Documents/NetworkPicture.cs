namespace MqttCheck.Reports.Documents;

/// <summary>
/// Places and the ways between them, thicker where more passes. In Markdown it is left out: a table beside it has the
/// numbers.
/// </summary>
/// <param name="Title">The title.</param>
/// <param name="Explanation">How to read it.</param>
/// <param name="Places">The names of the places.</param>
/// <param name="Ways">The ways.</param>
internal sealed record NetworkPicture(
    string Title,
    string Explanation,
    IReadOnlyList<string> Places,
    IReadOnlyList<NetworkWay> Ways
) : DocumentBlock
{
    /// <summary>The places that something happened to, which are drawn with a dashed outline.</summary>
    public IReadOnlySet<int> Disturbed { get; init; } = new HashSet<int>();
}
