using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Check;

/// <summary>The answer of a scenario that was repeated.</summary>
/// <param name="Results">What was observed each time.</param>
internal sealed record ReplayAnswer(CheckRequest Request, IReadOnlyList<ScenarioResult> Results)
{
    /// <summary>The deviations that count, by their keys.</summary>
    public IReadOnlyList<IGrouping<string, Deviation>> Deviations =>
        [.. Results.SelectMany(result => result.Deviations).Where(Counts).GroupBy(deviation => deviation.Key)];

    /// <summary>The result that shows most: the first with a deviation.</summary>
    public ScenarioResult Shown => Results.FirstOrDefault(result => result.Deviations.Any(Counts)) ?? Results[0];

    public Conclusion Conclusion =>
        Deviations.Any(key => key.First().Statement.Class == StatementClass.Must)
            ? Conclusion.Refuted
            : Conclusion.Success;

    private bool Counts(Deviation deviation) => Request.Counts(deviation.Statement);
}
