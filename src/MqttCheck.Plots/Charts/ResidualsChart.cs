using MqttCheck.Clients;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;

namespace MqttCheck.Plots.Charts;

/// <summary>Normal score of each held-out exchange against the model's median for it.</summary>
internal static class ResidualsChart
{
    public static Picture? Of(ReportInput input, Figure figure)
    {
        if (input.Learning?.Calibration?.Residuals is not { } residuals)
            return null;
        Residual[] points =
        [
            .. residuals
                .Scores.Select(
                    (score, i) =>
                        new Residual(
                            residuals.PredictedMilliseconds[i],
                            score,
                            i < residuals.Kinds.Count ? residuals.Kinds[i] : MessageKind.Publish
                        )
                )
                .Where(point => double.IsFinite(point.Score) && double.IsFinite(point.Median) && point.Median > 0),
        ];
        return points.Length == 0
            ? null
            : new("residuals", figure.Title, figure.StillCaption, () => Draw(points, figure));
    }

    private static Sheet Draw(Residual[] points, Figure figure)
    {
        var reach = Math.Max(3.2, points.Max(point => Math.Abs(point.Score))) * 1.04;
        var sheet = new Sheet(figure.Title, figure.StillCaption);
        sheet.SetY(new(-reach, reach), "normal score");
        var scale = Scale.Around(points.Select(point => point.Median));
        sheet.SetX(scale, "median of the model, ms (log)");
        foreach (var kind in points.GroupBy(point => point.Kind).OrderBy(kind => kind.Key))
        {
            sheet.Points(
                kind.Select(point => (point.Median, point.Score)),
                Palette.Kind(kind.Key),
                Palette.KindSymbol(kind.Key)
            );
            sheet.Explain(kind.Key.Name(), Palette.Kind(kind.Key), LegendShape.Full, Palette.KindSymbol(kind.Key));
        }
        sheet.Segment(scale.Low, 0, scale.High, 0, Palette.Ink, 1);
        foreach (var bound in (double[])[-2, 2])
            sheet.Segment(scale.Low, bound, scale.High, bound, Palette.Soft, 1.4f, dashed: true);
        return sheet;
    }

    private sealed record Residual(double Median, double Score, MessageKind Kind);
}
