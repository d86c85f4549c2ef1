using MqttCheck.Cli.Terminal;
using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Clusters.Topologies;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary>Delivery times and losses by pairs of places, as a table.</summary>
internal sealed class ClusterPairTable
{
    private readonly TextTable _table = new(
        "topology",
        "from",
        "to",
        "mean",
        "p50",
        "p99",
        "owed",
        "missing",
        "lost",
        "runs"
    );

    private bool _hasRows;

    /// <summary>Adds the pairs of a topology; nothing where they are not known.</summary>
    public void Add(string label, PairPredictions? pairs)
    {
        foreach (var pair in pairs?.Answers ?? [])
        {
            _hasRows = true;
            _table.Add(
                label,
                pair.From,
                pair.To,
                Time(pair.MeanMilliseconds),
                Time(pair.MedianMilliseconds),
                Time(pair.P99Milliseconds),
                pair.Owed,
                pair.Missing,
                pair.Lost,
                pairs!.Runs
            );
        }
    }

    /// <summary>Prints it, unless it is empty.</summary>
    public void Print(Screen screen)
    {
        if (!_hasRows)
            return;
        screen.Line();
        _table.Print(screen);
        screen.Line(
            "From publishers to subscribers. Times are of settled deliveries; counts are of all runs together. "
                + "Missing never came for any reason, lost is a part of it."
        );
    }

    /// <summary>Refuses a topology whose places are not told apart.</summary>
    /// <exception cref="InputException">It is one.</exception>
    public static void Check(Topology topology)
    {
        if (topology.System == ClusterSystem.Transport)
            throw new InputException(
                $"--pairs: {topology.Name} is a '{topology.System.Name()}', which has no clients; "
                    + "allowed: the other systems that are simulated. Leave the option out."
            );
        if (ClientPlaces.Of(topology) is null)
            throw new InputException(
                Invariant($"--pairs: {topology.Name} has {topology.Brokers.Count} brokers and ")
                    + Invariant($"{topology.Sites.Count} sites; allowed: up to {ClientPlaces.Most} of one of them. ")
                    + "Leave the option out, or gather clients in sites."
            );
    }

    private static TableCell Time(double? milliseconds) =>
        TableCell.Of(milliseconds, milliseconds is { } known ? Invariant($"{known:0.####}") : "-");
}
