using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Roles.Searching;

/// <summary>A deviation of a client that was repeated, with the shortest script that shows it.</summary>
internal sealed record ClientFinding
{
    public required Deviation Deviation { get; init; }

    public required BrokerScript Script { get; init; }

    /// <summary>The run that is shown.</summary>
    public required PlayedRun Run { get; init; }

    /// <summary>How many lines the script had that found it.</summary>
    public required int FoundWith { get; init; }

    public required TimeSpan Shrinking { get; init; }

    public required int Replays { get; init; }

    public required int Hits { get; init; }

    /// <summary>The key of a finding that comes first in the same run; null for none.</summary>
    public string? ExplainedBy { get; init; }

    public ProtocolVersion Version => Run.Version ?? ProtocolVersion.V311;

    public string Id => Deviation.Statement.Id(Version);

    /// <summary>Circumstances of further deviations from the same statement that are the same kind.</summary>
    public IReadOnlyList<string> AlsoAs { get; init; } = [];

    /// <summary>How often to repeat it, so that it is seen.</summary>
    public int Repetitions =>
        Hits == 0 || Hits >= Replays
            ? 5
            : (int)Math.Clamp(Math.Ceiling(Math.Log(.05) / Math.Log(1 - LeastShare)), 5, 1000);

    /// <summary>The share of repetitions that show it at least, with 95 % confidence.</summary>
    public double LeastShare => BinomialIntervals.LowerBound(Hits, Replays, .05);

    /// <summary>Whether its repetitions make it a finding.</summary>
    public bool IsConfirmed => Deviation.MustRecur ? Hits == Replays && Hits > 0 : Hits > 0;
}
