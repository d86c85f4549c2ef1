using System.Diagnostics;
using System.Text.Json.Serialization;
using MqttCheck.App.Runs;
using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Compare;

/// <summary>The result of a comparison, as its JSON file holds it.</summary>
internal sealed record CompareDocument
{
    /// <summary>Always <c>mqttcheck-comparison</c>.</summary>
    public string Format { get; init; } = "mqttcheck-comparison";

    /// <summary>The version of the format.</summary>
    public int Version { get; init; } = 1;

    /// <summary>The version of the tool that wrote it.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>When it was made.</summary>
    public required DateTimeOffset Generated { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }

    /// <summary>The machine.</summary>
    public required string Machine { get; init; }

    /// <summary>The error of all verdicts together.</summary>
    public required double Error { get; init; }

    /// <summary>Under which assumption the error holds.</summary>
    public Guarantee Guarantee { get; init; }

    /// <summary>The smallest difference of two probabilities that matters.</summary>
    public required double Indifference { get; init; }

    /// <summary>How many messages make a sequence.</summary>
    public required int SequenceLength { get; init; }

    /// <summary>Whether it was interrupted.</summary>
    public bool Interrupted { get; init; }

    /// <summary>Whether the exploration was short.</summary>
    public bool Coarse { get; init; }

    /// <summary>The warnings to the user.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The brokers; with a baseline its broker is the first.</summary>
    public required IReadOnlyList<Broker> Brokers { get; init; }

    /// <summary>The comparisons.</summary>
    public required IReadOnlyList<Point> Points { get; init; }

    /// <summary>How long the slowest message of each counted sequence took.</summary>
    public IReadOnlyList<Distribution> Distributions { get; init; } = [];

    /// <summary>The trends of this comparison and those of its history; none without a history.</summary>
    public IReadOnlyList<CompareTrend> Trends { get; init; } = [];

    /// <summary>Measured latencies of a broker.</summary>
    /// <param name="Completed">How many of them came to an end: the others count as late for every threshold.</param>
    /// <param name="WorstMilliseconds">Evenly spaced quantiles of the completed ones, ascending.</param>
    public sealed record Distribution(
        string Broker,
        string Profile,
        int Clients,
        int Sequences,
        int Completed,
        IReadOnlyList<double> WorstMilliseconds
    )
    {
        private const int KeptQuantiles = 200;

        /// <summary>Summarises measured sequences.</summary>
        /// <param name="worst">The slowest latency of each sequence, infinite for one that failed.</param>
        public static Distribution Of(string broker, string profile, int clients, IEnumerable<double> worst)
        {
            double[] all = [.. worst];
            double[] completed = [.. all.Where(double.IsFinite).Order()];
            var kept =
                completed.Length <= KeptQuantiles
                    ? completed
                    : Enumerable
                        .Range(0, KeptQuantiles)
                        .Select(i => completed[(int)((i + .5) / KeptQuantiles * completed.Length)]);
            return new(
                broker,
                profile,
                clients,
                all.Length,
                completed.Length,
                [.. kept.Select(value => Math.Round(value, 4))]
            );
        }
    }

    /// <summary>A broker that takes part.</summary>
    /// <param name="Label">The name that tells it apart.</param>
    /// <param name="TrainingExchanges">How many exchanges its model was learned from; null without a model.</param>
    /// <param name="KolmogorovSmirnov">How far the model is off on held-out cases, 0 .. 1; null without one.</param>
    /// <param name="AboveNinetyNinePercent">
    /// The share of held-out exchanges above the model's 99 % quantile; null without one.
    /// </param>
    public sealed record Broker(
        string Label,
        string Description,
        long? TrainingExchanges,
        double? KolmogorovSmirnov,
        double? AboveNinetyNinePercent
    )
    {
        /// <summary>The predictions for the compared points, with the verdicts of the compared runs on them.</summary>
        public IReadOnlyList<Checked> Predictions { get; init; } = [];
    }

    /// <summary>A prediction that the compared runs confirmed or refuted.</summary>
    /// <param name="Measured">The measured one; null without a run.</param>
    public sealed record Checked(
        string Profile,
        int Clients,
        double ThresholdMilliseconds,
        double Predicted,
        Interval Interval,
        double? Measured,
        VerdictKind Verdict
    )
    {
        /// <summary>
        /// The share of such intervals that hold; null in files of earlier versions, which do not say it.
        /// </summary>
        public double? Level { get; init; }
    }

    /// <summary>One comparison.</summary>
    /// <param name="First">The label of the first broker.</param>
    /// <param name="FirstProbability">The measured probability of the first; null without a run.</param>
    /// <param name="Interval">The 95 % interval of the difference.</param>
    public sealed record Point(
        string Profile,
        int Clients,
        double ThresholdMilliseconds,
        string First,
        string Second,
        double? FirstProbability,
        double? SecondProbability,
        double? Difference,
        Interval Interval,
        int FirstRuns,
        int SecondRuns,
        long Sequences,
        TwoSampleVerdict Verdict,
        string Reason
    )
    {
        /// <summary>The runs of both that do not count, in a sentence; null where all do.</summary>
        public string? InvalidRuns { get; init; }

        /// <summary>Why, and which runs do not count.</summary>
        [JsonIgnore]
        public string Why => InvalidRuns is null ? Reason : $"{Reason} {InvalidRuns}";

        /// <summary>The verdict in words.</summary>
        public string Words =>
            Verdict switch
            {
                TwoSampleVerdict.FirstFaster => First + " is faster",
                TwoSampleVerdict.SecondFaster => Second + " is faster",
                TwoSampleVerdict.NoDifference => "no difference",
                TwoSampleVerdict.Partial => "partial",
                TwoSampleVerdict.Withheld => "withheld",
                _ => throw new UnreachableException(),
            };
    }

    /// <summary>The conclusion.</summary>
    [JsonIgnore]
    public Conclusion Conclusion =>
        TwoSampleJudgement.Conclude([.. Points.Select(point => point.Verdict)], Interrupted);

    /// <summary>The exit code.</summary>
    public int ExitCode => Verification.Deciding.ExitCode.Of(Conclusion);
}
