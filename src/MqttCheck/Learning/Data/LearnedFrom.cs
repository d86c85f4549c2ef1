using MqttCheck.Logs;

namespace MqttCheck.Learning.Data;

/// <summary>The origin of training data.</summary>
/// <param name="Broker">The broker.</param>
/// <param name="Machine">The machine.</param>
/// <param name="Seed">The seed of the runs.</param>
/// <param name="Coarse">Whether the runs were few and short.</param>
/// <param name="LogSha256">The SHA-256 of each log.</param>
/// <param name="FailedExchanges">How many exchanges did not succeed and were left out.</param>
internal sealed record LearnedFrom(
    LoggedBroker Broker,
    MachineInformation Machine,
    ulong Seed,
    bool Coarse,
    IReadOnlyList<string> LogSha256,
    int FailedExchanges
)
{
    /// <summary>The median latency of the idle broker, measured before the runs; null where it was not.</summary>
    public double? IdleMilliseconds { get; init; }
}
