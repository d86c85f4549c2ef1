using System.Globalization;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Loads;

/// <summary>A client of a load: keeps its connection, and tells the loop when it is ready.</summary>
internal abstract class LoadClient : IWireHandler, ITimerHandler
{
    /// <summary>The tag of the timer for the next attempt to connect.</summary>
    protected const int ReconnectTag = 1;

    private const int LargestPacketBytes = 64 << 20;
    private const long AnswerPatienceNanoseconds = 10_000_000_000;

    private readonly string _clientId;
    private byte[] _connect = [],
        _resume = [],
        _dropSession = [];
    private int _failures;
    private long _attempted;
    private bool _isLeaving,
        _isGoingOffline;

    /// <summary>A client that has not begun.</summary>
    protected LoadClient(LoadEngine engine, int number, string idKind, bool isPersistent, int node)
    {
        (Engine, Number, IsPersistent, Node) = (engine, number, isPersistent, node);
        _clientId = string.Create(
            CultureInfo.InvariantCulture,
            $"{engine.Setup.Prefix.Replace("/", "", StringComparison.Ordinal)}{idKind}{number}"
        );
        EncodeConnect();
    }

    /// <summary>Its number among the clients of its kind.</summary>
    public int Number { get; }

    /// <summary>Whether its session outlives its connection.</summary>
    public bool IsPersistent { get; }

    /// <summary>Whether it is connected and ready.</summary>
    public bool IsOnline { get; private set; }

    /// <summary>
    /// The time of the first failed attempt to connect since it was connected last; <see cref="LoadMessage.None"/> if
    /// there is none.
    /// </summary>
    public long FailingSince { get; private set; } = LoadMessage.None;

    /// <summary>Whether the broker may hold a session of this client.</summary>
    public bool HasSession { get; private set; }

    /// <summary>The run.</summary>
    protected LoadEngine Engine { get; }

    /// <summary>The place of its node among those of the setup, 0 where there is only one.</summary>
    public int Node { get; private set; }

    /// <summary>The connection, or null.</summary>
    protected WireConnection? Connection { get; private set; }

    /// <summary>Whether the client stays away until it is told to come back.</summary>
    protected bool StaysAway { get; set; }

    private WireEndpoint Endpoint => Engine.Setup.Nodes?.Endpoints[Node] ?? Engine.Setup.Endpoint;

    /// <summary>Begins to connect.</summary>
    public void Connect()
    {
        if (Connection is not null || StaysAway)
            return;
        _attempted = Engine.Wire.NowNanoseconds;
        Connection = Engine.Wire.Connect(Endpoint, this);
    }

    /// <summary>Gives up a connection that waits too long for an answer.</summary>
    public void CheckDeadline(long nowNanoseconds)
    {
        if (Connection is null || IsOnline || _isLeaving || nowNanoseconds - _attempted < AnswerPatienceNanoseconds)
            return;
        Break(BrokerAnswers.Silence);
    }

    /// <summary>Leaves in order at the end of the run, and lets the broker drop the session.</summary>
    /// <returns>Whether there is something to wait for.</returns>
    public bool Leave()
    {
        StaysAway = true;
        if (_isLeaving)
            return Connection is not null;
        _isLeaving = true;
        if (Connection is null)
        {
            if (!HasSession)
                return false;
            Connection = Engine.Wire.Connect(Endpoint, this);
            return true;
        }
        SendDisconnect(dropSession: true);
        return true;
    }

