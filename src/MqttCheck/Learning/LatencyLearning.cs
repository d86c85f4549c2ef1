using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Nagle;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Learning.Replay;
using MqttCheck.Logs;

namespace MqttCheck.Learning;

/// <summary>From logs to a model with its provenance and its quality: the stage <c>learn</c>.</summary>
internal static class LatencyLearning
{
    /// <summary>One case in this many is held out to judge the fit.</summary>
    public const int HeldOutEvery = 5;

    /// <summary>Learns a model. The same logs, learner and seed give the same model, bit for bit.</summary>
    /// <param name="logs">The logs, at least one.</param>
    /// <param name="learner">The learner.</param>
    /// <param name="seed">The seed of whatever the learner leaves to chance.</param>
    /// <exception cref="InputException">
    /// The logs hold nothing to learn from; see <see cref="TrainingData.From"/>.
    /// </exception>
    public static LearnedModel Learn(IReadOnlyList<ExchangeLog> logs, ILearner learner, ulong seed) =>
        Learn(TrainingData.From(logs), learner, seed);

    /// <summary>Learns a model.</summary>
    /// <param name="data">The data.</param>
    /// <param name="learner">The learner.</param>
    /// <param name="seed">The seed of whatever the learner leaves to chance.</param>
    public static LearnedModel Learn(TrainingData data, ILearner learner, ulong seed)
    {
        var fitted = learner.Learn(data, seed);
        if (fitted is { Replay: null, Candidates.Count: 0 })
        {
            var replay = ReplaySelection.Judge(data, ObservedCase.Of(data), learner, seed);
            fitted = fitted with
            {
                Replay = replay,
                Candidates = replay is null ? [] : [new(learner.Name, replay.Error, "")],
            };
        }
        if (fitted.Replay is null)
            fitted = WithBlocks(data, fitted, seed);
        var counts = new int[MessageKinds.Count];
        foreach (ref readonly var row in data.Rows.AsSpan())
            counts[(int)row.Features.Kind]++;
        return new()
        {
            Model = fitted.Model,
            Broker = data.Origin.Broker,
            Machine = data.Origin.Machine,
            Training = new()
            {
                Cases = data.Runs.Length,
                ExchangesByKind = counts,
                FailedExchanges = data.Origin.FailedExchanges,
                LogSha256 = data.Origin.LogSha256,
                Seed = data.Origin.Seed,
                Coarse = data.Origin.Coarse,
                Profile = TrainingCoverage.Profile(data),
                Notes = [.. data.Notes, .. fitted.Notes],
                Cautions = [.. data.Cautions, .. fitted.Cautions],
            },
            Ranges = RangesOf(data, fitted.Replay),
            Quality = QualityOf(
                data,
                LearnerCatalogue.All.First(candidate => candidate.Name == fitted.Model.Kind),
                seed
            ),
            Replay = fitted.Replay,
            Alternatives = fitted.Alternatives,
            Regression = fitted.Regression,
            Candidates = fitted.Candidates,
            IdleMilliseconds = data.Origin.IdleMilliseconds,
        };
    }

    // The mean of a long run hides its busy times.
    private static ModelRanges RangesOf(TrainingData data, ReplayQuality? replay)
    {
        var ranges = TrainingCoverage.Ranges(data);
        if (replay is not { BlockSeconds: not null })
            return ranges;
        var loads = replay.Cases.Select(block => block.MessagesPerSecond).Append(ranges.MessagesPerSecond).ToArray();
        return ranges with
        {
            MessagesPerSecond = loads.Max(),
            Smallest = ranges.Smallest! with { MessagesPerSecond = loads.Min() },
        };
    }

    // The load of a run that nobody planned was not chosen, so time is what its exchanges can be divided by.
    private static FittedModel WithBlocks(TrainingData data, FittedModel fitted, ulong seed)
    {
        var learner = LearnerCatalogue.All.First(candidate => candidate.Name == NagleModel.OwnOf(fitted.Model).Kind);
        if (TimeBlocks.Judge(data, learner, seed) is not { } blocks)
            return fitted;
        var note = string.Create(
            CultureInfo.InvariantCulture,
            $"Cross-validated over time: {blocks.Cases.Count} blocks of {blocks.BlockSeconds:0.#} s, each judged by a "
                + $"model of other times, were off by {blocks.Error:0.000} (root mean square of the probability)."
        );
        var isOff = blocks.Error > ReplayLearner.MostError;
        var caution = isOff ? ["Do not trust this model: the broker was not the same at all times."] : (string[])[];
        return fitted with
        {
            Replay = blocks,
            Notes = [.. caution, note, .. fitted.Notes],
            Cautions = [.. caution, .. fitted.Cautions],
        };
    }

    // Every fifth case is held out, a model is learned from the others, and the probability integral transform of the
    // held-out latencies is compared with the uniform law.
    private static FitQuality? QualityOf(TrainingData data, ILearner learner, ulong seed)
    {
        if (data.Runs.Length < HeldOutEvery)
            return null;
        var training = data.OfRuns(run => run % HeldOutEvery != HeldOutEvery - 1);
        var heldOut = data.OfRuns(run => run % HeldOutEvery == HeldOutEvery - 1);
        if (training.Rows.Length < TrainingData.FewestExchanges || heldOut.Rows.Length < TrainingData.FewestExchanges)
            return null;
        var model = learner.Learn(training, seed).Model;
        if (NagleModel.OwnOf(model) is not IConditionalLaw law)
            return null;

        var rows = model is NagleModel ? heldOut.OwnRows : heldOut.Rows;
        double[] transformed =
        [
            .. rows.Select(row => law.CumulativeProbability(row.Features, row.LatencyMilliseconds))
                .Where(u => !double.IsNaN(u))
                .Order(),
        ];
        var count = transformed.Length;
        if (count == 0)
            return null;
        var distance = transformed.Select((u, i) => Math.Max((i + 1.0) / count - u, u - (double)i / count)).Max();
        return new(heldOut.Runs.Length, count, distance, transformed.Count(u => u > 0.99) / (double)count);
    }
}
