using MqttCheck.Statistics;

namespace MqttCheck.Automata;

/// <summary>
/// One run of a network: its state, and how it steps. Time passes until some step is possible and an invariant forces it; where the network leaves open what happens, the
/// run ends with an error unless the options say how to choose. Nothing is allocated per step. Not thread-safe.
/// </summary>
public sealed class NetworkRun
{
    private readonly NetworkSimulator _simulator;
    private readonly CompiledNetwork _network;
    private readonly int[] _locations;
    private readonly RandomStream[] _streams;
    private readonly IndexedHeap _ready, _deadlines;
    private readonly List<CompiledEdge[]> _enabled = [];
    private readonly List<(int Place, double Value)> _pending = [];
    private CompiledEdge[] _partial = [];
    private int _drawing, _stepsAtOnce;
    private double _earliest;

    internal NetworkRun(NetworkSimulator simulator, CompiledNetwork network)
    {
        (_simulator, _network) = (simulator, network);
        Values = new double[network.Initial.Length];
        _locations = new int[network.Automata.Length];
        // One more for choices that belong to no automaton.
        _streams = new RandomStream[network.Automata.Length + 1];
        _ready = new(network.Channels.Length);
        _deadlines = new(network.Automata.Length);
    }

    /// <summary>The virtual time.</summary>
    public double Now { get; private set; }

    /// <summary>How many steps were made.</summary>
    public long Steps { get; private set; }

    /// <summary>What the last synchronisation is called, or the action of the last edge taken alone; null for a silent step and at the start.</summary>
    public string? LastAction { get; private set; }

    /// <summary>Number of the automaton that took part in the last step; the first one of a synchronisation; -1 at the start.</summary>
    public int LastAutomaton { get; private set; }

    /// <summary>Number of the edge that this automaton took, among its edges; -1 at the start.</summary>
    public int LastEdge { get; private set; }

    internal double[] Values { get; }

    internal ref RandomStream Stream => ref _streams[_drawing];

    /// <summary>The value of a shared variable, or of an automaton's own one as <c>automaton.variable</c>. For a clock the time at which it was set to 0.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ArgumentException">There is no such variable.</exception>
    public double this[string name] =>
        _network.Places.TryGetValue(name, out var place) ? Values[place] : throw new ArgumentException($"The network has no variable {name}.", nameof(name));

    /// <summary>Name of the location in which an automaton is.</summary>
    /// <param name="automaton">Number of the automaton.</param>
    public string LocationOf(int automaton) => _network.Automata[automaton].Locations[_locations[automaton]].Name;

    /// <summary>Goes back to the start, with the streams of another replication.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    public void Restart(ulong seed, ulong replication)
    {
        Reseed(seed, replication);
        _network.Initial.CopyTo(Values, 0);
        _ready.Clear();
        _deadlines.Clear();
        (Now, Steps, _stepsAtOnce, LastAction, LastAutomaton, LastEdge) = (0, 0, 0, null, -1, -1);
        for (var automaton = 0; automaton < _locations.Length; automaton++) _locations[automaton] = _network.Automata[automaton].Initial;
        for (var automaton = 0; automaton < _locations.Length; automaton++) Plan(automaton);
    }

    /// <summary>Takes over the state of another run of the same network, its streams included.</summary>
    /// <param name="other">The other run.</param>
    public void CopyFrom(NetworkRun other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (other._network != _network) throw new ArgumentException("A run can take over the state of a run of the same network only.", nameof(other));
        other.Values.CopyTo(Values, 0);
        other._locations.CopyTo(_locations, 0);
        other._streams.CopyTo(_streams, 0);
        _ready.CopyFrom(other._ready);
        _deadlines.CopyFrom(other._deadlines);
        (Now, Steps, _stepsAtOnce) = (other.Now, other.Steps, other._stepsAtOnce);
        (LastAction, LastAutomaton, LastEdge) = (other.LastAction, other.LastAutomaton, other.LastEdge);
    }

    /// <summary>Goes on with other streams, so that what follows is independent of other runs from the same state.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    public void Reseed(ulong seed, ulong replication)
    {
        for (var automaton = 0; automaton < _streams.Length; automaton++) _streams[automaton] = RandomStream.For(seed, replication, (ulong)automaton);
    }

