using System.Runtime.CompilerServices;
using MqttCheck.Statistics;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// One run of a network: its state, and how it steps. Time passes until some step is possible and an invariant forces
/// it; where the network leaves open what happens, the run ends with an error unless the options say how to choose.
/// Nothing is allocated per step. Not thread-safe.
/// </summary>
internal sealed partial class NetworkRun
{
    private readonly NetworkOptions _options;
    private readonly CompiledNetwork _network;
    private readonly int[] _locations;
    private readonly RandomStream[] _streams;
    private int _drawing,
        _stepsAtOnce;

    internal NetworkRun(NetworkOptions options, CompiledNetwork network)
    {
        (_options, _network) = (options, network);
        Values = new double[network.Initial.Length];
        _locations = new int[network.Automata.Length];
        // One more for choices that belong to no automaton.
        _streams = new RandomStream[network.Automata.Length + 1];
        _ready = new(network.Channels.Length);
        _deadlines = new(network.Automata.Length);
        _forced = new bool[network.Channels.Length];
        _way = new int[network.Channels.Sum(channel => channel.Parts.Length)];
        _ways = new int[network.Channels.Length];
        _planned = new long[network.Channels.Length];
        var most = network.Channels.Max(channel => channel.Parts.Length);
        _partial = new int[most];
        _moved = new CompiledEdge[most];
        _taken = new CompiledDestination[most];
        _weights = new double[
            network.Automata.Max(automaton =>
                automaton.Locations.Max(location =>
                    location.Edges.Select(edge => edge.Destinations.Length).DefaultIfEmpty().Max()
                )
            )
        ];
    }

    /// <summary>The virtual time.</summary>
    public double Now { get; private set; }

    /// <summary>How many steps were made.</summary>
    public long Steps { get; private set; }

    /// <summary>The name of the last synchronisation; null for a silent step and at the start.</summary>
    public string? LastAction { get; private set; }

    /// <summary>
    /// Number of the automaton that took part in the last step; the first one of a synchronisation; -1 at the start.
    /// </summary>
    public int LastAutomaton { get; private set; }

    /// <summary>Number of the edge that this automaton took, among its edges; -1 at the start.</summary>
    public int LastEdge { get; private set; }

    /// <summary>The time of the next step, infinite if there is none.</summary>
    public double NextTime => _ready.FirstTime;

    internal double[] Values { get; }

    /// <summary>Place of the first own variable of the automaton that is looked at.</summary>
    internal int First { get; private set; }

    internal ref RandomStream Stream => ref _streams[_drawing];

    /// <summary>
    /// The value of a shared variable, or of an automaton's own one as <c>automaton.variable</c>. For a clock the time
    /// at which it was set to 0, for an array its first element.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <exception cref="ArgumentException">There is no such variable.</exception>
    public double this[string name] =>
        _network.Places.TryGetValue(name, out var place)
            ? Values[place]
            : throw new ArgumentException($"The network has no variable {name}.", nameof(name));

    /// <summary>Name of the location in which an automaton is.</summary>
    /// <param name="automaton">Number of the automaton.</param>
    public string LocationOf(int automaton) => _network.Automata[automaton].Locations[_locations[automaton]].Name;

    /// <summary>Goes back to the start, with the streams of another replication.</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    /// <exception cref="InputException">The network cannot begin: its invariants make no sense.</exception>
    public void Restart(ulong seed, ulong replication)
    {
        Reseed(seed, replication);
        _network.Initial.CopyTo(Values, 0);
        _ready.Clear();
        _deadlines.Clear();
        (Now, Steps, _stepsAtOnce, LastAction, LastAutomaton, LastEdge) = (0, 0, 0, null, -1, -1);
        for (var automaton = 0; automaton < _locations.Length; automaton++)
            _locations[automaton] = _network.Automata[automaton].Initial;
        _planning++;
        for (var automaton = 0; automaton < _locations.Length; automaton++)
            Plan(automaton);
    }

    /// <summary>Takes over the state of another run of the same network, its streams included.</summary>
    /// <param name="other">The other run.</param>
    public void CopyFrom(NetworkRun other)
    {
        if (other._network != _network)
            throw new ArgumentException(
                "A run can take over the state of a run of the same network only.",
                nameof(other)
            );
        other.Values.CopyTo(Values, 0);
        other._locations.CopyTo(_locations, 0);
        other._streams.CopyTo(_streams, 0);
        _ready.CopyFrom(other._ready);
        _deadlines.CopyFrom(other._deadlines);
        other._forced.CopyTo(_forced, 0);
        other._ways.CopyTo(_ways, 0);
        other._way.CopyTo(_way, 0);
        (Now, Steps, _stepsAtOnce) = (other.Now, other.Steps, other._stepsAtOnce);
        (LastAction, LastAutomaton, LastEdge) = (other.LastAction, other.LastAutomaton, other.LastEdge);
    }

    /// <summary>
    /// Goes on with other streams, so that what follows is independent of other runs from the same state.
    /// </summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    public void Reseed(ulong seed, ulong replication)
    {
        for (var automaton = 0; automaton < _streams.Length; automaton++)
            _streams[automaton] = RandomStream.For(seed, replication, (ulong)automaton);
    }

