using System.Net;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// A fleet and a scripted broker on a wire in virtual time: a test of a ten-second deadline takes no time. Bytes are
/// under way for 100 us.
/// </summary>
internal sealed class VirtualRun
{
    public static readonly IPEndPoint BrokerAddress = new(IPAddress.Loopback, 1883);

    /// <summary>A run of five clients with four sequences each.</summary>
    /// <param name="change">What is different in this run; null for nothing.</param>
    /// <param name="pieces">Cuts what arrives into pieces of random length; null delivers it as it was sent.</param>
    public VirtualRun(Func<FleetSetup, FleetSetup>? change = null, RandomStream? pieces = null)
    {
        Wire = new MemoryWire(new WireOptions(), TimeSpan.FromMicroseconds(100), pieces);
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
        Setup = change?.Invoke(Setup) ?? Setup;
    }

    internal MemoryWire Wire { get; }

    public ScriptedBroker Broker { get; }

    public FleetSetup Setup { get; set; }

    public ExchangeList Log { get; } = new();

    public IProgress<FleetProgress>? Progress { get; set; }

    /// <summary>What the fleet gets as its wire; the wire itself unless something stands between.</summary>
    internal Func<IWire, IWire> Through { get; set; } = wire => wire;

    public IEnumerable<Exchange> Failed => Log.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Success);

    public static UsageProfile Profile(
        Law? wait = null,
        QualityOfService qos = QualityOfService.AtLeastOnce,
        int topics = 4,
        MessageWeights? weights = null
    ) =>
        new()
        {
            Name = "test",
            WaitMilliseconds = wait ?? new UniformLaw(0, 5),
            Weights = weights ?? new(1, 1, 5, 3, 2),
            Topics = topics,
            Qos = qos,
        };

    /// <summary>Has something happen at a virtual time after now.</summary>
    public void After(TimeSpan time, Action action) => Wire.At(time.Ticks * TimeSpan.NanosecondsPerTick, action);

    /// <summary>Runs, and asserts that the log is whole whether the run ended well or not.</summary>
    public FleetRunResult Run(CancellationToken cancellation = default, CancellationToken abort = default)
    {
        try
        {
            return new FleetRun(Setup, Log, Progress, _ => Through(Wire)).Run(cancellation, abort);
        }
        finally
        {
            Log.AssertWhole(inOrder: true);
        }
    }

    /// <summary>Runs, and gives the reason why the broker ended the run.</summary>
    public string Failure() => Assert.Throws<BrokerException>(() => Run())!.Message;

    /// <summary>A run of clients with a profile, by a version that the broker speaks too.</summary>
    public static VirtualRun Of(UsageProfile profile, ProtocolVersion version = ProtocolVersion.V311)
    {
        var run = new VirtualRun(setup =>
            setup with
            {
                ProtocolVersion = version,
                Population = Population.Of(profile),
            }
        );
        run.Broker.Version = version;
        return run;
    }

    /// <summary>The packets of a type that the broker received.</summary>
    public List<T> Received<T>()
        where T : Packet => [.. Broker.Received.Select(received => received.Packet).OfType<T>()];
}
