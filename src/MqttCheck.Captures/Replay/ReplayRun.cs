using System.Collections.Concurrent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.Logs;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// Sends the steps of a capture at their times. First it sets up the connections that stood when the capture began. The
/// exchanges are found as those of a capture are, from the bytes of both sides.
/// </summary>
internal sealed class ReplayRun : ILoopRun, ITimerHandler
{
    private const int StepsAtOnce = 64;
    private const int SetUpAtOnce = 20;
    private const int MostFailures = 5;
    private const long Millisecond = 1_000_000;
    private const long PatienceNanoseconds = 10_000 * Millisecond;

    private readonly IWire _wire;
    private readonly ReplaySetup _setup;
    private readonly BlockingCollection<ReplayStep> _steps;
    private readonly Action<long, long> _progress;
    private readonly ExchangeRows _rows;
    private readonly ReplayLeftOut _leftOut;
    private readonly BrokerSides _sides = new([], []);
    private readonly Dictionary<int, ReplayConnection> _connections = [];
    private readonly Dictionary<string, ReplayConnection> _byClient = new(StringComparer.Ordinal);
    private readonly Queue<(int Number, JoinedConnection Joined)> _toSetUp;
    private readonly ReplayCleanUp _cleanUp;
    private ReplayStep? _next;
    private Stage _stage = Stage.SettingUp;
    private long _zero,
        _start,
        _deadline,
        _ends;
    private int _settingUp;

    /// <summary>Prepares a run.</summary>
    /// <param name="wire">Its event loop.</param>
    /// <param name="setup">What is wanted.</param>
    /// <param name="joined">The connections that stand before the first step, by their numbers.</param>
    /// <param name="steps">The steps, in the order of their times.</param>
    /// <param name="sink">Takes the exchanges.</param>
    /// <param name="leftOut">Counts what is not sent.</param>
    /// <param name="progress">Is told the time of the capture and the number of messages.</param>
    public ReplayRun(
        IWire wire,
        ReplaySetup setup,
        IReadOnlyList<JoinedConnection> joined,
        BlockingCollection<ReplayStep> steps,
        IExchangeSink sink,
        ReplayLeftOut leftOut,
        Action<long, long> progress
    )
    {
        (_wire, _setup, _steps, _leftOut, _progress) = (wire, setup, steps, leftOut, progress);
        Diagnosis = new(wire.NowNanoseconds, setup.BrokerProcessId);
        _rows = new(new Watched(sink, Diagnosis), resolution: 1000, Counts);
        Book = new(_rows, Counts);
        _toSetUp = new(joined.Select((one, number) => (number, one)));
        _cleanUp = new(wire, setup, Finish);
    }

    /// <summary>The exchanges.</summary>
    public ExchangeBook Book { get; }

    /// <summary>The counts of the packets that the exchanges are made of.</summary>
    public CaptureCounts Counts { get; } = new();

    /// <summary>How late it was.</summary>
    public RunDiagnosis Diagnosis { get; }

    /// <summary>Messages that were sent.</summary>
    public long Publications { get; private set; }

    /// <summary>Messages that arrived.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Whether it was ended before its end.</summary>
    public bool IsInterrupted { get; private set; }

    /// <summary>From the first step to the end of what was under way.</summary>
    public TimeSpan Duration => TimeSpan.FromMicroseconds(Math.Max(0, _ends - _start) / 1000);

    /// <summary>When it ended.</summary>
    public long EndNanoseconds => _ends > 0 ? _ends : _wire.NowNanoseconds;

    /// <summary>Sessions that may be left on the broker.</summary>
    public int SessionsLeft => _cleanUp.Left;

    /// <summary>The first connections that failed, in words.</summary>
    public List<string> Failures { get; } = [];

    /// <inheritdoc/>
    public void Begin()
    {
        _zero = _start = _wire.NowNanoseconds;
        _rows.Zero = _zero;
        _deadline = _zero + PatienceNanoseconds;
        SetUp();
    }

    /// <inheritdoc/>
    public void Cancel()
    {
        IsInterrupted = true;
        if (_stage < Stage.CleaningUp)
            CleanUp();
    }

    /// <inheritdoc/>
    public void Abort()
    {
        IsInterrupted = true;
        _ends = _wire.NowNanoseconds;
        _wire.Stop();
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (_stage == Stage.SettingUp)
            SetUp();
        else if (_stage == Stage.Sending)
            SendDue(nowNanoseconds);
        else if (_stage == Stage.Draining)
            Drain(nowNanoseconds);
    }

