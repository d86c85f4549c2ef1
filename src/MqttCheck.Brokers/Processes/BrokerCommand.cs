namespace MqttCheck.Brokers.Processes;

/// <summary>A program that serves MQTT, and how to start it.</summary>
/// <param name="FileName">The program: a path, or a name found on the search path.</param>
/// <param name="Arguments">Its arguments.</param>
internal sealed record BrokerCommand(string FileName, IReadOnlyList<string> Arguments)
{
    /// <summary>Environment variables that it gets beside those of this process.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();
}
