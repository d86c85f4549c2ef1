using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using TopicComparer = MqttCheck.Protocol.Topics.TopicComparer;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// Removes from the broker what a replay left there: sessions that outlive connections, retained messages.
/// </summary>
/// <param name="wire">The event loop.</param>
/// <param name="setup">The replay.</param>
/// <param name="done">Told when it is over.</param>
internal sealed class ReplayCleanUp(IWire wire, ReplaySetup setup, Action done) : ITimerHandler
{
    private const int AtOnce = 20;
    private const int MostTopics = 65_536;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_impatience = TimeSpan.FromSeconds(1);

    private readonly Dictionary<string, ConnectPacket> _sessions = new(StringComparer.Ordinal);
    private readonly HashSet<byte[]> _retained = new(new TopicComparer());
    private readonly Queue<ConnectPacket> _waiting = new();
    private readonly Silent _silent = new();
    private int _open;
    private bool _isOver;

    /// <summary>How many sessions may be left.</summary>
    public int Left => _sessions.Count;

    /// <summary>A client connects.</summary>
    public void Note(ConnectPacket connect)
    {
        var outlives =
            !connect.CleanStart || connect.Properties.SessionExpiryIntervalSeconds is { } seconds && seconds > 0;
        if (outlives)
            _sessions[connect.ClientId] = connect;
    }

    /// <summary>A message is sent.</summary>
    public void Note(ReplayMessage message)
    {
        if (message.IsRetained && message.Size > 0 && _retained.Count < MostTopics)
            _retained.Add(message.Topic);
    }

    /// <summary>Begins, with the connections that are open.</summary>
    public void Begin(IReadOnlyList<ReplayConnection> open, bool isUrgent)
    {
        wire.Schedule(
            this,
            wire.NowNanoseconds + (long)(isUrgent ? s_impatience : s_patience).TotalMicroseconds * 1000,
            0
        );
        foreach (var connection in open)
            connection.Send(new DisconnectPacket());
        foreach (var connect in _sessions.Values)
            _waiting.Enqueue(connect with { CleanStart = true, Properties = PacketProperties.Empty });
        if (_retained.Count > 0)
            Open(
                setup.LoggedIn(
                    new()
                    {
                        ProtocolVersion = ProtocolVersion.V311,
                        ClientId = setup.Prefix.Replace("/", "", StringComparison.Ordinal) + "end",
                    }
                ),
                connection =>
                {
                    foreach (var topic in _retained)
                        connection.Send(new(topic, QualityOfService.AtMostOnce, IsRetained: true, Size: 0), 0);
                }
            );
        Next();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => End();

    private void Next()
    {
        while (_open < AtOnce && _waiting.TryDequeue(out var connect))
            Open(connect, _ => _sessions.Remove(connect.ClientId));
        if (_open == 0)
            End();
    }

    private void Open(ConnectPacket connect, Action<ReplayConnection> accepted)
    {
        _open++;
        var ends = FlowKey.Of(new(0, ushort.MaxValue), new SocketKey(0, 1883), out var side);
        var conversation = new MqttConversation(
            ends,
            new(side, IsSeen: true, null),
            new([], []),
            _silent,
            new CaptureCounts()
        );
        var connection = new ReplayConnection(
            connect,
            conversation,
            (_, _) =>
            {
                _open--;
                Next();
            }
        );
        connection.Answered = () =>
        {
            connection.Answered = null;
            accepted(connection);
            connection.Send(new DisconnectPacket());
        };
        connection.Begin(wire, setup.Endpoint);
    }

    private void End()
    {
        if (_isOver)
            return;
        _isOver = true;
        done();
    }

    private sealed class Silent : IMqttListener
    {
        public void Packet(MqttConversation conversation, in SeenPacket packet) { }

        public void Lost(MqttConversation conversation, bool fromClient, long nanoseconds) { }

        public void Closed(MqttConversation conversation, bool byClient, long nanoseconds) { }
    }
}
