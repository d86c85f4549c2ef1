using MqttCheck.Reports.Marks;
using MqttCheck.Server.Answers.Charts;

namespace MqttCheck.Server.Answers;

/// <summary>The answer to a question, as far as it is known.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="Replications">How many setups were simulated of each scenario, at most.</param>
/// <param name="IsFinal">Whether the answer is refined no further: it is what the command prints.</param>
/// <param name="ThresholdMilliseconds">The threshold, chosen where none was asked for.</param>
/// <param name="Scenarios">The answers, in the order of the question.</param>
/// <param name="Differences">How the others differ from the first scenario.</param>
internal sealed record Answer(
    long Request,
    int Replications,
    bool IsFinal,
    double ThresholdMilliseconds,
    IReadOnlyList<ScenarioAnswer> Scenarios,
    IReadOnlyList<ScenarioDifference> Differences
)
{
    /// <summary>The probability of each scenario against the threshold, as charts.</summary>
    public IReadOnlyList<Chart?> ThresholdCharts =>
        [.. Scenarios.Select(scenario => AnswerCharts.Thresholds(scenario.Thresholds, ThresholdMilliseconds))];

    /// <summary>The scenarios side by side, as a chart.</summary>
    public Chart Comparison => AnswerCharts.Comparison(Scenarios);
}