    /// <summary>The time of the next step, infinite if there is none.</summary>
    public double NextTime => _ready.FirstTime;

    /// <summary>Makes the next step.</summary>
    /// <returns>False if nothing can happen any more; time then passes for ever.</returns>
    /// <exception cref="InputException">Time cannot pass and no step is possible, the network leaves open what happens, or a bound of the options is reached.</exception>
    public bool Step()
    {
        var (time, deadline) = (_ready.FirstTime, _deadlines.FirstTime);
        if (deadline < time) throw Error($"time-lock: {Place(_deadlines.First)} must be left at time {deadline:R} and no edge can be taken then");
        if (double.IsPositiveInfinity(time)) return false;
        var channel = _ready.First;
        if (deadline > time && !_simulator.Options.AsSoonAsPossible)
        {
            throw Error($"{Name(channel)} is possible from time {time:R} on, and no invariant says when it is taken before {deadline:R}; "
                + "allowed: an invariant that ends then, or the option to take it as soon as possible");
        }
        if (++Steps > _simulator.Options.MaximumSteps)
            throw Error($"stopped after {_simulator.Options.MaximumSteps} steps at time {Now:R}; allowed: a run that ends within the bound");
        if (time > Now) _stepsAtOnce = 0;
        else if (++_stepsAtOnce > _simulator.Options.MaximumStepsAtOnce)
            throw Error($"Zeno loop: {_simulator.Options.MaximumStepsAtOnce} steps at time {Now:R}, now in {Place(_network.Channels[channel].Parts[0].Automaton)}");
        Now = time;
        if (_ready.SecondTime == time) channel = ChooseChannel();
        Enumerate(channel);
        Take(channel, _enabled.Count == 1 ? _enabled[0] : ChooseEdges(channel));
        return true;
    }

    // Times of an automaton's location and of every step it takes part in, after it moved or a variable that it reads changed.
    private void Plan(int automaton)
    {
        var location = Current(automaton);
        var deadline = double.PositiveInfinity;
        foreach (var bound in location.Until) deadline = Math.Min(deadline, bound.Time(this));
        if (location.Condition is not null && location.Condition.Evaluate(this) == 0) deadline = Now;
        if (!(deadline >= Now)) throw Error($"time-lock: the invariant of {Place(automaton)} ended at {deadline:R}, before it was entered at time {Now:R}");
        _deadlines.Set(automaton, deadline);
        foreach (var channel in _network.Automata[automaton].Channels) PlanChannel(channel);
    }

    private void PlanChannel(int number)
    {
        var channel = _network.Channels[number];
        _earliest = double.PositiveInfinity;
        if (channel.Alone)
        {
            foreach (var edge in Current(channel.Parts[0].Automaton).Alone)
            {
                var (from, to) = Window(edge);
                if (from <= to) _earliest = Math.Min(_earliest, from);
            }
        }
        else EarliestOf(channel, 0, Now, double.PositiveInfinity);
        _ready.Set(number, _earliest);
    }

    private void EarliestOf(Channel channel, int part, double from, double to)
    {
        if (part == channel.Parts.Length)
        {
            _earliest = Math.Min(_earliest, from);
            return;
        }
        foreach (var edge in Current(channel.Parts[part].Automaton).Together)
        {
            if (edge.Action != channel.Parts[part].Action) continue;
            var window = Window(edge);
            var (later, sooner) = (Math.Max(from, window.From), Math.Min(to, window.To));
            if (later <= sooner) EarliestOf(channel, part + 1, later, sooner);
        }
    }

    // When an edge may be taken if nothing else happens before.
    private (double From, double To) Window(CompiledEdge edge)
    {
        if (edge.Guard is not null && edge.Guard.Evaluate(this) == 0) return (double.PositiveInfinity, double.NegativeInfinity);
        var (from, to) = (Now, double.PositiveInfinity);
        foreach (var bound in edge.After) from = Math.Max(from, bound.Time(this));
        foreach (var bound in edge.Before) to = Math.Min(to, bound.Time(this));
        return (from, to);
    }

