using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Sending;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>One connection of a scenario's client: packets in and out, recorded.</summary>
/// <param name="run">The scenario's run.</param>
/// <param name="client">The client.</param>
/// <param name="number">Its number in the run.</param>
/// <param name="before">
/// The client's previous connection, if any. Its TLS or WebSocket handshake may take longer than that of this one. A
/// late CONNECT on it would take over the session of this one.
/// </param>
internal sealed class ClientLink(ScenarioRun run, ScenarioClient client, int number, ClientLink? before) : IWireHandler
{
    private const int MaximumPacketBytes = 16 << 20;

    private readonly PacketStream _stream = new(MaximumPacketBytes);
    private readonly List<Action> _whenOpen = [];
    private readonly ProtocolVersion _version = client.Version;
    private WireConnection? _wire;
    private Outbox? _outbox;
    private Command? _doing;
    private ClientLink? _next;
    private bool _isOpen,
        _hasBegun;

    public ScenarioClient Client { get; } = client;

    public int Number { get; } = number;

    public bool IsClosed { get; private set; }

    public bool IsAccepted { get; set; }

    /// <summary>This side has ended it; what still arrives is ignored.</summary>
    public bool IsLeft { get; private set; }

    public void Attach(WireConnection wire) => (_wire, _outbox) = (wire, new Outbox(run.Wire, wire));

    /// <summary>
    /// Does what a command says as soon as bytes can be sent, and the connection before has begun to send.
    /// </summary>
    public void WhenOpen(Action action, Command? command = null)
    {
        if (IsClosed || IsLeft)
            return;
        if (_hasBegun)
            Act();
        else
            _whenOpen.Add(Act);

        void Act()
        {
            _doing = command;
            action();
            _doing = null;
        }
    }

    public void Send(Packet packet, string detail = "") => Send(packet, PacketEncoder.Encode(packet, _version), detail);

    public void Send(Packet packet, ReadOnlySpan<byte> bytes, string detail = "")
    {
        if (IsClosed || IsLeft)
            return;
        run.SentPacket(this, packet, detail);
        SendRaw(bytes);
    }

    public void SendRaw(ReadOnlySpan<byte> bytes)
    {
        if (!IsClosed && !IsLeft)
            _outbox!.Send(bytes, _doing?.SplitBytes ?? 0, _doing?.WithNext ?? false);
    }

    /// <summary>Sends packets that wait for another one.</summary>
    public void Release()
    {
        if (!IsClosed && !IsLeft)
            _outbox!.Release();
    }

    /// <summary>Ends this side.</summary>
    public void Leave()
    {
        if (IsClosed || IsLeft)
            return;
        _outbox!.Flush();
        IsLeft = true;
        run.LeftLink(this);
        if (_isOpen)
            _wire!.Close();
        else
            _wire!.Abort();
        _next?.BeginInTurn();
    }

    /// <summary>Ends it in order after the run: no will shall follow.</summary>
    public void Farewell()
    {
        if (IsAccepted)
            SendRaw(PacketEncoder.Encode(new DisconnectPacket(), _version));
        Leave();
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        Attach(connection);
        _isOpen = true;
        if (before is { IsPending: true })
            before._next = this;
        else
            BeginInTurn();
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var input = bytes;
        while (!IsLeft)
        {
            var status = _stream.TryRead(ref input, out var packet);
            if (status == FrameStatus.NeedMore)
                break;
            if (status != FrameStatus.Complete)
            {
                run.Unreadable(this, status);
                break;
            }
            run.ReceivedPacket(this, PacketDecoder.Observe(packet, _version, PacketOrigin.Server));
        }
        run.Progress();
        return bytes.Length;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        var wasLeft = IsLeft;
        IsClosed = true;
        run.ClosedLink(this, reason, detail, wasLeft, wasOpen: _isOpen);
        _next?.BeginInTurn();
        run.Progress();
    }

    // The link still has to send its first packet.
    private bool IsPending => !_hasBegun && !IsClosed && !IsLeft;

    private void BeginInTurn()
    {
        if (!IsPending || !_isOpen)
            return;
        _hasBegun = true;
        foreach (var action in _whenOpen)
            action();
        _whenOpen.Clear();
        Release();
        _next?.BeginInTurn();
    }
}
