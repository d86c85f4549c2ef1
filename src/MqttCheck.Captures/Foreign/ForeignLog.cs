namespace MqttCheck.Captures.Foreign;

/// <summary>The contents of the log of another program.</summary>
/// <param name="Format">The name of its format.</param>
/// <param name="Latencies">The beginning and the end of a latency, in words.</param>
/// <param name="ResolutionNanoseconds">How exact its times are.</param>
internal sealed record ForeignLog(string Format, string Latencies, long ResolutionNanoseconds)
{
    private readonly SortedDictionary<string, long> _notUsed = new(StringComparer.Ordinal);

    /// <summary>The exchanges, in any order.</summary>
    public List<ForeignExchange> Exchanges { get; } = [];

    /// <summary>The clients that get each message of each topic.</summary>
    public List<string> Subscribers { get; } = [];

    /// <summary>Everything that the log does not say, and what follows from it.</summary>
    public List<string> Missing { get; } = [];

    /// <summary>How many lines are not used, by reason.</summary>
    public IReadOnlyDictionary<string, long> NotUsed => _notUsed;

    /// <summary>A line is not used.</summary>
    public void Skip(string reason) => _notUsed[reason] = _notUsed.GetValueOrDefault(reason) + 1;

    /// <summary>The log does not say who gets the messages.</summary>
    public void MissDeliveries() =>
        Missing.Add("deliveries and subscribers: the model knows acknowledgements, and nothing of fan-out");
}
