using System.Runtime.CompilerServices;

namespace MqttCheck.Automata.Engine;

/// <summary>When each step is possible, and when an invariant forces one.</summary>
internal sealed partial class NetworkRun
{
    private readonly EarliestTimes _ready;

    // The deadlines of those automata whose own step is not possible exactly then; the others' are the times of their
    // steps, which are then forced.
    private readonly EarliestTimes _deadlines;
    private readonly bool[] _forced;

    // How many ways there are to take a channel, each counted whose window of time is not empty; and the last one: for
    // each part of each channel the number of its edge among those of the location.
    private readonly int[] _ways;
    private readonly int[] _way;
    private readonly int[] _partial;
    private readonly CompiledEdge[] _moved;

    // Every channel is planned once per step, after its assignments: by the number of the last planning.
    private readonly long[] _planned;
    private long _planning;
    private double _earliest;

    // Times of an automaton's location and of every step it takes part in, after it moved or a variable that it depends
    // on changed.
    private void Plan(int automaton)
    {
        LookAt(automaton);
        var location = Current(automaton);
        var deadline = double.PositiveInfinity;
        foreach (ref readonly var bound in location.Until.AsSpan())
            deadline = Math.Min(deadline, bound.Time(this));
        if (location.Condition is not null && location.Condition.Evaluate(this) == 0)
            deadline = Math.Min(deadline, Now);
        if (!(deadline >= Now))
            throw Error(
                $"time-lock: the invariant of {Place(automaton)} ended "
                    + $"at {deadline:R}, before it was entered at time {Now:R}"
            );
        foreach (var number in _network.Automata[automaton].Channels)
        {
            if (_planned[number] == _planning)
                continue;
            _planned[number] = _planning;
            var channel = _network.Channels[number];
            if (channel.Parts.Length == 1)
            {
                PlanAlone(number, channel);
                continue;
            }
            _earliest = double.PositiveInfinity;
            _ways[number] = 0;
            PlanTogether(number, channel, 0, Now, double.PositiveInfinity);
            _ready.Set(number, _earliest);
        }
        _forced[automaton] = _ready[automaton] == deadline;
        _deadlines.Set(automaton, _forced[automaton] ? double.PositiveInfinity : deadline);
    }

    private void PlanAlone(int number, Channel channel)
    {
        ref readonly var part = ref channel.Parts[0];
        LookAt(part.Automaton);
        var ways = 0;
        var earliest = double.PositiveInfinity;
        var edges = part.Edges[_locations[part.Automaton]];
        for (var edge = 0; edge < edges.Length; edge++)
        {
            if (!Window(edges[edge], out var from, out _))
                continue;
            ways++;
            _way[channel.First] = edge;
            earliest = Math.Min(earliest, from);
        }
        _ways[number] = ways;
        _ready.Set(number, earliest);
    }

    private void PlanTogether(int number, Channel channel, int part, double from, double to)
    {
        var automaton = channel.Parts[part].Automaton;
        var edges = channel.Parts[part].Edges[_locations[automaton]];
        for (var edge = 0; edge < edges.Length; edge++)
        {
            // Planning the parts behind this one may have changed the automaton whose variables are read.
            LookAt(automaton);
            if (!Window(edges[edge], out var later, out var sooner))
                continue;
            (later, sooner) = (Math.Max(from, later), Math.Min(to, sooner));
            if (!(later <= sooner))
                continue;
            _partial[part] = edge;
            if (part + 1 < channel.Parts.Length)
            {
                PlanTogether(number, channel, part + 1, later, sooner);
                continue;
            }
            _ways[number]++;
            _partial.AsSpan(0, part + 1).CopyTo(_way.AsSpan(channel.First));
            _earliest = Math.Min(_earliest, later);
        }
    }

    // When an edge may be taken if nothing else happens before; false if never.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Window(CompiledEdge edge, out double from, out double to)
    {
        (from, to) = (Now, double.PositiveInfinity);
        if (edge.Guard is not null && edge.Guard.Evaluate(this) == 0)
            return false;
        foreach (ref readonly var bound in edge.After.AsSpan())
            from = Math.Max(from, bound.Time(this));
        foreach (ref readonly var bound in edge.Before.AsSpan())
            to = Math.Min(to, bound.Time(this));
        return from <= to;
    }

    private void PlanReaders(int variable, int moved)
    {
        foreach (var reader in _network.Readers[variable])
        {
            if (reader != moved && Current(reader).Reads.Contains(variable))
                Plan(reader);
        }
    }

    // The first channel is not forced by its own invariant, but another automaton's invariant may force it.
    private void RefuseIfNotForced(int channel)
    {
        var time = _ready.FirstTime;
        _ties.Clear();
        _ready.AddTies(_ties);
        foreach (var tie in _ties)
            if (_forced[tie])
                return;
        var deadline = _deadlines.FirstTime;
        for (var automaton = 0; automaton < _locations.Length; automaton++)
            if (_forced[automaton])
                deadline = Math.Min(deadline, _ready[automaton]);
        throw Error(
            $"{Name(channel)} is possible from time {time:R} on, and "
                + $"no invariant says when it is taken before {deadline:R}; "
                + "allowed: an invariant that ends then, or the option to take it as soon as possible"
        );
    }
}
