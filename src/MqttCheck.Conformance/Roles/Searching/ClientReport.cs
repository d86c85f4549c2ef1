using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Protocol;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Conformance.Roles.Searching;

/// <summary>The result of a check of a client.</summary>
internal sealed record ClientReport
{
    public required IReadOnlyList<ClientFinding> Findings { get; init; }

    /// <summary>Deviations that were seen, and that repetitions did not confirm.</summary>
    public required IReadOnlyList<ClientFinding> Suspicions { get; init; }

    /// <summary>Deviations that were seen and not repeated before the time was over: key and run.</summary>
    public required IReadOnlyDictionary<string, PlayedRun> NotLookedInto { get; init; }

    /// <summary>The versions that the client spoke.</summary>
    public required IReadOnlySet<ProtocolVersion> Versions { get; init; }

    public required IReadOnlyDictionary<Statement, long> Exercised { get; init; }

    public required long Scripts { get; init; }

    public required long Acts { get; init; }

    public required TimeSpan Exploring { get; init; }

    /// <summary>The last lines of a program that never connected; null if one did.</summary>
    public string? NeverConnected { get; init; }

    public Conclusion Conclusion =>
        Findings.Any(finding => finding.Deviation.Statement.Class == StatementClass.Must) ? Conclusion.Refuted
        : NeverConnected is not null ? Conclusion.Failed
        : Suspicions
            .Select(suspicion => suspicion.Deviation)
            .Concat(NotLookedInto.SelectMany(pair => pair.Value.Deviations.Where(one => one.Key == pair.Key)))
            .Any(deviation => deviation is { MustRecur: false, Statement.Class: StatementClass.Must })
            ? Conclusion.Withheld
        : Conclusion.Success;
}
