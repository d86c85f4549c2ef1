using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker;

/// <summary>A broker core in memory, with clients that speak in packets and a clock that only tests move.</summary>
internal sealed class BrokerBench : IBrokerOutput
{
    private readonly Dictionary<int, BenchClient> _open = [];

    public BrokerBench(BrokerOptions? options = null) => Core = new BrokerCore(options ?? new BrokerOptions(), this);

    public BrokerCore Core { get; }

    public long Now { get; private set; }

    /// <summary>Connections for which the host would say that they are congested.</summary>
    public HashSet<BenchClient> Congested { get; } = [];

    /// <summary>Everything the broker did, in order.</summary>
    public List<string> Outputs { get; } = [];

    /// <summary>A network connection without CONNECT.</summary>
    public BenchClient Open(ProtocolVersion version)
    {
        Assert.That(Core.TryOpen(Now, out var number), Is.True);
        var client = new BenchClient(this, number, version);
        _open[number] = client;
        return client;
    }

    /// <summary>A client whose CONNECT was accepted. In MQTT 5 its session lasts as it would in 3.1.1.</summary>
    public BenchClient Connect(
        ProtocolVersion version,
        string clientId,
        bool clean = true,
        Func<ConnectPacket, ConnectPacket>? change = null
    )
    {
        var client = Open(version);
        var connect = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = clientId,
            CleanStart = clean,
        };
        if (version == ProtocolVersion.V5 && !clean)
            connect = connect with
            {
                Properties = new PacketProperties { SessionExpiryIntervalSeconds = uint.MaxValue },
            };
        client.Send(change?.Invoke(connect) ?? connect);
        client.Connack = client.Take<ConnackPacket>();
        Assert.That(client.Connack.ReasonCode, Is.EqualTo(ReasonCode.Success));
        return client;
    }

    /// <summary>Lets time pass, with all that becomes due on the way.</summary>
    public void Pass(double seconds)
    {
        var end = Now + (long)(seconds * 1e9);
        while (Core.NextDue <= end)
        {
            Now = Math.Max(Now, Core.NextDue);
            Core.Tick(Now);
        }
        Now = end;
        Core.Tick(Now);
    }

    /// <summary>A broker with a publisher and a subscriber to t, whose session outlives its connection.</summary>
    public static (BrokerBench Bench, BenchClient Subscriber, BenchClient Publisher) Joined(
        ProtocolVersion version,
        int qos,
        BrokerOptions? options = null
    )
    {
        var bench = new BrokerBench(options);
        var subscriber = bench.Connect(version, "s", clean: false);
        subscriber.Subscribe("t", qos);
        return (bench, subscriber, bench.Connect(version, "p"));
    }

    internal void Forget(BenchClient client) => _open.Remove(client.Number);

    void IBrokerOutput.Accepted(int connection, string clientId, ProtocolVersion version) =>
        _open[connection].ClientId = clientId;

    void IBrokerOutput.Send(int connection, ReadOnlySpan<byte> packet)
    {
        Outputs.Add($"{connection} {Convert.ToHexString(packet)}");
        _open[connection].Add(packet);
    }

    void IBrokerOutput.Close(int connection, BrokerCloseReason reason)
    {
        Outputs.Add($"{connection} {reason}");
        _open.Remove(connection, out var closed);
        closed!.CloseReason = reason;
    }

    bool IBrokerOutput.IsCongested(int connection) => Congested.Contains(_open[connection]);

    void IBrokerOutput.PauseReading(int connection, long forNanoseconds) => _open[connection].Pauses++;
}
