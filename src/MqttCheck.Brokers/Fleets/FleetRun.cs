using System.Runtime.ExceptionServices;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Runs a fleet of client models against a broker: every client its own connection, all on one event loop in one
/// dedicated thread, each exchange logged once.
/// </summary>
/// <remarks>
/// At time 0 every client waits as its profile says and begins with a partial warm-up sequence, so that clients are out
/// of step. A run bounded by sequences keeps up the load until the last counted sequence of every client has ended. At
/// the end every client drops its session. The first run of a process with a client is preceded by a rehearsal of half
/// a second against a broker in this process, so that what it needs is compiled.
/// </remarks>
internal sealed class FleetRun
{
    private readonly FleetSetup _setup;
    private readonly IExchangeSink _sink;
    private readonly IProgress<FleetProgress>? _progress;
    private readonly Func<WireOptions, IWire>? _createWire;

    /// <summary>A run of a setup.</summary>
    /// <param name="setup">The setup of the run.</param>
    /// <param name="sink">Takes the exchanges, on the run's thread.</param>
    /// <param name="progress">Told at most every 100 ms, on the run's thread; or null.</param>
    /// <param name="createWire">
    /// Makes the event loop, which the run disposes; by default that of <see cref="FleetSetup.Client"/>.
    /// </param>
    /// <exception cref="InputException">The setup is invalid; one line for each finding.</exception>
    public FleetRun(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress = null,
        Func<WireOptions, IWire>? createWire = null
    )
    {
        InputException.ThrowIfAny(setup.Validate());
        (_setup, _sink, _progress) = (setup, sink, progress);
        _createWire = createWire;
    }

    /// <summary>Runs, and returns when every client has dropped its session.</summary>
    /// <param name="cancellation">
    /// Ends the run early: open exchanges are logged as cancelled, sessions are dropped for at most a second, and the
    /// result says that the run was interrupted.</param>
    /// <param name="abort">Ends it at once, without dropping sessions.</param>
    /// <exception cref="BrokerException">
    /// Nobody can connect, or one client cannot for long; the message says what the broker answered. The log
    /// holds all exchanges until then.</exception>
    /// <exception cref="InputException">The system has not enough descriptors or ports for so many clients.</exception>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public FleetRunResult Run(CancellationToken cancellation = default, CancellationToken abort = default) =>
        Run(peers: null, _ => { }, cancellation, abort);

    /// <summary>Runs, with some of the clients here and the others in other processes.</summary>
    /// <param name="peers">The other parts; null where all clients are here.</param>
    /// <param name="ready">
    /// Called when all is ready to begin, on the run's thread; it returns when the start is known.
    /// </param>
    /// <param name="cancellation">Ends the run early.</param>
    /// <param name="abort">Ends it at once.</param>
    internal FleetRunResult Run(
        FleetPeers? peers,
        Action<IWire> ready,
        CancellationToken cancellation,
        CancellationToken abort
    )
    {
        var own = peers?.Share.Of(_setup.Clients) ?? _setup.Clients;
        InputException.ThrowIfAny(SystemLimits.Check(own, _setup.Endpoint.Address));
        if (_createWire is null)
            Rehearsal.Once(_setup.Client);
        var createWire = _createWire ?? _setup.Client.CreateWire;
        return LoopThread.Run(
            "fleet",
            () =>
                createWire(
                    new WireOptions
                    {
                        TimerCoalescing = _setup.TimerCoalescing,
                        KernelSendStamps = _setup.KernelSendStamps,
                        IsPunctual = _setup.TimerCoalescing == TimeSpan.Zero,
                    }
                ),
            wire =>
            {
                ready(wire);
                var fleet = new Fleet(wire, _setup, _sink, _progress, peers);
                peers?.Attach(fleet, wire);
                return fleet;
            },
            fleet =>
            {
                peers?.Detach();
                fleet.Books.Log(long.MaxValue);
            },
            Conclude,
            cancellation,
            abort
        );
    }

    private FleetRunResult Conclude(Fleet fleet)
    {
        var health = fleet.Diagnosis.Conclude(fleet.Wire.NowNanoseconds);
        if (fleet.Failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
        return new()
        {
            Run = _setup.Run,
            Outcomes = [.. fleet.Outcomes.OrderBy(outcome => outcome.IssueIndex)],
            ExchangesByOutcome = fleet.Books.ByOutcome,
            Publications = fleet.Deliveries.Ledger.Published,
            Deliveries = fleet.Deliveries.Ledger.Deliveries,
            Lost = fleet.Deliveries.Lost,
            Duplicates = fleet.Deliveries.Duplicates,
            Redeliveries = fleet.Deliveries.Redeliveries,
            Strays = fleet.Deliveries.Strays,
            StartNanoseconds = fleet.Books.StartNanoseconds,
            Health = health,
            WarmUp = fleet.Diagnosis.WarmUp,
            Duration = TimeSpan.FromMicroseconds((fleet.Books.EndNanoseconds - fleet.Books.StartNanoseconds) / 1000),
            Interrupted = fleet.IsInterrupted,
            SessionsLeft = fleet.SessionsLeft,
            FirstFailures = fleet.Books.Failures,
        };
    }
}
