using MqttCheck.Reports.Marks;
using MqttCheck.Server.Answers.Charts;

namespace MqttCheck.Server.Answers.Changes;

/// <summary>The changes that were tried so far.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="IsFinal">Whether all were tried.</param>
/// <param name="Level">The probability that the intervals of all changes hold at once.</param>
/// <param name="Changes">The changes, those that surely help first.</param>
internal sealed record Sensitivities(long Request, bool IsFinal, double Level, IReadOnlyList<Sensitivity> Changes)
{
    /// <summary>The known effects as a chart; null while there is none.</summary>
    public Chart? Chart => AnswerCharts.Changes(Changes);

    /// <summary>Which change helps most of those that surely help.</summary>
    public string Sentence =>
        Changes.Where(change => change.Place == 1).Select(change => change.Change).ToArray() switch
        {
            [] => "None of them is sure to help.",
            [var only] => $"Of those that surely help, this helps most: {only}.",
            var several => "Of those that surely help, these help most, and cannot be told apart: "
                + $"{string.Join("; ", several)}.",
        };
}
