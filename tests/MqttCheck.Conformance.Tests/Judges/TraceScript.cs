using MqttCheck.Conformance.Judges;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Judges;

/// <summary>Writes a trace by hand: what clients send and what a broker answers.</summary>
internal sealed class TraceScript
{
    private readonly ProtocolVersion _version;
    private readonly int[] _connectionOf = [-1, -1, -1],
        _earlierOf = [-1, -1, -1];
    private int _connections;
    private long _now;

    internal TraceScript(ProtocolVersion version = ProtocolVersion.V311)
    {
        _version = version;
        Monitor = new ConformanceMonitor(version, Names, 3);
    }

    internal ConformanceMonitor Monitor { get; }

    internal ScenarioNames Names { get; } = new("x");

    internal IEnumerable<string> Deviations => Monitor.Deviations.Select(deviation => deviation.Statement.Name);

    internal IEnumerable<string> Owed => Monitor.Outstanding().Select(obligation => obligation.Statement.Name);

    /// <summary>Asserts which statements were violated until now, in order.</summary>
    internal TraceScript Finds(params string[] statements)
    {
        Assert.That(Deviations, Is.EqualTo(statements));
        return this;
    }

    internal TraceScript FindsNothing() => Finds();

    /// <summary>Asserts of which statements something is outstanding now, in order.</summary>
    internal TraceScript Owes(params string[] statements)
    {
        Assert.That(Owed, Is.EqualTo(statements));
        return this;
    }

    internal TraceScript OwesNothing() => Owes();

    internal TraceScript Connect(
        int client,
        bool clean = true,
        bool sessionPresent = false,
        string? will = null,
        uint? expiry = null,
        ushort keepAlive = 0,
        uint? willDelay = null,
        uint? maximum = null,
        ReasonCode answer = ReasonCode.Success,
        string detail = "",
        bool willRetain = false
    ) =>
        AsksToConnect(client, clean, will, expiry, keepAlive, willDelay, maximum, detail, willRetain)
            .Gets(client, new ConnackPacket(sessionPresent, answer));

