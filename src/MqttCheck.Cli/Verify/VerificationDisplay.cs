using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Terminal;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Text;
using MqttCheck.Verification;
using Spectre.Console;
using static System.FormattableString;
using NumberText = MqttCheck.Cli.Terminal.NumberText;

namespace MqttCheck.Cli.Verify;

/// <summary>
/// Shows a verification while it goes on: the evidence between its bounds, samples, and the interval that holds at
/// every look.
/// </summary>
/// <param name="show">Shows the picture on a terminal, and lines where there is none.</param>
internal sealed class VerificationDisplay(Action<LiveView> show) : IProgress<VerificationProgress>
{
    private const int GaugeWidth = 21;
    private const int ShortGaugeWidth = 11;

    // How many columns the terminal needs for the evidence, and for everything.
    private const int ColumnsForEvidence = 110,
        ColumnsForAll = 160;

    private readonly Dictionary<PredictedPoint, double> _expected = [];

    public void Report(VerificationProgress value) =>
        show(new(value.Share, value.Detail, width => Picture(value, width), [.. value.Moved.Select(Line)]));

    /// <summary>One line on a point after a run.</summary>
    public static string Line(Verdict verdict)
    {
        var evidence = new List<string>();
        if (verdict.Lower is { } lower)
            evidence.Add(Invariant($"not worse {lower.Evidence:+0.0;-0.0;0.0} of {lower.Bound:0.0}"));
        if (verdict.Upper is { } upper)
            evidence.Add(Invariant($"not better {-upper.Evidence:+0.0;-0.0;0.0} of {upper.Bound:0.0}"));
        return Invariant($"{Where(verdict.Point)}: run {verdict.Runs.Count}, {verdict.Samples} samples, ")
            + Invariant($"{NumberText.Probability(verdict.Observed ?? double.NaN)} in time, ")
            + Invariant($"{NumberText.Probability(verdict.Point.Probability)} predicted; ")
            + Invariant($"evidence {string.Join(", ", evidence)}; ")
            + Invariant($"interval {Interval(verdict)}; {Variance(verdict)}")
            + Clients(verdict)
            + (verdict.IsDecided ? "; " + verdict.Kind.Word() : "");
    }

    /// <summary>A number between two bounds as a bar with a mark.</summary>
    /// <param name="ratio">The number; beyond a bound it stays at the end.</param>
    /// <param name="bound">The upper bound; the lower one is its negative.</param>
    /// <param name="width">The width between its brackets.</param>
    public static string Gauge(double ratio, double bound, int width = GaugeWidth)
    {
        var bar = new string('-', width).ToCharArray();
        bar[width / 2] = '|';
        bar[(int)Math.Round((Math.Clamp(ratio / bound, -1, 1) + 1) / 2 * (width - 1))] = '#';
        return "[" + new string(bar) + "]";
    }

    private Table Picture(VerificationProgress progress, int width)
    {
        List<(string Heading, Func<Verdict, string> Cell)> columns =
        [
            ("point", verdict => Where(verdict.Point)),
            ("predicted", verdict => NumberText.Probability(verdict.Point.Probability)),
            ("measured", verdict => NumberText.Probability(verdict.Observed ?? double.NaN)),
            .. width < ColumnsForAll ? Runs() : Samples(),
            .. width < ColumnsForEvidence ? [] : Evidence(width < ColumnsForAll ? ShortGaugeWidth : GaugeWidth),
            ("verdict", verdict => verdict.IsDecided ? verdict.Kind.Word() : "open" + Clients(verdict)),
        ];
        var table = new Table().Border(TableBorder.Rounded).AddColumns([.. columns.Select(column => column.Heading)]);
        foreach (var verdict in progress.Verdicts)
            table.AddRow([.. columns.Select(column => Markup.Escape(Printable.Text(column.Cell(verdict))))]);
        return table;
    }

    private static (string, Func<Verdict, string>)[] Runs() =>
        [("runs", verdict => Invariant($"{verdict.Runs.Count}"))];

    private (string, Func<Verdict, string>)[] Samples() =>
        [
            ("samples (expected)", verdict => Invariant($"{verdict.Samples} ({Expected(verdict):0})")),
            ("variance", verdict => verdict.Runs.Count < 2 ? "-" : Invariant($"x{verdict.Variation.Inflation:0.0}")),
            ("interval", Interval),
        ];

    private static (string, Func<Verdict, string>)[] Evidence(int gaugeWidth) =>
        [
            ("worse .. as predicted", verdict => Side(verdict.Lower, 1, gaugeWidth)),
            ("better .. as predicted", verdict => Side(verdict.Upper, -1, gaugeWidth)),
        ];

    private double Expected(Verdict verdict)
    {
        if (!_expected.TryGetValue(verdict.Point, out var samples))
            _expected.Add(verdict.Point, samples = verdict.ExpectedSamples);
        return samples;
    }

    private static string Side(VerdictSide? side, int sign, int gaugeWidth) =>
        side is not { } given
            ? ""
            : Gauge(sign * given.Evidence, given.Bound, gaugeWidth)
                + (gaugeWidth < GaugeWidth ? "" : Invariant($" {sign * given.Evidence:0.0} of {given.Bound:0.0}"));

    /// <summary>A point in words.</summary>
    public static string Where(PredictedPoint point) =>
        Invariant($"{point.Profile}, {Counted.Of(point.Clients, "client")}, ")
        + Invariant($"{NumberText.Milliseconds(point.ThresholdMilliseconds)}");

    // There is no interval before the first look.
    private static string Interval(Verdict verdict) =>
        verdict.VerdictInterval is { Lower: 0, Upper: 1 } ? "-" : NumberText.Probability(verdict.VerdictInterval);

    // The variance between runs is unknown after a single run.
    private static string Variance(Verdict verdict) =>
        verdict.Runs.Count < 2
            ? "variance between runs unknown"
            : Invariant($"variance between runs {verdict.Variation.Inflation:0.0} x binomial");

    private static string Clients(Verdict verdict) =>
        verdict is { Test: VerdictTest.Clients, Clients: { } clients }
            ? Invariant($"; {Counted.Of(clients.Accepted, "client")} ")
                + Invariant($"{(clients.Accepted == 1 ? "accepts" : "accept")}, {clients.Rejected} reject, ")
                + Invariant($"{clients.Undecided} undecided")
            : "";
}