    // A connection that does not stand in time fails on its own, when its first packet is due.
    private void SetUp()
    {
        if (_stage != Stage.SettingUp)
            return;
        while (_settingUp < SetUpAtOnce && _toSetUp.TryDequeue(out var one))
        {
            _settingUp++;
            var connection = Open(one.Number, one.Joined.Connect);
            foreach (var subscribe in ReplaySteps.Subscribe(one.Joined.Subscriptions))
                connection.Send(subscribe);
            connection.Answered = () =>
            {
                if (!connection.IsAccepted || connection.Open > 0)
                    return;
                connection.Answered = null;
                _settingUp--;
                SetUp();
            };
        }
        var now = _wire.NowNanoseconds;
        if ((_settingUp == 0 && _toSetUp.Count == 0) || now >= _deadline)
        {
            _stage = Stage.Sending;
            _start = now;
            SendDue(now);
        }
        else if (_toSetUp.Count == 0)
        {
            _wire.Schedule(this, Math.Min(_deadline, now + 100 * Millisecond), 0);
        }
    }

    private void SendDue(long now)
    {
        for (var sent = 0; sent < StepsAtOnce; sent++)
        {
            if (_next is null && !_steps.TryTake(out _next))
            {
                if (_steps.IsCompleted)
                    BeginDraining(now);
                else
                    // The capture is read more slowly than it is sent, which the lag will show.
                    _wire.Schedule(this, now + Millisecond, 0);
                return;
            }
            var due = _start + (long)(_next.Nanoseconds / _setup.Speed);
            if (due > now)
            {
                _wire.Schedule(this, due, 0);
                return;
            }
            Diagnosis.Lag.Add(now - due);
            Send(_next);
            _next = null;
        }
        _wire.Schedule(this, now, 0);
    }

    private void Send(ReplayStep step)
    {
        if (step.Packet is ConnectPacket connect)
        {
            Open(step.Connection, connect);
            return;
        }
        if (!_connections.TryGetValue(step.Connection, out var connection) || connection.HasEnded)
        {
            if (step.Message is not null || step.Packet is not (null or DisconnectPacket))
                _leftOut.AfterEnd++;
            return;
        }
        if (step.Message is { } message)
        {
            connection.Send(message, ++Publications);
            _cleanUp.Note(message);
            if (Publications % 64 == 0)
                _progress(step.Nanoseconds, Publications);
        }
        else if (step.Packet is { } packet)
        {
            connection.Send(packet);
        }
        else
        {
            connection.Leave();
        }
    }

    private ReplayConnection Open(int number, ConnectPacket connect)
    {
        connect = _setup.LoggedIn(connect);
        // The client of the capture came back when its connection had ended. Another broker may be slower.
        var before = _byClient.GetValueOrDefault(connect.ClientId) is { HasEnded: false, IsLeaving: true } leaving
            ? leaving
            : null;
        // The number stands for the address, since nobody sees it.
        var ends = FlowKey.Of(new((UInt128)number, ushort.MaxValue), new SocketKey(0, 1883), out var side);
        var conversation = new MqttConversation(
            ends,
            new(side, IsSeen: true, before is null ? _wire.NowNanoseconds : null),
            _sides,
            Book,
            Counts
        );
        var connection = new ReplayConnection(connect, conversation, Ended);
        _connections[number] = _byClient[connect.ClientId] = connection;
        _cleanUp.Note(connect);
        if (before is null)
            Begin();
        else
            before.Then = Begin;
        return connection;

        void Begin()
        {
            if (_stage < Stage.CleaningUp)
                connection.Begin(_wire, _setup.Endpoint);
        }

        void Ended(ReplayConnection ended, string why)
        {
            if (_stage < Stage.CleaningUp)
                Count(ended);
            _connections.Remove(number);
            if (ended.Answered is not null)
            {
                _settingUp--;
                SetUp();
            }
            if (why.Length > 0 && Failures.Count < MostFailures)
                Failures.Add($"a connection ended {(ended.IsAccepted ? "" : "before it was accepted ")}({why})");
        }
    }

    private void BeginDraining(long now)
    {
        Diagnosis.LoadEnded(now);
        _stage = Stage.Draining;
        _deadline = now + (long)_setup.Drain.TotalMilliseconds * Millisecond;
        Drain(now);
    }

    private void Drain(long now)
    {
        if ((Book.OpenExchanges == 0 && _connections.Values.All(one => one.IsIdle)) || now >= _deadline)
            CleanUp();
        else
            _wire.Schedule(this, now + 10 * Millisecond, 0);
    }

    private void CleanUp()
    {
        _ends = _wire.NowNanoseconds;
        _stage = Stage.CleaningUp;
        Book.End();
        foreach (var connection in _connections.Values)
        {
            Count(connection);
            connection.IsSilent = true;
        }
        _cleanUp.Begin([.. _connections.Values], IsInterrupted);
    }

    private void Count(ReplayConnection connection)
    {
        Deliveries += connection.Deliveries;
        Diagnosis.Pending(connection.PendingBytes);
    }

    private void Finish()
    {
        _stage = Stage.Over;
        _wire.Stop();
    }

    private enum Stage
    {
        SettingUp,
        Sending,
        Draining,
        CleaningUp,
        Over,
    }

    private sealed class Watched(IExchangeSink sink, RunDiagnosis diagnosis) : IExchangeSink
    {
        public void Append(in Exchange exchange)
        {
            diagnosis.Ended(exchange);
            sink.Append(exchange);
        }
    }
}
