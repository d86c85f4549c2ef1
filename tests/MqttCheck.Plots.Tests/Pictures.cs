using MqttCheck.Plots.Data;
using MqttCheck.Reports.Documents;
using MqttCheck.Reports.Tests;

namespace MqttCheck.Plots.Tests;

/// <summary>Every kind of picture that this assembly draws, of invented numbers.</summary>
internal static class Pictures
{
    public static IReadOnlyList<Picture> OfReport() =>
        ReportPictures.Of(SampleReports.Full(clients: [10, 50, 100, 150]));

    public static IReadOnlyList<Picture> OfOthers() =>
        [
            DocumentPictures.Of(Intervals(6))!,
            DocumentPictures.Of(Curves(4))!,
            LatencyPictures.Percentiles(
                "Percentiles of the latency",
                "Of two runs.",
                [Quantiles("1,000/s", 2), Quantiles("50,000/s", 40)]
            )!,
            LatencyPictures.Distributions(
                "distribution-up1-100-clients",
                "Slowest message",
                "Of two brokers.",
                [new("embedded", Latencies(5)), new("mosquitto", Latencies(8))],
                [12, 20]
            )!,
            LatencyPictures.Requirement(
                "Violated: every message in time",
                "70 of 100 in time.",
                "sequences",
                Latencies(8),
                14,
                "required: at least 0.95",
                .95,
                [new(20, 30), new(25, 35), new(25, 35)]
            )!,
            EstimatePictures.Calibration("calibration-queue", "Predicted and measured", "20 points.", [.. Points()])!,
            EstimatePictures.Audit(
                "True error",
                "Of some rules.",
                [
                    new("interval, Clopper-Pearson, n = 20", .01, .008, true, true),
                    new("interval, Wilson, approximate, n = 20", .01, .04, false, false),
                    new("a broken guarantee", .01, .02, true, false),
                ]
            )!,
        ];

    public static IntervalChart Intervals(int lines, string label = "embedded − mosquitto, up1, 100 clients, 16 ms") =>
        new(
            "Difference of the probabilities",
            "The first minus the second with its 95 % interval.",
            -.3,
            .3,
            [
                .. Enumerable
                    .Range(0, lines)
                    .Select(i => new IntervalLine(
                        $"{label} {i}",
                        -.2 + .05 * i,
                        new(-.25 + .05 * i, -.1 + .05 * i),
                        (DocumentTone)(i % 4)
                    )),
            ]
        )
        {
            Marks = [new("no difference", 0)],
            Band = new(-.1, .1),
        };

    public static CurveChart Curves(int lines) =>
        new(
            "Latency against offered load",
            "Both axes are logarithmic.",
            "offered load, messages/s",
            "latency, ms",
            [
                .. Enumerable
                    .Range(0, lines)
                    .Select(i => new CurveLine(
                        $"p{i}",
                        [
                            .. Enumerable
                                .Range(0, 8)
                                .Select(step => new CurvePoint(
                                    1000 * Math.Pow(1.7, step),
                                    (i + 1) * Math.Pow(1.4, step)
                                )),
                        ]
                    )),
            ]
        )
        {
            Marks = [new("knee", 8000)],
        };

    private static double[] Latencies(double median) =>
        [.. Enumerable.Range(0, 200).Select(i => median * Math.Exp(.5 * (i - 100) / 40.0)), double.PositiveInfinity];

    private static QuantileCurve Quantiles(string label, double scale) =>
        new(label, [(.5, scale), (.9, scale * 2), (.99, scale * 5), (.999, scale * 20)]);

    private static IEnumerable<CalibratedPoint> Points() =>
        Enumerable
            .Range(0, 20)
            .Select(i =>
            {
                var p = .35 + .03 * i;
                return new CalibratedPoint(
                    i % 2 == 0 ? "up1" : "up2",
                    p,
                    new(p - .06, Math.Min(1, p + .06)),
                    Math.Min(.99, p + .01 * (i % 5 - 2)),
                    new(p - .03, Math.Min(1, p + .04))
                );
            });
}