    /// <summary>Makes the next step.</summary>
    /// <returns>False if nothing can happen any more; time then passes for ever.</returns>
    /// <exception cref="InputException">
    /// Time cannot pass and no step is possible, the network leaves open what happens, or a bound of the options is
    /// reached.
    /// </exception>
    public bool Step()
    {
        var time = _ready.FirstTime;
        var deadline = _deadlines.FirstTime;
        if (deadline < time)
            throw Error(
                $"time-lock: {Place(_deadlines.First)} must be left at time {deadline:R} and no edge can be taken then"
            );
        if (double.IsPositiveInfinity(time))
            return false;
        var channel = _ready.First;
        if (deadline != time && !_forced[channel] && !_options.AsSoonAsPossible)
            RefuseIfNotForced(channel);
        if (++Steps > _options.MaximumSteps)
            throw Error(
                $"stopped after {_options.MaximumSteps} steps at time "
                    + $"{Now:R}; allowed: a run that ends within the bound"
            );
        if (time > Now)
            _stepsAtOnce = 0;
        else if (++_stepsAtOnce > _options.MaximumStepsAtOnce)
            throw Error(
                $"Zeno loop: {_options.MaximumStepsAtOnce} steps at time {Now:R}, "
                    + $"now in {Place(_network.Channels[channel].Parts[0].Automaton)}"
            );
        Now = time;
        // In order, the first channel is the right one whoever shares the time.
        if (_options.SimultaneousSteps != SimultaneousSteps.InOrder && _ready.HasTie)
            channel = ChooseChannel(channel);
        if (_ways[channel] != 1)
            ChooseEdges(channel);
        Take(_network.Channels[channel]);
        return true;
    }

    // The channel is taken in the way that was planned or chosen last.
    private void Take(Channel channel)
    {
        _planning++;
        var parts = channel.Parts;
        LastAction = channel.Result;
        LastAutomaton = parts[0].Automaton;
        LastEdge = EdgeOf(channel, 0).Number;
        if (parts.Length == 1)
            TakeAlone(channel);
        else
            TakeTogether(channel);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private CompiledEdge EdgeOf(Channel channel, int part) =>
        channel.Parts[part].Edges[_locations[channel.Parts[part].Automaton]][_way[channel.First + part]];

    private void TakeAlone(Channel channel)
    {
        var (edge, automaton) = (EdgeOf(channel, 0), channel.Parts[0].Automaton);
        LookAt(automaton);
        var destination = ChooseDestination(edge);
        if (destination.OneByOne)
        {
            AssignOneByOne(destination.Assignments);
        }
        else
        {
            _taken[0] = destination;
            AssignTogether(channel.Parts, destination.Assignments.Length);
        }
        _locations[automaton] = destination.Location;
        Plan(automaton);
        foreach (var variable in edge.Written)
            PlanReaders(variable, automaton);
    }

    private void TakeTogether(Channel channel)
    {
        var parts = channel.Parts;
        var assignments = 0;
        var separate = true;
        for (var part = 0; part < parts.Length; part++)
        {
            LookAt(parts[part].Automaton);
            // Planning one of them replaces the way of this step.
            var edge = _moved[part] = EdgeOf(channel, part);
            var destination = _taken[part] = ChooseDestination(edge);
            assignments += destination.Assignments.Length;
            separate &= destination is { OneByOne: true, Private: true };
        }
        if (!separate)
            AssignTogether(parts, assignments);
        for (var part = 0; part < parts.Length && separate; part++)
        {
            LookAt(parts[part].Automaton);
            AssignOneByOne(_taken[part].Assignments);
        }
        for (var part = 0; part < parts.Length; part++)
            _locations[parts[part].Automaton] = _taken[part].Location;
        for (var part = 0; part < parts.Length; part++)
            Plan(parts[part].Automaton);
        for (var part = 0; part < parts.Length; part++)
        {
            foreach (var variable in _moved[part].Written)
                PlanReaders(variable, -1);
        }
    }

    // Own variables and random numbers are those of this automaton from now on.
    private void LookAt(int automaton)
    {
        _drawing = automaton;
        First = _network.Automata[automaton].First;
    }

    private CompiledLocation Current(int automaton) => _network.Automata[automaton].Locations[_locations[automaton]];

    private string PartName(int channel, int part) =>
        _network.Automata[_network.Channels[channel].Parts[part].Automaton].Name;

    private string Place(int automaton) => $"location {LocationOf(automaton)} of {_network.Automata[automaton].Name}";

    private string Name(int channel) =>
        _network.Channels[channel] switch
        {
            { Alone: true } alone => $"a step from {Place(alone.Parts[0].Automaton)}",
            var together => $"the synchronisation {together.Result ?? "(silent)"} of "
                + $"{string.Join(", ", together.Parts.Select(part => Place(part.Automaton)))}",
        };

    private InputException Error(string what) => new($"network {_network.Name}: {what}");
}