    internal TraceScript AsksToConnect(
        int client,
        bool clean = true,
        string? will = null,
        uint? expiry = null,
        ushort keepAlive = 0,
        uint? willDelay = null,
        uint? maximum = null,
        string detail = "",
        bool willRetain = false
    )
    {
        _earlierOf[client] = _connectionOf[client];
        _connectionOf[client] = _connections++;
        Add(client, TraceKind.Opened, null);
        return Sends(
            client,
            new ConnectPacket
            {
                ProtocolVersion = _version,
                CleanStart = clean,
                ClientId = Names.ClientId(client),
                KeepAliveSeconds = keepAlive,
                Will = will is null
                    ? null
                    : new WillMessage(will, Names.Payload(90 + client), QualityOfService.AtLeastOnce)
                    {
                        Retain = willRetain,
                        Properties = new PacketProperties { WillDelayIntervalSeconds = willDelay },
                    },
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds = expiry,
                    MaximumPacketSizeBytes = maximum,
                },
            },
            detail
        );
    }

    /// <summary>A client opens a connection, and sends this CONNECT.</summary>
    internal TraceScript Opens(int client, ConnectPacket connect)
    {
        _earlierOf[client] = _connectionOf[client];
        _connectionOf[client] = _connections++;
        return Add(client, TraceKind.Opened, null).Sends(client, connect);
    }

    internal TraceScript Subscribe(int client, string filter, int qos, ushort id = 1) =>
        Sends(client, new SubscribePacket(id, [new SubscriptionRequest(filter, (QualityOfService)qos)]))
            .Gets(client, new SubackPacket(id, [(ReasonCode)qos]));

    internal TraceScript Unsubscribe(int client, string filter, ushort id = 2) =>
        Sends(client, new UnsubscribePacket(id, [filter])).Gets(client, new UnsubackPacket(id));

    internal TraceScript Publish(
        int client,
        string topic,
        int qos,
        int number,
        ushort id = 10,
        bool retain = false,
        bool empty = false
    )
    {
        Sends(client, Message(topic, qos, number, id, retain, empty));
        return qos switch
        {
            0 => this,
            1 => Gets(client, new PubackPacket(id)),
            _ => Gets(client, new PubrecPacket(id))
                .Sends(client, new PubrelPacket(id))
                .Gets(client, new PubcompPacket(id)),
        };
    }

    internal TraceScript Deliver(
        int client,
        string topic,
        int qos,
        int number,
        ushort id = 1,
        bool retain = false,
        bool empty = false,
        bool dup = false,
        bool acknowledge = true
    )
    {
        Gets(client, Message(topic, qos, number, id, retain, empty) with { Duplicate = dup });
        if (!acknowledge || qos == 0)
            return this;
        return qos == 1
            ? Sends(client, new PubackPacket(id))
            : Sends(client, new PubrecPacket(id))
                .Gets(client, new PubrelPacket(id))
                .Sends(client, new PubcompPacket(id));
    }

    internal TraceScript Disconnect(int client) =>
        Sends(client, new DisconnectPacket()).Add(client, TraceKind.ClosedByClient, null);

    internal TraceScript Drop(int client) => Add(client, TraceKind.ClosedByClient, null);

    internal TraceScript ConnectMalformed(int client, string defect)
    {
        _connectionOf[client] = _connections++;
        return Add(client, TraceKind.Opened, null).Add(client, TraceKind.SentMalformed, null, defect);
    }

    /// <summary>Waits no longer for anything that is owed.</summary>
    internal TraceScript GiveUp()
    {
        Monitor.GiveUp(Monitor.Outstanding(), "not within 5 s");
        return this;
    }

    internal TraceScript Closed(int client) => Add(client, TraceKind.ClosedByBroker, null);

    /// <summary>A client sends bytes that break a rule on the connection that it has.</summary>
    internal TraceScript Misbehaves(int client, string defect) => Add(client, TraceKind.SentMalformed, null, defect);

    /// <summary>A client waits for no answer to a message that it sent, and releases it never.</summary>
    internal TraceScript Withholds(int client, ushort id) =>
        Add(client, TraceKind.Withholds, new PubrelPacket(id), "answer");

    /// <summary>Time passes, and nobody waits for it.</summary>
    internal TraceScript Pass(int milliseconds)
    {
        _now += milliseconds * 1_000_000L;
        return this;
    }

    internal TraceScript Wait(int milliseconds)
    {
        _now += milliseconds * 1_000_000L;
        Monitor.Observe(new TraceEntry(_now, 0, -1, TraceKind.Waited));
        return this;
    }

    internal TraceScript Sends(int client, Packet packet, string detail = "") =>
        Add(client, TraceKind.Sent, packet, detail);

    internal TraceScript Gets(int client, Packet packet) => Add(client, TraceKind.Received, packet);

    /// <summary>A delivery on the connection before the present one, which its client has not seen end.</summary>
    internal TraceScript DeliverOnEarlier(
        int client,
        string topic,
        int qos,
        int number,
        ushort id = 1,
        bool retain = false
    )
    {
        Monitor.Observe(
            new TraceEntry(_now += 1000, client, _earlierOf[client], TraceKind.Received)
            {
                Packet = Message(topic, qos, number, id, retain, empty: false),
            }
        );
        return this;
    }

    /// <summary>An answer on the connection before the present one.</summary>
    internal TraceScript GetsOnEarlier(int client, Packet packet)
    {
        Monitor.Observe(
            new TraceEntry(_now += 1000, client, _earlierOf[client], TraceKind.Received) { Packet = packet }
        );
        return this;
    }

    /// <summary>A client answers on the connection before the present one.</summary>
    internal TraceScript SendsOnEarlier(int client, Packet packet)
    {
        Monitor.Observe(new TraceEntry(_now += 1000, client, _earlierOf[client], TraceKind.Sent) { Packet = packet });
        return this;
    }

    /// <summary>The broker ends the connection before the present one.</summary>
    internal TraceScript ClosedEarlier(int client)
    {
        Monitor.Observe(new TraceEntry(_now += 1000, client, _earlierOf[client], TraceKind.ClosedByBroker));
        return this;
    }

    private PublishPacket Message(string topic, int qos, int number, ushort id, bool retain, bool empty) =>
        new()
        {
            Topic = topic,
            Qos = (QualityOfService)qos,
            PacketId = qos == 0 ? (ushort)0 : id,
            Retain = retain,
            Payload = empty ? Bytes.Empty : Names.Payload(number),
        };

    private TraceScript Add(int client, TraceKind kind, Packet? packet, string detail = "")
    {
        Monitor.Observe(
            new TraceEntry(_now += 1000, client, _connectionOf[client], kind) { Packet = packet, Detail = detail }
        );
        return this;
    }
}
