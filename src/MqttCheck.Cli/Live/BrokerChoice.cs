using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Cli.Live;

/// <summary>A broker as the user chose it.</summary>
/// <param name="Launch">How to start or reach it.</param>
/// <param name="RateCap">How many messages per second it may get, or null for no limit.</param>
internal sealed record BrokerChoice(BrokerSpecification Specification, BrokerLaunchOptions Launch, int? RateCap)
{
    /// <summary>Which MQTT client loads it. Default the own one.</summary>
    public ClientKind Client { get; init; } = ClientKind.Own;

    /// <summary>Starts or reaches it.</summary>
    public Task<IBrokerUnderTest> StartAsync(CancellationToken cancellation) =>
        new BrokerLauncher(Launch).StartAsync(Specification, cancellation);
}
