using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Simulation;

/// <summary>Watches nothing; compiled away.</summary>
internal readonly struct NoObserver : IFleetObserver
{
    /// <inheritdoc/>
    public void SetUp(int client, in ClientAction action, double begunMilliseconds, double nowMilliseconds) { }

    /// <inheritdoc/>
    public void Started(
        int client,
        int sequence,
        in ClientAction action,
        in ExchangeFeatures features,
        double nowMilliseconds
    ) { }

    /// <inheritdoc/>
    public void Ended(
        int client,
        int sequence,
        in ClientAction action,
        double startedMilliseconds,
        double nowMilliseconds
    ) { }
}
