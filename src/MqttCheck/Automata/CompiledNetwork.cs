namespace MqttCheck.Automata;

/// <summary>A bound on a clock: the clock's place among the values, and what it is compared with.</summary>
internal readonly record struct ClockBound(int Clock, NetworkNode Bound)
{
    /// <summary>The time at which the clock reaches the bound.</summary>
    public double Time(NetworkRun run) => run.Values[Clock] + Bound.Evaluate(run);
}

/// <summary>An assignment with places instead of names.</summary>
internal sealed record CompiledAssignment(string Name, int Place, int Length, NetworkNode? Element, NetworkNode Value, bool Clock, bool Whole, double Lower, double Upper, int Order);

/// <summary>One end of an edge.</summary>
internal sealed record CompiledDestination(int Location, NetworkNode Weight, CompiledAssignment[] Assignments);

/// <summary>An edge, with the shared variables that it reads and assigns.</summary>
internal sealed record CompiledEdge(
    int Automaton, int Number, string? Action, ClockBound[] After, ClockBound[] Before, NetworkNode? Guard, CompiledDestination[] Destinations, HashSet<int> Reads, int[] Writes)
{
    /// <summary>This edge as a step of its own.</summary>
    public CompiledEdge[] Single { get; private set; } = [];

    /// <summary>Notes the edge as a step of its own, so that taking it allocates nothing.</summary>
    public CompiledEdge Prepared()
    {
        Single = [this];
        return this;
    }
}

/// <summary>A location with its edges.</summary>
internal sealed record CompiledLocation(string Name, ClockBound[] Until, NetworkNode? Condition, CompiledEdge[] Alone, CompiledEdge[] Together, HashSet<int> Reads);

/// <summary>An automaton with the synchronisations it takes part in.</summary>
internal sealed record CompiledAutomaton(string Name, CompiledLocation[] Locations, int Initial, int[] Channels);

/// <summary>A part of a synchronisation.</summary>
internal readonly record struct ChannelPart(int Automaton, string Action);

/// <summary>A way to make a step: one automaton alone, or several that synchronise.</summary>
internal sealed record Channel(string? Result, ChannelPart[] Parts, bool Alone);

/// <summary>A network with places instead of names, ready to run.</summary>
internal sealed record CompiledNetwork(
    string Name, double[] Initial, IReadOnlyDictionary<string, int> Places, CompiledAutomaton[] Automata, Channel[] Channels, int[][] Readers, HashSet<int> Observed);
