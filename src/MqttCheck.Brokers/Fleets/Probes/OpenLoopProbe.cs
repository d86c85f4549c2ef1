using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Fleets.Probes;

/// <summary>
/// Publishes at a constant rate with QoS 1 and MQTT 3.1.1, and measures the time until PUBACK. It is the smallest load
/// with which the tool measures itself. The messages take turns on several connections, so that a late answer delays
/// only those of its own connection.
/// </summary>
/// <param name="createWire">Makes the event loop; by default <see cref="WireFactory.Create"/>.</param>
internal sealed class OpenLoopProbe(Func<WireOptions, IWire>? createWire = null)
{
    private const long PatienceNanoseconds = 10_000_000_000;

    private readonly Func<WireOptions, IWire> _createWire = createWire ?? WireFactory.Create;

    /// <summary>The broker.</summary>
    public required WireEndpoint Endpoint { get; init; }

    /// <summary>How to log in, or null for anonymous.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>The beginning of every topic, as <see cref="FleetSetup.Prefix"/>.</summary>
    public required string Prefix { get; init; }

    /// <summary>How many connections take turns, at least 1. Default 20.</summary>
    public int Connections { get; init; } = 20;

    /// <summary>Messages per second of all connections together.</summary>
    public required double Rate { get; init; }

    /// <summary>How many messages are measured, at least 1.</summary>
    public required int Messages { get; init; }

    /// <summary>
    /// How many unmeasured messages come first at the same rate, to complete just-in-time compilation. Default 100.
    /// </summary>
    public int Rehearsal { get; init; } = 100;

    /// <summary>
    /// Runs on a thread of its own, and returns when every message is acknowledged, or 10 s after the last.
    /// </summary>
    /// <param name="cancellation">Ends it early.</param>
    /// <returns>The measured messages in order.</returns>
    /// <exception cref="BrokerException">The broker refuses, or ends a connection.</exception>
    /// <exception cref="OperationCanceledException">It was ended early.</exception>
    public IReadOnlyList<ProbeSample> Run(CancellationToken cancellation = default)
    {
        cancellation.ThrowIfCancellationRequested();
        var samples = LoopThread.Run(
            "probe",
            () => _createWire(new WireOptions { IsPunctual = true }),
            wire => new ProbeRun(this, wire),
            _ => { },
            run =>
                run.Failure is { } reason
                    ? throw new BrokerException($"The probe of {Endpoint.Address} ended: {reason}.")
                    : run.Samples,
            cancellation,
            abort: CancellationToken.None
        );
        cancellation.ThrowIfCancellationRequested();
        return samples;
    }

    // Holds all connections, the schedule and the samples. Lives on the wire's thread.
    private sealed class ProbeRun(OpenLoopProbe probe, IWire wire) : ITimerHandler, ILoopRun
    {
        private const int PatienceTag = 1;
        private readonly (long Intended, long Sent, long Acknowledged)[] _messages = new (long, long, long)[
            probe.Rehearsal + probe.Messages
        ];
        private readonly ProbeConnection[] _connections = new ProbeConnection[probe.Connections];
        private int _ready,
            _next,
            _acknowledged;
        private long _start;
        private bool _over;

        public string? Failure { get; private set; }

        public ProbeSample[] Samples =>
            [
                .. _messages
                    .Skip(probe.Rehearsal)
                    .Select(message => new ProbeSample(
                        Micro(message.Intended),
                        Micro(message.Sent),
                        Micro(message.Acknowledged)
                    )),
            ];

        public void Begin()
        {
            wire.Schedule(this, wire.NowNanoseconds + PatienceNanoseconds, PatienceTag);
            for (var index = 0; index < _connections.Length; index++)
                _connections[index] = new(this, probe, wire, index);
        }

        public void Cancel() => wire.Stop();

        public void Abort() => wire.Stop();

        public void Ready()
        {
            if (++_ready < _connections.Length)
                return;
            // The first message is due a moment later, so that it is scheduled in time.
            _start = wire.NowNanoseconds + 10_000_000;
            for (var index = 0; index < _messages.Length; index++)
                _messages[index].Intended = _start + (long)(index * 1e9 / probe.Rate);
            wire.Schedule(this, _start, 0);
        }

