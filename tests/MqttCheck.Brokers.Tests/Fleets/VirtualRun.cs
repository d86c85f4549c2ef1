using System.Net;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>A fleet and a scripted broker on a virtual wire.</summary>
public sealed class VirtualRun
{
    public static readonly IPEndPoint BrokerAddress = new(IPAddress.Loopback, 1883);

    public VirtualRun()
    {
        Broker = new ScriptedBroker(Wire, BrokerAddress);
        Setup = new FleetSetup
        {
            Population = Population.Of(Profile()),
            Clients = 5,
            CountedSequences = 4,
            Seed = 1,
            Endpoint = new WireEndpoint(BrokerAddress),
            Prefix = "mqttcheck/0badcafe/",
        };
    }

    public VirtualWire Wire { get; } = new();

    public ScriptedBroker Broker { get; }

    public FleetSetup Setup { get; set; }

    public ExchangeList Log { get; } = new();

    public IProgress<FleetProgress>? Progress { get; set; }

    public IEnumerable<Exchange> Failed => Log.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Success);

    public static UsageProfile Profile(
        Law? wait = null, QualityOfService qos = QualityOfService.AtLeastOnce, int topics = 4, MessageWeights? weights = null) => new()
        {
            Name = "test",
            WaitMilliseconds = wait ?? new UniformLaw(0, 5),
            Weights = weights ?? new(1, 1, 5, 3, 2),
            Topics = topics,
            Qos = qos,
        };

    public static bool IsFirst(IEnumerable<(string Client, Packet Packet)> received, Packet packet) =>
        received.Count(entry => entry.Packet.Type == packet.Type) == 1;

    public FleetRunResult Run(CancellationToken cancellation = default, CancellationToken abort = default) =>
        new FleetRun(Setup, Log, Progress, _ => Wire).Run(cancellation, abort);

    public int CountOf(MessageKind kind) => Log.Exchanges.Count(exchange => exchange.Message == kind);
}
