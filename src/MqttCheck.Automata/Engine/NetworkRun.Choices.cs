namespace MqttCheck.Automata.Engine;

/// <summary>The choices between steps that are possible at once, and between the ends of an edge.</summary>
internal sealed partial class NetworkRun
{
    private readonly List<int> _ties = [];

    // The ways to take a channel now, one after the other, each with as many edges as the channel has parts.
    private readonly List<CompiledEdge> _enabled = [],
        _enabledOther = [];
    private readonly double[] _weights;

    private int ChooseChannel(int first)
    {
        _ties.Clear();
        _ready.AddTies(_ties);
        if (_options.SimultaneousSteps == SimultaneousSteps.Uniform)
        {
            _ties.Sort();
            return _ties[_streams[^1].NextInt(_ties.Count)];
        }
        Enumerate(first, _enabled);
        foreach (var other in _ties)
        {
            if (other == first)
                continue;
            Enumerate(other, _enabledOther);
            if (!Independent(_network.Channels[first].Parts, _network.Channels[other].Parts))
            {
                throw Error(
                    $"{Name(first)} and {Name(other)} are both possible at time {Now:R} and influence each other; "
                        + "allowed: one at a time, or an option that says how to choose"
                );
            }
        }
        return first;
    }

    private void ChooseEdges(int channel)
    {
        Enumerate(channel, _enabled);
        var width = _network.Channels[channel].Parts.Length;
        var count = _enabled.Count / width;
        var chosen = 0;
        if (count > 1)
        {
            chosen = _options.SimultaneousSteps switch
            {
                SimultaneousSteps.InOrder => 0,
                SimultaneousSteps.Uniform => _streams[^1].NextInt(count),
                _ => throw Error(
                    $"{Name(channel)} can be taken in {count} ways at time {Now:R} ("
                        + string.Join(
                            ", ",
                            _enabled
                                .Chunk(width)
                                .Select(edges =>
                                    string.Join(
                                        " with ",
                                        edges.Select((edge, part) => $"edge {edge.Number} of {PartName(channel, part)}")
                                    )
                                )
                        )
                        + "); allowed: one, or an option that says how to choose"
                ),
            };
        }
        var parts = _network.Channels[channel].Parts;
        for (var part = 0; part < width; part++)
            _way[_network.Channels[channel].First + part] = Array.IndexOf(
                parts[part].Edges[_locations[parts[part].Automaton]],
                _enabled[chosen * width + part]
            );
    }

    // All ways to make the step of a channel now.
    private void Enumerate(int channel, List<CompiledEdge> ways)
    {
        ways.Clear();
        Enumerate(_network.Channels[channel].Parts, 0, ways);
    }

    private void Enumerate(ChannelPart[] parts, int part, List<CompiledEdge> ways)
    {
        if (part == parts.Length)
        {
            for (var i = 0; i < part; i++)
                ways.Add(parts[i].Edges[_locations[parts[i].Automaton]][_partial[i]]);
            return;
        }
        var edges = parts[part].Edges[_locations[parts[part].Automaton]];
        for (var edge = 0; edge < edges.Length; edge++)
        {
            LookAt(parts[part].Automaton);
            if (!(Window(edges[edge], out var from, out var to) && from <= Now && Now <= to))
                continue;
            _partial[part] = edge;
            Enumerate(parts, part + 1, ways);
        }
    }

    // No automaton takes part in both, neither assigns what the other one's possibilities or effects depend on or
    // assign, and at most one assigns what the caller watches: any order gives the same.
    private bool Independent(ChannelPart[] first, ChannelPart[] second)
    {
        for (var i = 0; i < _enabled.Count; i++)
        {
            var (a, automaton) = (_enabled[i], first[i % first.Length].Automaton);
            for (var k = 0; k < _enabledOther.Count; k++)
            {
                var (b, other) = (_enabledOther[k], second[k % second.Length].Automaton);
                if (automaton == other || a.Writes.Overlaps(b.Writes))
                    return false;
                if (
                    a.Writes.Overlaps(b.Reads)
                    || a.Writes.Overlaps(Current(other).Reads)
                    || b.Writes.Overlaps(a.Reads)
                    || b.Writes.Overlaps(Current(automaton).Reads)
                )
                    return false;
                if (a.Writes.Overlaps(_network.Observed) && b.Writes.Overlaps(_network.Observed))
                    return false;
            }
        }
        return true;
    }

    private CompiledDestination ChooseDestination(CompiledEdge edge)
    {
        var destinations = edge.Destinations;
        if (destinations.Length == 1)
            return destinations[0];
        var weights = _weights;
        var total = 0.0;
        var last = -1;
        for (var i = 0; i < destinations.Length; i++)
        {
            var weight = destinations[i].FixedWeight ?? destinations[i].Weight.Evaluate(this);
            if (!(weight >= 0))
                throw Error(
                    $"edge {edge.Number} of {Place(_drawing)} has a "
                        + $"destination of weight {weight:R}; allowed: 0 or more"
                );
            if (weight > 0)
                last = i;
            weights[i] = weight;
            total += weight;
        }
        if (!(total > 0 && double.IsFinite(total)))
            throw Error(
                $"the weights of edge {edge.Number} of {Place(_drawing)} "
                    + $"add up to {total:R}; allowed: a positive number"
            );
        var u = Stream.NextDouble() * total;
        for (var i = 0; i < last; i++)
        {
            if ((u -= weights[i]) < 0)
                return destinations[i];
        }
        return destinations[last];
    }
}
