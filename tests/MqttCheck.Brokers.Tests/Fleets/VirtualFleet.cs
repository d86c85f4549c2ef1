using System.Net;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Logs;
using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>A fleet and the embedded broker on a wire in virtual time. Bytes are under way for 50 us.</summary>
internal static class VirtualFleet
{
    private static readonly IPEndPoint s_address = new(IPAddress.Loopback, 1883);

    public static WireEndpoint Endpoint => new(s_address);

    /// <summary>Runs a fleet at <see cref="Endpoint"/>.</summary>
    public static FleetRunResult Run(DelayPlan delays, ulong brokerSeed, FleetSetup setup, IExchangeSink log)
    {
        var wire = new MemoryWire(new WireOptions(), TimeSpan.FromMicroseconds(50), null);
        var options = new EmbeddedBrokerOptions
        {
            Delays = delays,
            Broker = new() { Seed = brokerSeed },
        };
        new BrokerHost(wire, options).Listen(new WireListener(s_address));
        return new FleetRun(setup, log, null, _ => wire).Run();
    }

    /// <summary>Runs a population with seed 1, for a number of sequences of each client or for a time.</summary>
    public static (List<Exchange> Log, FleetRunResult Result) Run(
        DelayPlan delays,
        Population population,
        int clients,
        int run,
        int? sequences,
        TimeSpan? duration
    )
    {
        var log = new ExchangeList();
        var setup = new FleetSetup
        {
            Population = population,
            Clients = clients,
            CountedSequences = sequences,
            Duration = duration,
            Seed = 1,
            Run = run,
            Endpoint = Endpoint,
            Prefix = "mqttcheck/0badcafe/",
        };
        var result = Run(delays, (ulong)run, setup, log);
        return (log.Exchanges, result);
    }
}
