namespace MqttCheck.Logs;

/// <summary>
/// The broker a log or a model speaks of: enough to say which results are comparable. Never holds credentials.
/// </summary>
/// <param name="Name">The broker as named on the command line, for example <c>mosquitto:tuned</c>.</param>
/// <param name="Version">Its version, or <c>unknown</c>.</param>
/// <param name="Settings">Whether the settings are the ones a user gets by default, tuned ones, or unknown.</param>
/// <param name="Details">Settings that move latencies, such as <c>nodelay</c> and <c>delay</c>, by name.</param>
public sealed record LoggedBroker(
    string Name,
    string Version,
    string Settings,
    IReadOnlyDictionary<string, string> Details
)
{
    internal const string VersionKey = "mqtt";
    internal const string ClientKey = "client";
    internal const string TransportKey = "transport";

    /// <summary>The name of a broker whose traffic was captured or passed through a tap.</summary>
    internal const string CapturedName = "captured";
    private const string UnknownName = "unknown";

    /// <summary>The value of <c>--broker</c> that measures it, or its form where nobody named the broker.</summary>
    internal string OnCommandLine => Name is CapturedName or UnknownName ? "mqtt://HOST:PORT" : Name;

    /// <summary>A broker of which nothing is known.</summary>
    public static LoggedBroker Unknown { get; } =
        new(UnknownName, "unknown", "unknown", new Dictionary<string, string>());

    /// <summary>Whether all that is known is the same.</summary>
    /// <param name="other">The other broker.</param>
    public bool Equals(LoggedBroker? other) =>
        other is not null
        && Name == other.Name
        && Version == other.Version
        && Settings == other.Settings
        && Details.Count == other.Details.Count
        && Details.All(detail => other.Details.TryGetValue(detail.Key, out var value) && value == detail.Value);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Name, Version, Settings, Details.Count);
}
