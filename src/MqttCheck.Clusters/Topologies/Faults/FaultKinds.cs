using System.Diagnostics;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>The facts about each kind of fault that are the same in every engine.</summary>
internal static class FaultKinds
{
    /// <summary>The kinds, in their order.</summary>
    public static IEnumerable<FaultKind> All => Enum.GetValues<FaultKind>().Skip(1);

    /// <summary>The kinds that simulated nodes and links know.</summary>
    public static IEnumerable<FaultKind> Simulated => All.Where(kind => kind < FaultKind.Power);

    /// <summary>The kinds that name their targets in one of these ways.</summary>
    public static IEnumerable<FaultKind> Of(params FaultShape[] shapes) =>
        All.Where(kind => shapes.Contains(kind.Shape()));

    /// <summary>The word of a kind in files and messages.</summary>
    public static string Verb(this FaultKind kind) => kind.ToString().ToLowerInvariant();

    /// <summary>The word of a reach in files and messages.</summary>
    public static string Word(this FaultReach reach) => reach.ToString().ToLowerInvariant();

    /// <summary>How a kind names its targets.</summary>
    public static FaultShape Shape(this FaultKind kind) =>
        kind switch
        {
            FaultKind.Kill or FaultKind.Stop or FaultKind.Freeze or FaultKind.Join => FaultShape.Node,
            FaultKind.Power or FaultKind.Fill or FaultKind.Damage or FaultKind.Truncate => FaultShape.Node,
            FaultKind.Throttle or FaultKind.Leave or FaultKind.Mix => FaultShape.Node,
            FaultKind.Cut or FaultKind.Slow => FaultShape.Link,
            FaultKind.Partition => FaultShape.Sides,
            _ => throw new UnreachableException(),
        };

    /// <summary>Whether a process ends when the fault begins, and with it what its clients' sessions knew.</summary>
    public static bool EndsProcess(this FaultKind kind) =>
        kind is FaultKind.Kill or FaultKind.Stop or FaultKind.Power or FaultKind.Leave;

    /// <summary>Whether a node needs a disk of its own for it.</summary>
    public static bool NeedsDisk(this FaultKind kind) =>
        kind is FaultKind.Power or FaultKind.Fill or FaultKind.Throttle;

    /// <summary>Whether it changes files of a node that is down. It does not last, as the files stay so.</summary>
    public static bool ChangesFiles(this FaultKind kind) => kind is FaultKind.Damage or FaultKind.Truncate;

    /// <summary>Whether it hits a node which goes on to run, so that only its clients and its disk notice.</summary>
    public static bool LeavesProcess(this FaultKind kind) =>
        kind is FaultKind.Fill or FaultKind.Throttle or FaultKind.Damage or FaultKind.Truncate or FaultKind.Partition;

    /// <summary>
    /// Whether a process starts when the fault begins, or when it ends. One that runs then is left alone.
    /// </summary>
    /// <param name="kind">The kind.</param>
    /// <param name="begins">Whether the fault begins.</param>
    public static bool StartsProcess(this FaultKind kind, bool begins) =>
        kind == FaultKind.Join || (!begins && (kind.EndsProcess() || kind == FaultKind.Fill));

    /// <summary>The refusal of an engine that does not know a kind.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="where">The topology, or another place.</param>
    /// <param name="engine">The words for what is simulated or run, with a preposition.</param>
    /// <param name="known">The kinds that the engine knows.</param>
    public static InputException Refusal(
        this FaultKind kind,
        string where,
        string engine,
        params IEnumerable<FaultKind> known
    ) =>
        new(
            $"{where}: a fault that does '{kind.Verb()}' is not {engine}; allowed: "
                + $"{string.Join(", ", known.Select(Verb))}."
        );
}
