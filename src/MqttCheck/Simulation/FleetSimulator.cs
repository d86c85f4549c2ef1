using System.Globalization;
using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Statistics;

namespace MqttCheck.Simulation;

/// <summary>
/// Simulates setups of a fleet of client models in virtual time. Compiled for each struct type of latency process;
/// nothing is allocated per event or per replication. One simulator belongs to one thread.
/// </summary>
internal sealed class FleetSimulator<TProcess, TObserver>
    where TProcess : struct, ILatencyProcess
    where TObserver : struct, IFleetObserver
{
    private struct Slot
    {
        public RandomStream Random;
        public ClientState State;
        public ClientAction Action;
        public double StartedMilliseconds,
            Worst;
        public int Subscribers;
        public Stage Stage;

        // Whether what the client does completes at its next event.
        public bool Completes;
        public ushort Group;
    }

    private enum Stage : byte
    {
        Waiting,
        SettingUp,
        Open,
    }

    private const long CancellationInterval = 1 << 16;

    private readonly SimulatedFleet _setup;
    private readonly TopicSpace _topics;
    private readonly ClientModel[] _models;

    // When each client connects for the first time, NaN where it waits first; empty without a ramp-up.
    private readonly double[] _starts;
    private readonly Slot[] _slots;
    private readonly ulong[] _subscribed;
    private readonly int _words;
    private readonly FeatureFold _fold;
    private readonly EventQueue _queue;
    private readonly double _grid;
    private readonly NaglePublications? _held;

    // These arrays have one value for each client; they are empty unless the sample records them.
    private double[] _worstPublish = [];
    private int[] _issueIndex = [];
    private TProcess _process;
    private int _sequencesBegun;

    public FleetSimulator(SimulatedFleet setup, TProcess process)
    {
        _setup = setup;
        _process = process;
        var rampUp = RampUp.Of(setup.Population, setup.Clients);
        _starts = rampUp.StartMilliseconds;
        _topics = TopicSpace.Of(setup.Population, setup.Clients);
        _models = new ClientModel[setup.Population.Groups.Count];
        for (var group = 0; group < _models.Length; group++)
            _models[group] = new(
                setup.Population.Groups[group].Profile,
                rampUp.EndMilliseconds,
                _topics.OfGroup(group)
            );
        _slots = new Slot[setup.Clients];
        var client = 0;
        foreach (var group in setup.Population.Assign(setup.Clients))
            _slots[client++].Group = checked((ushort)group);
        _words = _models.Max(model => model.Words);
        _subscribed = new ulong[(long)setup.Clients * _words];
        _fold = new FeatureFold(
            setup.Clients,
            Math.Max(1, _topics.Numbers),
            process.UsesWithheld,
            setup.Population.Shares(setup.Clients),
            _topics.Filters
        );
        _queue = new EventQueue(setup.Clients, HorizonMilliseconds(setup));
        _grid = setup.TimerGridMilliseconds;
        if (process.Held is { } held)
            _held = new(held, setup.Clients);
    }

    /// <summary>Simulates one replication and writes its counted sequences into the sample, in the given row.</summary>
    // Hot loop: all steps of a simulation, millions a second (docs/evidence/speed.md).
    public void Run(
        int replication,
        int row,
        FleetSample sample,
        ref FleetTotals totals,
        ref TObserver observer,
        CancellationToken cancellation
    )
    {
        cancellation.ThrowIfCancellationRequested();
        if (sample.IsDetailed && _issueIndex.Length == 0)
            (_worstPublish, _issueIndex) = (new double[_slots.Length], new int[_slots.Length]);
        Begin(replication);
        var sequences = _setup.Sequences;
        var unfinished = _setup.Clients;
        var slots = _slots;
        var queue = _queue;
        var latest = queue.Latest;
        long events = 0,
            stop = CancellationInterval;
        while (true)
        {
            if (++events >= stop)
                stop = NextStop(events, replication, unfinished, cancellation);
            queue.Advance();
            var now = queue.Time;
            var client = queue.Client;
            ref var slot = ref slots[client];
            double next;
            if (slot.Stage == Stage.Waiting)
            {
                next = Act(client, ref slot, now, ref totals, ref observer);
            }
            else if (!slot.Completes)
            {
                var step = _process.Continue(client, now, ref slot.Random);
                slot.Completes = step.Completes;
                next = step.TimeMilliseconds;
            }
            else if (slot.Stage == Stage.SettingUp)
            {
                slot.Stage = Stage.Waiting;
                observer.SetUp(client, in slot.Action, slot.StartedMilliseconds, now);
                next = Send(client, ref slot, now, ref totals, ref observer);
            }
            else if (!TProcess.HoldsDeliveries || !_held!.Waits(client, now, out next))
            {
                slot.Stage = Stage.Waiting;
                observer.Ended(client, slot.State.Sequence, in slot.Action, slot.StartedMilliseconds, now);
                _fold.End(client, in slot.Action, slot.Subscribers, success: true, now);
                var sequence = slot.State.Sequence;
                var counted = slot.Action.Phase == ExchangePhase.Counted;
                if (counted)
                    Note(client, ref slot, now - slot.StartedMilliseconds);
                var model = _models[slot.Group];
                var ended = model.Complete(ref slot.State, Subscribed(client), in slot.Action, success: true, now);
                if (ended && counted)
                {
                    sample.Record(row, client, sequence, slot.Worst);
                    slot.Worst = 0;
                    if (_issueIndex.Length > 0)
                    {
                        sample.RecordDetails(row, client, sequence, _worstPublish[client], _issueIndex[client]);
                        _worstPublish[client] = 0;
                    }
                    if (sequence == sequences && --unfinished == 0)
                        break;
                }

                var wait = model.NextWaitMilliseconds(in slot.State, ref slot.Random, now);
                // A reset follows at once, as it does in the live fleet.
                next = wait > 0 ? OnGrid(now + wait) : Act(client, ref slot, now, ref totals, ref observer);
            }
            if (!(next >= now && next <= latest))
                throw NotATime(client, now, next);
            queue.Replace(client, next);
            if (TProcess.HoldsDeliveries && _held!.Moves.Count > 0)
                Move(_held);
        }
        totals.Events += events;
    }

    // Four mean waits hold all uniform waits and 98 % of exponential ones.
    private static double HorizonMilliseconds(SimulatedFleet setup) =>
        Math.Max(1, 4 * setup.Population.Groups.Max(group => group.Profile.WaitMilliseconds.Mean));

    private void Begin(int replication)
    {
        var random = RandomStream.For(_setup.Seed, (ulong)replication, (ulong)_slots.Length);
        _process.Reset(ref random);
        _fold.Clear();
        _queue.Clear();
        _held?.Clear();
        Array.Clear(_subscribed);
        Array.Clear(_worstPublish);
        _sequencesBegun = 0;
        for (var client = 0; client < _slots.Length; client++)
        {
            ref var slot = ref _slots[client];
            slot = new()
            {
                Random = RandomStream.For(_setup.Seed, (ulong)replication, (ulong)client),
                Group = slot.Group,
            };
            var model = _models[slot.Group];
            slot.State = model.Begin(ref slot.Random, _topics.RankOf(client));
            var start = _starts.Length > 0 ? _starts[client] : double.NaN;
            if (double.IsNaN(start))
                start = model.NextWaitMilliseconds(in slot.State, ref slot.Random);
            _queue.Add(client, OnGrid(start));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private double Act(int client, ref Slot slot, double now, ref FleetTotals totals, ref TObserver observer)
    {
        slot.Action = _models[slot.Group].Next(in slot.State, Subscribed(client), _setup.Sequences, ref slot.Random);
        if (TProcess.HasSetUp && slot.Action.Kind == MessageKind.Connect)
        {
            var step = _process.SetUp(client, now, ref slot.Random);
            if (!step.Completes || step.TimeMilliseconds > now)
            {
                slot.Stage = Stage.SettingUp;
                slot.StartedMilliseconds = now;
                slot.Completes = step.Completes;
                return step.TimeMilliseconds;
            }
        }
        return Send(client, ref slot, now, ref totals, ref observer);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private double Send(int client, ref Slot slot, double now, ref FleetTotals totals, ref TObserver observer)
    {
        var features = _fold.Start(client, in slot.Action, now);
        slot.StartedMilliseconds = now;
        slot.Subscribers = features.Subscribers;
        totals.Exchanges++;
        totals.MaximumActive = Math.Max(totals.MaximumActive, features.Active);
        if (slot.Action.Phase == ExchangePhase.Counted)
        {
            totals.CountedExchanges++;
            totals.CountedActive += features.Active;
            if (slot.State.Step == 0 && _issueIndex.Length > 0)
                _issueIndex[client] = _sequencesBegun++;
        }
        observer.Started(client, slot.State.Sequence, in slot.Action, in features, now);
        var step = _process.Start(client, in features, now, ref slot.Random);
        slot.Stage = Stage.Open;
        slot.Completes = step.Completes;
        if (TProcess.HoldsDeliveries)
        {
            _held!.Send(client, now);
            if (features.Withheld > 0)
                _held.Hold(client, _fold.Withholding, ref slot.Random);
        }
        return step.TimeMilliseconds;
    }

    private void Move(NaglePublications held)
    {
        foreach (var move in held.Moves)
            _queue.Move(move.Client, move.FromMilliseconds, move.ToMilliseconds);
        held.ClearMoves();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Note(int client, ref Slot slot, double latency)
    {
        slot.Worst = Math.Max(slot.Worst, latency);
        if (_issueIndex.Length > 0 && slot.Action.Kind == MessageKind.Publish)
            _worstPublish[client] = Math.Max(_worstPublish[client], latency);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<ulong> Subscribed(int client) => _subscribed.AsSpan(client * _words, _words);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private double OnGrid(double time) => _grid == 0 ? time : Math.Ceiling(time / _grid) * _grid;

    private long NextStop(long events, int replication, int unfinished, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        if (events > _setup.MaximumEvents)
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"simulation of '{_setup.Population.Name}' with {_setup.Clients} "
                        + $"clients stopped after {_setup.MaximumEvents} events at virtual "
                        + $"time {_queue.Time:0.###} ms of replication {replication}, "
                        + $"where the counted sequences of {unfinished} clients had not ended; allowed: a "
                        + $"setup that ends within the bound (do clients neither wait nor meet a latency?)"
                )
            );
        }
        return Math.Min(events + CancellationInterval, _setup.MaximumEvents + 1);
    }

    private InputException NotATime(int client, double now, double next) =>
        new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"latency model or waiting time gave client {client} of '{_setup.Population.Name}' the next "
                    + $"event at {next} ms of virtual time; allowed: a time from {now} to {_queue.Latest:G3} ms"
            )
        );
}
