using MqttCheck.Cli.Results;
using MqttCheck.Plots;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Formats;

namespace MqttCheck.Cli.Audit;

/// <summary>An audit in a picture: the true error of each rule beside its promise.</summary>
internal static class AuditPlots
{
    /// <summary>A line of an audit.</summary>
    /// <param name="Rule">The rule, or the kind of verification.</param>
    /// <param name="Actual">The true error, or the rate of errors in simulations.</param>
    /// <param name="IsGuarantee">Whether it is offered as a guarantee.</param>
    public sealed record Row(string Rule, double Promised, double Actual, bool IsGuarantee, bool IsKept);

    /// <summary>Draws the picture.</summary>
    /// <param name="ofVerdicts">Whether they are of simulated verifications.</param>
    public static IReadOnlyList<DrawnPicture> Draw(IReadOnlyList<Row> rows, bool ofVerdicts, string directory)
    {
        var picture = EstimatePictures.Audit(
            ofVerdicts ? "Wrong verdicts beside the stated error" : "True error of each rule beside its promise",
            ofVerdicts
                ? "Share of wrong verdicts in simulated verifications, a row for each kind. "
                    + "Chance moves it; broken is what exceeds the promise by its 99 % lower bound."
                : "Largest true error over all audited probabilities, computed "
                    + "exactly. Left of the bar or on it: the promise is kept.",
            [.. rows.Select(row => new AuditedError(row.Rule, row.Promised, row.Actual, row.IsGuarantee, row.IsKept))]
        );
        return PlotFiles.Write(picture is null ? [] : [picture], directory);
    }
}
