using MqttCheck.Reports.Marks;
using MqttCheck.Server.Answers.Charts;

namespace MqttCheck.Server.Answers;

/// <summary>The probability against the number of clients.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="Scenario">The scenario's place in the question, from 0.</param>
/// <param name="IsFinal">Whether it is refined no further.</param>
/// <param name="ThresholdMilliseconds">The threshold.</param>
/// <param name="TrainedUpToClients">The largest fleet of such clients inside training; null where none is.</param>
/// <param name="Points">The points, ascending in clients.</param>
internal sealed record CurveAnswer(
    long Request,
    int Scenario,
    bool IsFinal,
    double ThresholdMilliseconds,
    int? TrainedUpToClients,
    IReadOnlyList<CurvePlace> Points
)
{
    /// <summary>The curve as a chart; null without a point.</summary>
    public Chart? Chart => AnswerCharts.Curve(this);
}
