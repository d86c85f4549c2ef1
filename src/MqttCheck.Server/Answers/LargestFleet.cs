namespace MqttCheck.Server.Answers;

/// <summary>The largest fleet for a wanted probability, or how far the search is.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="IsFinal">Whether the search is over.</param>
/// <param name="Property">The property that the search is about.</param>
/// <param name="Sentence">The answer in words.</param>
/// <param name="Clients">The largest number for which the property was shown to hold; null where there is none.</param>
/// <param name="Notes">The notes that a reader must know about the answer's validity.</param>
internal sealed record LargestFleet(
    long Request,
    bool IsFinal,
    string Property,
    string Sentence,
    int? Clients,
    IReadOnlyList<string> Notes
);
