using MqttCheck.App.Runs;
using MqttCheck.Brokers.Clusters;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Live;

/// <summary>A broker as the user chose it.</summary>
/// <param name="Launch">How to start or reach it.</param>
/// <param name="RateCap">How many messages per second it may get, or null for no limit.</param>
internal sealed record BrokerChoice(BrokerSpecification Specification, BrokerLaunchOptions Launch, int? RateCap)
{
    /// <summary>Which MQTT client loads it. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>The user's seed, also of the delays on a cluster's links.</summary>
    public ulong Seed { get; init; }

    /// <summary>How runs on it are made.</summary>
    public LiveRuns Live(ProtocolVersion version) => new(Seed, version, Client, RateCap);

    /// <summary>Starts or reaches it.</summary>
    /// <exception cref="BrokerException">
    /// It cannot be reached; the message says so where the port speaks another transport than the address.
    /// </exception>
    public async Task<IBrokerUnderTest> StartAsync(CancellationToken cancellation)
    {
        try
        {
            return Specification.Kind == BrokerKind.Cluster
                ? await new ClusterLauncher(new() { Brokers = Launch, Seed = Seed }).StartAsync(
                    Specification,
                    cancellation
                )
                : await new BrokerLauncher(Launch).StartAsync(Specification, cancellation);
        }
        catch (BrokerException exception) when (Specification.Port > 0)
        {
            var hint = await TransportHint.OfAsync(Specification, cancellation);
            if (hint is null)
                throw;
            throw new BrokerException($"{exception.Message} {hint}", exception);
        }
    }
}
