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
    /// <exception cref="BrokerException">
    /// It cannot be reached; the message says so where the port speaks another transport than the address.
    /// </exception>
    public async Task<IBrokerUnderTest> StartAsync(CancellationToken cancellation)
    {
        try
        {
            return await new BrokerLauncher(Launch).StartAsync(Specification, cancellation);
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
