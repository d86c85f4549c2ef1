using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Core;

/// <summary>The state of one network connection.</summary>
internal sealed class Connection
{
    private byte[]?[]? _topicOfAlias;

    public Connection(int number)
    {
        Number = number;
        Silence = new BrokerTimer(this, BrokerTimerKind.Silence);
        Lateness = new BrokerTimer(this, BrokerTimerKind.LateDelivery);
    }

    /// <summary>Its number towards the host.</summary>
    public int Number { get; }

    /// <summary>Null until CONNECT was accepted.</summary>
    public Session? Session { get; set; }

    public bool IsClosed { get; set; }

    public ProtocolVersion Version { get; set; } = ProtocolVersion.V311;

    public string? UserName { get; set; }

    /// <summary>When the last packet came.</summary>
    public long LastReceivedNanoseconds { get; set; }

    /// <summary>How long it may be silent; 0 for ever.</summary>
    public long PatienceNanoseconds { get; set; }

    public BrokerTimer Silence { get; }

    public BrokerTimer Lateness { get; }

    /// <summary>Packets that are sent late, each with the moment at which it is due.</summary>
    public Queue<(long DueNanoseconds, byte[] Packet)> Late { get; } = new();

    /// <summary>QoS 1 and 2 messages that may be on their way to the client at a time.</summary>
    public int SendQuota { get; set; }

    /// <summary>The largest packet taken from the client, in bytes.</summary>
    public int LargestPacketBytes { get; set; }

    /// <summary>The number of the peer that opened it; -1 for a client.</summary>
    public int Peer { get; set; } = -1;

    /// <summary>Whether its CONNECT was marked as that of a broker.</summary>
    public bool IsMarked { get; set; }

    /// <summary>The value that CONNACK gives a peer in its user property.</summary>
    public string? PeerAnswer { get; set; }

    /// <summary>The largest packet the client takes.</summary>
    public uint MaximumPacketBytes { get; set; } = uint.MaxValue;

    /// <summary>The Session Expiry Interval of CONNECT, which DISCONNECT may change unless it is 0.</summary>
    public uint RequestedExpirySeconds { get; set; }

    /// <summary>The aliases the broker has given to topics towards this client.</summary>
    public OutgoingAliases Aliases { get; set; } = OutgoingAliases.None;

    /// <summary>The will, until the connection has ended.</summary>
    public Will? Will { get; set; }

    /// <summary>Lets an alias of the client stand for a topic, or looks up the topic it stands for.</summary>
    /// <param name="alias">1 .. maximum.</param>
    /// <param name="topic">The topic; empty to look up.</param>
    /// <param name="maximum">The highest alias.</param>
    /// <param name="keepsFirst">Whether an alias that is set stays so: a mutant.</param>
    /// <returns>The topic; empty if the alias stands for none.</returns>
    public ReadOnlySpan<byte> ResolveAlias(int alias, ReadOnlySpan<byte> topic, int maximum, bool keepsFirst = false)
    {
        _topicOfAlias ??= new byte[maximum][];
        if (topic.IsEmpty || (keepsFirst && _topicOfAlias[alias - 1] is not null))
            return _topicOfAlias[alias - 1];
        if (!topic.SequenceEqual(_topicOfAlias[alias - 1]))
            _topicOfAlias[alias - 1] = topic.ToArray();
        return topic;
    }
}