    /// <summary>Ends the connection at once.</summary>
    public void Abort()
    {
        StaysAway = _isLeaving = true;
        var connection = Connection;
        Connection = null;
        IsOnline = false;
        connection?.Abort();
    }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        if (connection == Connection)
            connection.Send(
                _isLeaving ? _dropSession
                : HasSession ? _resume
                : _connect
            );
    }

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        while (connection == Connection)
        {
            var status = PacketFrame.TryRead(bytes[consumed..], LargestPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore)
            {
                AfterBytes(stamp.Nanoseconds);
                return consumed;
            }
            var problem =
                status != FrameStatus.Complete ? BrokerAnswers.Malformed
                : IsOnline
                    ? Receive(connection, frame.Type, bytes.Slice(consumed, frame.TotalLength), stamp.Nanoseconds)
                : ReceiveFirst(connection, frame.Type, bytes.Slice(consumed, frame.TotalLength), stamp.Nanoseconds);
            consumed += frame.TotalLength;
            if (problem is not null)
                Break(problem);
        }
        // The rest belongs to a connection that was given up.
        return bytes.Length;
    }

    /// <inheritdoc/>
    public virtual void OnSent(WireConnection connection, in SendStamp stamp) { }

    /// <inheritdoc/>
    public virtual void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag) => Connect();

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        if (connection == Connection)
            Ended(BrokerAnswers.Describe(reason, detail), stamp.Nanoseconds);
    }

    /// <summary>The broker accepted the client.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="answer">Its answer.</param>
    /// <returns>Null, or what is wrong with it.</returns>
    protected abstract string? Accepted(WireConnection connection, ConnackPacket answer);

    /// <summary>A packet has arrived.</summary>
    /// <returns>Null, or what is wrong with it.</returns>
    protected abstract string? Receive(
        WireConnection connection,
        PacketType type,
        ReadOnlySpan<byte> packet,
        long atNanoseconds
    );

    /// <summary>A packet has arrived before the client was ready.</summary>
    /// <returns>Null, or what is wrong with it.</returns>
    protected virtual string? ReceiveEarly(
        WireConnection connection,
        PacketType type,
        ReadOnlySpan<byte> packet,
        long atNanoseconds
    ) => BrokerAnswers.Unexpected;

    /// <summary>All packets of a read have been handled.</summary>
    protected virtual void AfterBytes(long atNanoseconds) { }

    /// <summary>The connection of a client that was ready has ended.</summary>
    protected virtual void Lost(long atNanoseconds) { }

    /// <summary>The client is ready.</summary>
    protected void GoOnline()
    {
        IsOnline = true;
        HasSession = IsPersistent;
        FailingSince = LoadMessage.None;
        _failures = 0;
        Engine.Connections.Ready();
    }

    /// <summary>Disconnects for a while.</summary>
    protected void GoOffline()
    {
        StaysAway = true;
        if (Connection is null)
            return;
        _isGoingOffline = true;
        SendDisconnect(dropSession: false);
    }

    /// <summary>Sends DISCONNECT and closes.</summary>
    private void SendDisconnect(bool dropSession)
    {
        var endsSession =
            dropSession && Engine.Setup.Version == ProtocolVersion.V5 && Engine.Setup.Client.CanDropSessionWhenLeaving;
        var properties =
            endsSession && IsPersistent
                ? new PacketProperties { SessionExpiryIntervalSeconds = 0 }
                : PacketProperties.Empty;
        if (IsOnline)
            Connection!.Send(
                PacketEncoder.Encode(new DisconnectPacket { Properties = properties }, Engine.Setup.Version)
            );
        if (endsSession && IsOnline)
            HasSession = false;
        Connection!.Close();
    }

    private string? ReceiveFirst(
        WireConnection connection,
        PacketType type,
        ReadOnlySpan<byte> packet,
        long atNanoseconds
    )
    {
        if (type != PacketType.Connack)
            return ReceiveEarly(connection, type, packet, atNanoseconds);
        if (PacketDecoder.Observe(packet, Engine.Setup.Version, PacketOrigin.Server).Packet is not ConnackPacket answer)
            return BrokerAnswers.Malformed;
        if (answer.ReasonCode != ReasonCode.Success)
        {
            Engine.Connections.Refused(answer.ReasonCode);
            return $"the broker refused the connection ({answer.ReasonCode})";
        }
        if (!_isLeaving)
            return Accepted(connection, answer);
        connection.Send(PacketEncoder.Encode(new DisconnectPacket(), Engine.Setup.Version));
        HasSession = false;
        connection.Close();
        return null;
    }

    private void Break(string problem)
    {
        var connection = Connection!;
        Ended(problem, Engine.Wire.NowNanoseconds);
        connection.Abort();
    }

    private void Ended(string problem, long atNanoseconds)
    {
        var wasOnline = IsOnline;
        Connection = null;
        IsOnline = false;
        if (wasOnline)
            Lost(atNanoseconds);
        if (_isLeaving)
        {
            // In MQTT 3.1.1 a client has to connect once more to drop its session. Some client libraries always have
            // to.
            if (HasSession && wasOnline && Engine.MayCleanUp)
                Connection = Engine.Wire.Connect(Endpoint, this);
            else
                Engine.Left();
            return;
        }
        if (_isGoingOffline)
        {
            _isGoingOffline = false;
            MoveOn();
            if (wasOnline)
                Engine.Connections.NoteOffline(Engine.Wire.NowNanoseconds);
            // It may have been told to come back before its last connection ended.
            Connect();
            return;
        }
        if (FailingSince == LoadMessage.None)
            FailingSince = atNanoseconds;
        if (!Engine.Connections.Failed(this, wasOnline, problem, atNanoseconds))
            return;
        MoveOn();
        var backoff = ReconnectBackoff.Nanoseconds(_failures++);
        Engine.Wire.Schedule(this, Engine.Wire.NowNanoseconds + backoff, ReconnectTag);
    }

    // A client that lost or left its node comes back at the next one.
    private void MoveOn()
    {
        if (Engine.Setup.Nodes is not { Failover: true } nodes)
            return;
        var login = Engine.Setup.LoginAt(Node);
        Node = (Node + 1) % nodes.Endpoints.Count;
        if (Engine.Setup.LoginAt(Node) != login)
            EncodeConnect();
    }

    // The packets are made once for each login, because connecting should cost little.
    private void EncodeConnect()
    {
        var (setup, login) = (Engine.Setup, Engine.Setup.LoginAt(Node));
        var packet = new ConnectPacket
        {
            ProtocolVersion = setup.Version,
            ClientId = _clientId,
            CleanStart = !IsPersistent || setup.Version == ProtocolVersion.V5,
            // There is no keep alive, because pings would be load that no workload asks for.
            KeepAliveSeconds = 0,
            UserName = login?.UserName,
            Password = login is null ? default(Bytes?) : Bytes.FromText(login.Password),
            Properties =
                IsPersistent && setup.Version == ProtocolVersion.V5
                    ? new PacketProperties { SessionExpiryIntervalSeconds = LoadEngine.SessionExpirySeconds }
                    : PacketProperties.Empty,
        };
        _connect = PacketEncoder.Encode(packet, setup.Version);
        _resume = IsPersistent ? PacketEncoder.Encode(packet with { CleanStart = false }, setup.Version) : _connect;
        _dropSession = PacketEncoder.Encode(
            packet with
            {
                CleanStart = true,
                Properties = PacketProperties.Empty,
            },
            setup.Version
        );
    }
}
