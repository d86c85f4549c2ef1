using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Check;

/// <summary>The answer of a script that was played to a client program several times.</summary>
internal sealed record ClientReplayAnswer(ClientCheckRequest Request, IReadOnlyList<PlayedRun> Runs)
{
    /// <summary>The deviations that count, by their keys.</summary>
    public IReadOnlyList<IGrouping<string, Deviation>> Deviations =>
        [.. Runs.SelectMany(run => run.Deviations).Where(Counts).GroupBy(deviation => deviation.Key)];

    /// <summary>The run that shows most: the first with a deviation.</summary>
    public PlayedRun Shown => Runs.FirstOrDefault(run => run.Deviations.Any(Counts)) ?? Runs[0];

    /// <summary>In how many runs a deviation came.</summary>
    public int Hits(string key) => Runs.Count(run => run.Deviations.Any(deviation => deviation.Key == key));

    public Conclusion Conclusion =>
        Deviations.Any(key =>
            key.First() is { Statement.Class: StatementClass.Must } first
            && (!first.MustRecur || Hits(key.Key) == Runs.Count)
        )
            ? Conclusion.Refuted
        : Runs.All(run => run.HasConnected) ? Conclusion.Success
        : Conclusion.Failed;

    private bool Counts(Deviation deviation) => Request.Counts(deviation.Statement);
}