        public void Sent(int message, long atNanoseconds) => _messages[message].Sent = atNanoseconds;

        public void Acknowledged(int message, long atNanoseconds)
        {
            _messages[message].Acknowledged = atNanoseconds;
            if (++_acknowledged == _messages.Length)
                Stop();
        }

        public void Fail(string reason)
        {
            if (_over)
                return;
            Failure ??= reason;
            Stop();
        }

        public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
        {
            if (tag == PatienceTag)
            {
                if (_ready < _connections.Length)
                    Fail("it did not accept all connections in time");
                else if (_next == _messages.Length)
                    Stop();
                return;
            }
            for (; _next < _messages.Length && _messages[_next].Intended <= nowNanoseconds; _next++)
                _connections[_next % _connections.Length].Publish(_next);
            if (_next < _messages.Length)
                wire.Schedule(this, _messages[_next].Intended, 0);
            else
                wire.Schedule(this, nowNanoseconds + PatienceNanoseconds, PatienceTag);
        }

        private void Stop()
        {
            _over = true;
            foreach (var connection in _connections)
                connection?.Leave();
            wire.Stop();
        }

        private double Micro(long nanoseconds) => nanoseconds == 0 ? double.NaN : (nanoseconds - _start) / 1e3;
    }

    private sealed class ProbeConnection : IWireHandler
    {
        private readonly ProbeRun _run;
        private readonly WireConnection _connection;
        private readonly byte[] _connect,
            _publish;
        private readonly int _topicBytes;
        private readonly Queue<int> _unsent = new();

        // The index is the packet identifier; fewer messages than that are open at once.
        private readonly int[] _messages = new int[1 << 16];
        private ushort _packetId;

        public ProbeConnection(ProbeRun run, OpenLoopProbe probe, IWire wire, int index)
        {
            _run = run;
            var name = string.Create(CultureInfo.InvariantCulture, $"{probe.Prefix}probe{index}");
            _connect = PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = ProtocolVersion.V311,
                    ClientId = name.Replace("/", "", StringComparison.Ordinal),
                    UserName = probe.Credentials?.UserName,
                    Password = probe.Credentials is { } credentials
                        ? Bytes.FromText(credentials.Password)
                        : default(Bytes?),
                },
                ProtocolVersion.V311
            );
            var packet = new PublishPacket
            {
                Topic = name,
                Payload = new Bytes(new byte[40]),
                Qos = QualityOfService.AtLeastOnce,
                PacketId = 1,
            };
            _publish = PacketEncoder.Encode(packet, ProtocolVersion.V311);
            _topicBytes = name.Length;
            _connection = wire.Connect(probe.Endpoint, this);
        }

        public void Publish(int message)
        {
            _packetId = _packetId == ushort.MaxValue ? (ushort)1 : (ushort)(_packetId + 1);
            _messages[_packetId] = message;
            // The identifier follows the topic. Before it are a fixed header of two bytes (three from 128 bytes on) and
            // the topic with its length.
            var at = (_publish[1] < 0x80 ? 2 : 3) + 2 + _topicBytes;
            (_publish[at], _publish[at + 1]) = ((byte)(_packetId >> 8), (byte)_packetId);
            _unsent.Enqueue(message);
            _connection.Send(_publish);
        }

        public void Leave()
        {
            _connection.Send([0xE0, 0x00]);
            _connection.Close();
        }

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp) => connection.Send(_connect);

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
        {
            var consumed = 0;
            while (bytes.Length - consumed >= 4)
            {
                var packet = bytes.Slice(consumed, 4);
                if (packet is [0x20, 0x02, _, 0])
                    _run.Ready();
                else if (packet is [0x40, 0x02, var high, var low])
                    _run.Acknowledged(_messages[high << 8 | low], stamp.Nanoseconds);
                else
                    _run.Fail(
                        packet is [0x20, 0x02, _, var code]
                            ? $"it refused a connection with CONNACK {code}"
                            : "it sent what a probe does not ask for"
                    );
                consumed += 4;
            }
            return consumed;
        }

        public void OnSent(WireConnection connection, in SendStamp stamp)
        {
            while (_unsent.TryDequeue(out var message))
                _run.Sent(message, stamp.Nanoseconds);
        }

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            _run.Fail(BrokerAnswers.Describe(reason, detail));
    }
}
