using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.App.Runs;

/// <summary>A broker as the user chose it.</summary>
/// <param name="StartAsync">Starts or reaches it; throws a <see cref="BrokerException"/> where that fails.</param>
/// <param name="RateCap">How many messages per second it may get, or null for no limit.</param>
internal sealed record BrokerChoice(
    BrokerSpecification Specification,
    Func<CancellationToken, Task<IBrokerUnderTest>> StartAsync,
    int? RateCap
)
{
    /// <summary>Which MQTT client loads it. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>The user's seed, also of the delays on a cluster's links.</summary>
    public ulong Seed { get; init; }

    /// <summary>How runs on it are made.</summary>
    public LiveRuns Live(ProtocolVersion version) => new(Seed, version, Client, RateCap);
}
