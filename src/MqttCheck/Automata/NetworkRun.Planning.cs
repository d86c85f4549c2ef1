namespace MqttCheck.Automata;

/// <summary>When each step is possible, and when an invariant forces one.</summary>
public sealed partial class NetworkRun
{
    private readonly IndexedHeap _ready;
    // The deadlines of those automata whose own step is not possible exactly then; the others' are the times of their steps, which are then forced.
    private readonly IndexedHeap _deadlines;
    private readonly bool[] _forced;
    // How many ways there are to take a channel, each counted whose window of time is not empty; and the edges of the last one, by channel.
    private readonly int[] _ways;
    private readonly CompiledEdge[][] _only;
    private readonly CompiledEdge[] _partial;
    private readonly CompiledEdge[] _moved;
    // Every channel is planned once per step, after its assignments: by the number of the last planning.
    private readonly long[] _planned;
    private long _planning;
    private double _earliest;

    // Times of an automaton's location and of every step it takes part in, after it moved or a variable that it depends on changed.
    private void Plan(int automaton)
    {
        LookAt(automaton);
        var location = Current(automaton);
        var deadline = double.PositiveInfinity;
        foreach (var bound in location.Until) deadline = Math.Min(deadline, bound.Time(this));
        if (location.Condition is not null && location.Condition.Evaluate(this) == 0) deadline = Math.Min(deadline, Now);
        if (!(deadline >= Now)) throw Error($"time-lock: the invariant of {Place(automaton)} ended at {deadline:R}, before it was entered at time {Now:R}");
        foreach (var channel in _network.Automata[automaton].Channels)
        {
            if (_planned[channel] == _planning) continue;
            _planned[channel] = _planning;
            PlanChannel(channel);
        }
        _forced[automaton] = _ready[automaton] == deadline;
        _deadlines.Set(automaton, _forced[automaton] ? double.PositiveInfinity : deadline);
    }

    private void PlanChannel(int number)
    {
        var parts = _network.Channels[number].Parts;
        var ways = 0;
        var earliest = double.PositiveInfinity;
        if (parts.Length == 1)
        {
            LookAt(parts[0].Automaton);
            foreach (var edge in parts[0].Edges[_locations[parts[0].Automaton]])
            {
                var (from, to) = Window(edge);
                if (!(from <= to)) continue;
                ways++;
                _only[number][0] = edge;
                earliest = Math.Min(earliest, from);
            }
            _ways[number] = ways;
            _ready.Set(number, earliest);
            return;
        }
        _earliest = double.PositiveInfinity;
        _ways[number] = 0;
        PlanTogether(number, parts, 0, Now, double.PositiveInfinity);
        _ready.Set(number, _earliest);
    }

    private void PlanTogether(int number, ChannelPart[] parts, int part, double from, double to)
    {
        if (part == parts.Length)
        {
            _ways[number]++;
            var only = _only[number];
            for (var i = 0; i < part; i++) only[i] = _partial[i];
            _earliest = Math.Min(_earliest, from);
            return;
        }
        foreach (var edge in parts[part].Edges[_locations[parts[part].Automaton]])
        {
            LookAt(parts[part].Automaton);
            var window = Window(edge);
            var (later, sooner) = (Math.Max(from, window.From), Math.Min(to, window.To));
            if (!(later <= sooner)) continue;
            _partial[part] = edge;
            PlanTogether(number, parts, part + 1, later, sooner);
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

    private void PlanReaders(int variable, int moved)
    {
        foreach (var reader in _network.Readers[variable])
        {
            if (reader != moved && Current(reader).Reads.Contains(variable)) Plan(reader);
        }
    }

    // The first channel is not forced by its own invariant: by another one's?
    private void RefuseIfNotForced(int channel)
    {
        var time = _ready.FirstTime;
        _ties.Clear();
        _ready.AddTies(_ties);
        foreach (var tie in _ties)
            if (_forced[tie]) return;
        var deadline = _deadlines.FirstTime;
        for (var automaton = 0; automaton < _locations.Length; automaton++)
            if (_forced[automaton]) deadline = Math.Min(deadline, _ready[automaton]);
        throw Error($"{Name(channel)} is possible from time {time:R} on, and no invariant says when it is taken before {deadline:R}; "
            + "allowed: an invariant that ends then, or the option to take it as soon as possible");
    }
}
