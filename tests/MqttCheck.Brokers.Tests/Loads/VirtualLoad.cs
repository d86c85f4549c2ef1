using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Memory;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Tests.Loads;

/// <summary>
/// A load and the embedded broker on one wire in virtual time: every run is repeatable, and waiting costs nothing.
/// Bytes are under way for 100 us.
/// </summary>
internal sealed class VirtualLoad
{
    private readonly IPEndPoint _address;
    private readonly EmbeddedBrokerOptions _options;
    private BrokerHost _host;

    public VirtualLoad(
        string faults = "none",
        string delays = "none",
        BrokerLimits? limits = null,
        Func<LoadSetup, LoadSetup>? change = null
    )
    {
        Wire = new MemoryWire(new WireOptions(), TimeSpan.FromMicroseconds(100), pieces: null);
        _options = new EmbeddedBrokerOptions
        {
            Broker = new BrokerOptions
            {
                Faults = FaultPlan.Parse(faults, "test"),
                Limits = limits ?? new(),
                Seed = 1,
            },
            Delays = DelayPlan.Parse(delays, "test"),
        };
        _host = new BrokerHost(Wire, _options);
        _address = _host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)));
        Setup = new()
        {
            Workload = Workload(),
            Endpoint = new WireEndpoint(_address),
            Version = ProtocolVersion.V5,
            Prefix = "t/",
            Seed = 1,
        };
        Setup = change?.Invoke(Setup) ?? Setup;
    }

    public MemoryWire Wire { get; }

    public LoadSetup Setup { get; set; }

    public MessageList Log { get; } = new();

    /// <summary>Five pairs, a tenth of a second after a hundredth of warm-up.</summary>
    public static Workload Workload() =>
        new()
        {
            Name = "test",
            Publishers = 5,
            Subscribers = 5,
            InFlight = 4,
            WarmUp = LoadWarmUp.Lasting(TimeSpan.FromMilliseconds(10)),
            Duration = TimeSpan.FromMilliseconds(100),
        };

    /// <summary>Runs the load and asserts that its log and its counters agree.</summary>
    public LoadResult Run(CancellationToken cancellation = default)
    {
        var result = new LoadRun(Setup, Log, TimeProvider.System, createWire: _ => Wire).Run(cancellation);
        Log.AssertBalanced(result);
        return result;
    }

    public LoadResult Run(Workload workload)
    {
        Setup = Setup with { Workload = workload };
        return Run();
    }

    /// <summary>Has something happen at a virtual time after the beginning.</summary>
    public void After(TimeSpan time, Action action) => Wire.At(time.Ticks * TimeSpan.NanosecondsPerTick, action);

    /// <summary>The broker ends: connections break, and nobody listens any more.</summary>
    public void Kill()
    {
        Wire.StopListening(_address);
        _host.Shutdown();
    }

    /// <summary>Another broker takes the place of one that was killed; it knows nothing of it.</summary>
    public void Restart()
    {
        _host = new BrokerHost(Wire, _options);
        _host.Listen(new WireListener(_address));
    }
}
