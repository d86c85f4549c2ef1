using System.Runtime.ExceptionServices;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Health;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// Runs a load against a broker. Every client has its own connection, and all share one event loop in one dedicated
/// thread. Every message is followed from its intended time to its last delivery.
/// </summary>
/// <remarks>
/// Subscribers connect and subscribe first. Publishers then send the warm-up and the messages that count. At the end
/// the run waits until all messages have arrived or <see cref="LoadSetup.Drain"/> is over. A lost connection is made
/// again. Finally sessions are dropped.
/// </remarks>
internal sealed class LoadRun
{
    // Above this rate timers are batched a little, because otherwise each message would wake the loop by itself.
    private const double ExactTimerRate = 5000;
    private static readonly TimeSpan s_timerGrid = TimeSpan.FromMicroseconds(100);

    private readonly LoadSetup _setup;
    private readonly ILoadSink? _sink;
    private readonly IProgress<LoadProgress>? _progress;
    private readonly TimeProvider _time;
    private readonly Func<WireOptions, IWire> _createWire;

    /// <summary>A run of a setup.</summary>
    /// <param name="setup">The setup of the run.</param>
    /// <param name="sink">Takes the messages, on the run's thread; or null.</param>
    /// <param name="time">The clock that payloads take their time from.</param>
    /// <param name="progress">Told every 100 ms, on the run's thread; or null.</param>
    /// <param name="createWire">
    /// Makes the event loop, which the run disposes; by default that of <see cref="LoadSetup.Client"/>.
    /// </param>
    /// <exception cref="InputException">
    /// The setup is invalid, or needs more than this machine allows; one line for each finding.
    /// </exception>
    public LoadRun(
        LoadSetup setup,
        ILoadSink? sink,
        TimeProvider time,
        IProgress<LoadProgress>? progress = null,
        Func<WireOptions, IWire>? createWire = null
    )
    {
        InputException.ThrowIfAny(setup.Validate());
        (_setup, _sink, _progress, _time) = (setup, sink, progress, time);
        _createWire = createWire ?? setup.Client.CreateWire;
    }

    /// <summary>Runs, and returns when every message has its outcome and sessions are dropped.</summary>
    /// <param name="cancellation">
    /// Ends the run early: open messages count as cancelled, sessions are dropped for at most a second.
    /// </param>
    /// <param name="abort">Ends it at once, without dropping sessions.</param>
    /// <exception cref="BrokerException">
    /// The clients cannot connect, or the broker refuses them. A broker that fails later causes no exception, but the
    /// result reports it.
    /// </exception>
    /// <exception cref="InputException">The broker offers less than the workload needs: QoS, packet size.</exception>
    /// <exception cref="IOException">The sink failed.</exception>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public LoadResult Run(CancellationToken cancellation = default, CancellationToken abort = default)
    {
        var isOpenLoop = _setup.Workload.IsOpenLoop;
        var isFast = isOpenLoop && _setup.Workload.MessagesPerSecond > ExactTimerRate;
        return LoopThread.Run(
            "load",
            () =>
                _createWire(
                    new WireOptions
                    {
                        TimerCoalescing = isFast ? s_timerGrid : TimeSpan.Zero,
                        IsPunctual = isOpenLoop && !isFast,
                    }
                ),
            wire => new LoadEngine(wire, _setup, _sink, _progress, () => _time.GetUtcNow().ToUnixTimeMilliseconds()),
            _ => { },
            Conclude,
            cancellation,
            abort
        );
    }

    private LoadResult Conclude(LoadEngine engine)
    {
        if (engine.Exception is { } failure)
            ExceptionDispatchInfo.Throw(failure);

        var (before, after) = (engine.UsageBefore, engine.UsageAfter);
        var wall = before.WallNanoseconds == 0 ? 0 : after.WallNanoseconds - before.WallNanoseconds;
        return new()
        {
            Workload = _setup.Workload,
            Version = _setup.Version,
            Transport = _setup.Endpoint switch
            {
                { Tls: not null, WebSocket: not null } => BrokerTransport.SecureWebSocket,
                { Tls: not null } => BrokerTransport.Tls,
                { WebSocket: not null } => BrokerTransport.WebSocket,
                _ => BrokerTransport.Tcp,
            },
            Window = TimeSpan.FromMicroseconds(wall / 1000),
            Counters = engine.Books.Counters,
            Times = engine.Books.Times,
            Health = Health(engine, before, after, wall),
            WarmUp = engine.Books.WarmUp.Find(),
            GeneratorProcessor = after.GeneratorProcessor - before.GeneratorProcessor,
            AllocatedBytes = after.AllocatedBytes - before.AllocatedBytes,
            BrokerProcessor = after.Broker?.ProcessorTime - before.Broker?.ProcessorTime,
            Interrupted = engine.IsInterrupted,
            Failure = engine.Failure,
            SessionsLeft = engine.SessionsLeft,
            Notes = engine.Notes,
        };
    }

    private RunHealth Health(LoadEngine engine, in UsageReading before, in UsageReading after, long wallNanoseconds) =>
        new()
        {
            Loop = _setup.Workload.IsOpenLoop ? LoadLoop.Open : LoadLoop.Closed,
            LatencyP99Milliseconds = engine.Books.Times.Latency.QuantileNanoseconds(0.99) / 1e6,
            LagMedianMicroseconds = engine.Books.Times.OwnLag.QuantileNanoseconds(0.5) / 1e3,
            LagP99Microseconds = engine.Books.Times.OwnLag.QuantileNanoseconds(0.99) / 1e3,
            LagMaximumMicroseconds = engine.Books.Times.OwnLag.MaximumNanoseconds / 1e3,
            GeneratorCpuShare =
                (after.ThreadNanoseconds - before.ThreadNanoseconds) / (double)wallNanoseconds ?? double.NaN,
            StolenShare = after.Host is { } now && before.Host is { } host ? now.StolenShareSince(host) : double.NaN,
            CollectionPauses = after.CollectionPauses - before.CollectionPauses,
            PendingBytesMaximum = engine.Books.Counters.LargestBacklogBytes,
            DelayedAcknowledgementShare = engine.Books.DelayedAcknowledgementShare,
            HeldAnswerShare = engine.Books.Held.Share,
            BrokerCpuShare =
                (after.Broker?.ProcessorTime - before.Broker?.ProcessorTime)?.TotalNanoseconds / wallNanoseconds
                ?? double.NaN,
            BrokerResidentBytes = after.Broker?.ResidentBytes,
        };
}
