using MqttCheck.App.Clusters.Runs;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.Verification.Planning;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>Everything that <c>survives</c> needs.</summary>
internal sealed record SurvivalRequest
{
    /// <summary>The cluster, or the single broker.</summary>
    public required Topology Topology { get; init; }

    /// <summary>The rows or faults that are tried; empty, as by default, for all.</summary>
    public IReadOnlyList<string> Only { get; init; } = [];

    /// <summary>How long it may take; null where the number of runs decides.</summary>
    public TimeBudget? Budget { get; init; } = SurvivalPlan.Usual;

    /// <summary>The probability of a loss that shall be excluded; null for what the time gives.</summary>
    public double? AtMost { get; init; }

    /// <summary>The most runs of each row; null for what budget and probability give.</summary>
    public int? MostRuns { get; init; }

    /// <summary>The largest probability that some cell of the table says too little.</summary>
    public double Error { get; init; } = .05;

    /// <summary>The user's seed.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>How the cluster is reached.</summary>
    public ClusterAccess Access { get; init; } = new();

    /// <summary>Why this machine cannot give a node a disk that fails; null if it can.</summary>
    public Func<string?> WhyNoDisk { get; init; } = DiskSupport.WhyNot;

    /// <summary>The command that repeats it.</summary>
    public string Repeat { get; init; } = "";

    /// <summary>The load, and when faults happen.</summary>
    public SurvivalLoad Load => SurvivalLoad.Of(Topology);

    /// <summary>The rows of the table, as far as they are asked for.</summary>
    public IReadOnlyList<SurvivalRow> Rows =>
        [
            .. SurvivalRow
                .Of(Topology)
                .Where(row => Only.Count == 0 || Only.Any(name => name == row.Name || name == row.Kind)),
        ];

    /// <summary>The topology with the load, and with the faults of all rows that are tried.</summary>
    public Topology Loaded =>
        Topology with
        {
            Scenario = Load.ScenarioOf(
                Topology,
                2,
                [
                    .. Rows.Where(row => WhyNotTried(row) is null)
                        .Select(row => row.Read(Topology, Load).Fault)
                        .OfType<ClusterFault>(),
                ]
            ),
        };

    /// <summary>Why a row is not tried; null if it is.</summary>
    public string? WhyNotTried(SurvivalRow row)
    {
        var (fault, whyNot) = row.Read(Topology, Load);
        return fault is null ? whyNot
            : fault.Kind.NeedsDisk() ? WhyNoDisk()
            : null;
    }

    /// <summary>The table before any run.</summary>
    /// <param name="maximumQos">The highest quality of service that the brokers take.</param>
    public SurvivalTable TableOf(int maximumQos) => new(this, maximumQos);

    /// <summary>The plan of a table.</summary>
    public SurvivalPlan PlanOf(SurvivalTable table) =>
        new(table.TriedRows.Count, Math.Max(1, table.TriedCells), Error, Load.RunTime, Load.StartTime)
        {
            RenewedRows = table.TriedRows.Count(row => row.Read(Topology, Load).Fault!.Kind.NeedsDisk()),
            Patience = Load.Patience.Missing,
        };

    /// <summary>Refuses what cannot be run, before anything starts.</summary>
    /// <exception cref="InputException">
    /// No row of that name, nothing that can be tried, a budget that cannot suffice, or no access.
    /// </exception>
    public void Require()
    {
        foreach (var name in Only)
            if (!SurvivalRow.Of(Topology).Any(row => name == row.Name || name == row.Kind))
                throw new InputException(
                    $"--only: '{name}' is no fault of {Topology.Name}; allowed: "
                        + string.Join(
                            ", ",
                            SurvivalRow.Of(Topology).SelectMany(row => new[] { row.Kind, row.Name }).Distinct()
                        )
                        + "."
                );
        var table = TableOf(2);
        if (table.TriedRows.Count == 0)
            throw new InputException(
                $"{Topology.Name}: no fault can be tried here: "
                    + string.Join("; ", Rows.Select(row => $"{row.Name}: {WhyNotTried(row)}"))
            );
        PlanOf(table).RunsOf(Budget, AtMost);
        Access.Require(Loaded);
    }
}
