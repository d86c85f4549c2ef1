using System.Runtime.CompilerServices;

namespace MqttCheck.Automata.Engine;

/// <summary>A bound on a clock: the clock's place among the values, and what it is compared with.</summary>
internal readonly record struct ClockBound(int Clock, bool Own, NetworkNode Bound)
{
    // Most bounds are variables of the automaton itself: they are read without a call.
    private readonly int _ownVariable = Bound is NetworkNode.ReadOwn variable ? variable.Place : -1;

    /// <summary>The time at which the clock reaches the bound.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double Time(NetworkRun run) =>
        run.Values[Own ? run.First + Clock : Clock]
        + (_ownVariable >= 0 ? run.Values[run.First + _ownVariable] : Bound.Evaluate(run));
}

/// <summary>An assignment with places instead of names.</summary>
internal sealed record CompiledAssignment(
    string Name,
    int Place,
    bool Own,
    int Length,
    NetworkNode? Element,
    NetworkNode Value,
    bool Clock,
    bool Whole,
    double Lower,
    double Upper,
    int Order
);

/// <summary>One end of an edge; its assignments are in the order of their groups.</summary>
/// <param name="Location">Number of the location.</param>
/// <param name="Weight">Its weight.</param>
/// <param name="Assignments">The assignments on the way.</param>
/// <param name="OneByOne">
/// Whether no assignment reads what an earlier one of its group assigns, so that they can be made one by one.
/// </param>
/// <param name="Private">Whether only the automaton's own variables are assigned.</param>
internal sealed record CompiledDestination(
    int Location,
    NetworkNode Weight,
    CompiledAssignment[] Assignments,
    bool OneByOne,
    bool Private
)
{
    /// <summary>The weight if it is a constant.</summary>
    public double? FixedWeight { get; } = Weight.ConstantValue;
}

/// <summary>
/// An edge of one automaton or of several that are alike, with the shared variables that its guard and its effects read
/// and that it assigns.
/// </summary>
internal sealed record CompiledEdge(
    int Number,
    string? Action,
    ClockBound[] After,
    ClockBound[] Before,
    NetworkNode? Guard,
    CompiledDestination[] Destinations,
    SharedSet Reads,
    SharedSet Writes,
    int[] Written
);

/// <summary>A location, with the shared variables on which its invariant and the guards of its edges depend.</summary>
internal sealed record CompiledLocation(
    string Name,
    ClockBound[] Until,
    NetworkNode? Condition,
    CompiledEdge[] Edges,
    SharedSet Reads
);

/// <summary>
/// An automaton with the place of the first of its own variables and the channels in which it can take part. Automata
/// that are alike share their locations.
/// </summary>
internal sealed record CompiledAutomaton(
    string Name,
    CompiledLocation[] Locations,
    int Initial,
    int First,
    int[] Channels
);

/// <summary>A part of a channel: an automaton and, for each of its locations, the edges that it can take.</summary>
internal readonly record struct ChannelPart(int Automaton, CompiledEdge[][] Edges);

/// <summary>
/// A way to make a step: one automaton alone, or several that synchronise. <c>First</c> is the number of its first part
/// among the parts of all channels.
/// </summary>
internal sealed record Channel(string? Result, ChannelPart[] Parts, bool Alone, int First = 0);

/// <summary>
/// A network with places instead of names, ready to run. Channel a, for a below the number of automata, is automaton a
/// alone.
/// </summary>
internal sealed record CompiledNetwork(
    string Name,
    double[] Initial,
    IReadOnlyDictionary<string, int> Places,
    CompiledAutomaton[] Automata,
    Channel[] Channels,
    int[][] Readers,
    SharedSet Observed
);