    // All ways to make the step of a channel now.
    private void Enumerate(int number)
    {
        _enabled.Clear();
        var channel = _network.Channels[number];
        if (channel.Alone)
        {
            foreach (var edge in Current(channel.Parts[0].Automaton).Alone)
            {
                var (from, to) = Window(edge);
                if (from <= Now && Now <= to) _enabled.Add(edge.Single);
            }
            return;
        }
        if (_partial.Length < channel.Parts.Length) _partial = new CompiledEdge[channel.Parts.Length];
        EnumerateTogether(channel, 0);
    }

    private void EnumerateTogether(Channel channel, int part)
    {
        if (part == channel.Parts.Length)
        {
            _enabled.Add(_partial[..part]);
            return;
        }
        foreach (var edge in Current(channel.Parts[part].Automaton).Together)
        {
            if (edge.Action != channel.Parts[part].Action) continue;
            var (from, to) = Window(edge);
            if (!(from <= Now && Now <= to)) continue;
            _partial[part] = edge;
            EnumerateTogether(channel, part + 1);
        }
    }

    private CompiledEdge[] ChooseEdges(int channel)
    {
        switch (_simulator.Options.SimultaneousSteps)
        {
            case SimultaneousSteps.InOrder:
                return _enabled[0];
            case SimultaneousSteps.Uniform:
                return _enabled[_streams[^1].NextInt(_enabled.Count)];
            default:
                throw Error($"{Name(channel)} can be taken in {_enabled.Count} ways at time {Now:R} ("
                    + string.Join(", ", _enabled.Select(edges => string.Join(" with ", edges.Select(edge => $"edge {edge.Number} of {_network.Automata[edge.Automaton].Name}"))))
                    + "); allowed: one, or an option that says how to choose");
        }
    }

    private int ChooseChannel()
    {
        int[] ties = [.. _ready.Ties().Order()];
        if (_simulator.Options.SimultaneousSteps == SimultaneousSteps.Uniform) return ties[_streams[^1].NextInt(ties.Length)];
        if (_simulator.Options.SimultaneousSteps == SimultaneousSteps.Refuse)
        {
            for (var i = 1; i < ties.Length; i++)
            {
                if (!Independent(ties[0], ties[i]))
                {
                    throw Error($"{Name(ties[0])} and {Name(ties[i])} are both possible at time {Now:R} and influence each other; "
                        + "allowed: one at a time, or an option that says how to choose");
                }
            }
        }
        return ties[0];
    }

    // Neither assigns what the other one reads or assigns, no automaton takes part in both, and at most one assigns what the caller watches: any order gives the same.
    private bool Independent(int first, int second)
    {
        CompiledEdge[] one = Edges(first), other = Edges(second);
        if (one.Any(a => other.Any(b => a.Automaton == b.Automaton))) return false;
        if (one.Any(a => _network.Observed.Overlaps(a.Writes)) && other.Any(b => _network.Observed.Overlaps(b.Writes))) return false;
        return !one.Any(a => other.Any(b => a.Writes.Intersect(b.Writes).Any() || ReadHere(b).Overlaps(a.Writes) || ReadHere(a).Overlaps(b.Writes)));

        CompiledEdge[] Edges(int channel)
        {
            Enumerate(channel);
            return [.. _enabled.SelectMany(edges => edges)];
        }
        HashSet<int> ReadHere(CompiledEdge edge) => Current(edge.Automaton).Reads;
    }

    private void Take(int channel, CompiledEdge[] edges)
    {
        (LastAutomaton, LastEdge) = (edges[0].Automaton, edges[0].Number);
        LastAction = _network.Channels[channel].Alone ? edges[0].Action : _network.Channels[channel].Result;
        if (edges.Length == 1)
        {
            var destination = ChooseDestination(edges[0]);
            _drawing = edges[0].Automaton;
            Assign(destination.Assignments);
            _locations[_drawing] = destination.Location;
        }
        else TakeTogether(edges);
        foreach (var edge in edges) Plan(edge.Automaton);
        foreach (var edge in edges)
        {
            foreach (var variable in edge.Writes) PlanReaders(variable, edges);
        }
    }

    private void PlanReaders(int variable, CompiledEdge[] moved)
    {
        foreach (var reader in _network.Readers[variable])
        {
            if (Current(reader).Reads.Contains(variable) && (moved.Length > 1 || moved[0].Automaton != reader)) Plan(reader);
        }
    }

    private CompiledDestination ChooseDestination(CompiledEdge edge)
    {
        var destinations = edge.Destinations;
        if (destinations.Length == 1) return destinations[0];
        Span<double> weights = stackalloc double[destinations.Length];
        var total = 0.0;
        var last = -1;
        for (var i = 0; i < weights.Length; i++)
        {
            weights[i] = destinations[i].Weight.Evaluate(this);
            if (!(weights[i] >= 0)) throw Error($"edge {edge.Number} of {Place(edge.Automaton)} has a destination of weight {weights[i]:R}; allowed: 0 or more");
            if (weights[i] > 0) last = i;
            total += weights[i];
        }
        if (!(total > 0 && double.IsFinite(total))) throw Error($"the weights of edge {edge.Number} of {Place(edge.Automaton)} add up to {total:R}; allowed: a positive number");
        var u = _streams[edge.Automaton].NextDouble() * total;
        for (var i = 0; i < last; i++)
        {
            if ((u -= weights[i]) < 0) return destinations[i];
        }
        return destinations[last];
    }

    private void TakeTogether(CompiledEdge[] edges)
    {
        var parts = edges.Select(edge => (Edge: edge, Destination: ChooseDestination(edge))).ToArray();
        foreach (var group in parts.SelectMany(part => part.Destination.Assignments.Select(assignment => (part.Edge.Automaton, Assignment: assignment)))
            .GroupBy(pair => pair.Assignment.Order).OrderBy(group => group.Key))
        {
            _pending.Clear();
            foreach (var (automaton, assignment) in group)
            {
                _drawing = automaton;
                _pending.Add(Evaluate(assignment));
            }
            foreach (var (place, value) in _pending) Values[place] = value;
        }
        foreach (var (edge, destination) in parts) _locations[edge.Automaton] = destination.Location;
    }

    private void Assign(CompiledAssignment[] assignments)
    {
        for (var i = 0; i < assignments.Length;)
        {
            var order = assignments[i].Order;
            if (i + 1 == assignments.Length || assignments[i + 1].Order != order)
            {
                var (place, value) = Evaluate(assignments[i++]);
                Values[place] = value;
                continue;
            }
            _pending.Clear();
            for (; i < assignments.Length && assignments[i].Order == order; i++) _pending.Add(Evaluate(assignments[i]));
            foreach (var (place, value) in _pending) Values[place] = value;
        }
    }

    private (int Place, double Value) Evaluate(CompiledAssignment assignment)
    {
        var place = assignment.Place;
        if (assignment.Element is not null) place += NetworkNode.ReadElement.Index(assignment.Name, assignment.Length, assignment.Element.Evaluate(this));
        if (assignment.Clock) return (place, Now);
        var value = assignment.Value.Evaluate(this);
        if (!(value >= assignment.Lower && value <= assignment.Upper) || (assignment.Whole && value != Math.Floor(value)))
        {
            throw Error($"{assignment.Name} of {_network.Automata[_drawing].Name} gets the value {value:R}; "
                + $"allowed: {(assignment.Whole ? "an integer" : "a number")} in {assignment.Lower:R} .. {assignment.Upper:R}");
        }
        return (place, value);
    }

    private CompiledLocation Current(int automaton) => _network.Automata[automaton].Locations[_locations[automaton]];

    private string Place(int automaton) => $"location {LocationOf(automaton)} of {_network.Automata[automaton].Name}";

    private string Name(int channel) => _network.Channels[channel] switch
    {
        { Alone: true } alone => $"a step from {Place(alone.Parts[0].Automaton)}",
        var together => $"the synchronisation {together.Result ?? "(silent)"} of {string.Join(", ", together.Parts.Select(part => Place(part.Automaton)))}",
    };

    private InputException Error(string what) => new($"network {_network.Name}: {what}");
}
