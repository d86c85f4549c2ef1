using System.Globalization;
using MqttCheck.Latency;
using MqttCheck.Latency.Quality;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Predictions;

/// <summary>
/// The prediction of a learned model for a setup, with its error. The interval of a probability adds three errors. The
/// first is that of held-out training cases of a similar load (<see cref="ReplayErrorLaw"/>), with the differences
/// between runs. The second is the error of the simulation. The third is the spread among models that replayed those
/// cases about as well. It counts only as far as it is larger here than it was there.
/// </summary>
public sealed class Forecast
{
    // A training case is comparable if its messages per second are at most the first factor times the predicted ones. A
    // simulation has run away if it exceeds the open exchanges of all comparable cases by the second factor.
    private const double Comparable = 1.5;
    private const double MostTimesSeen = 2;

    // A further error exceeds the largest of n with probability 1 / (n + 1). An interval has at least this many times
    // that error.
    private const double ErrorsPerRank = 1.25;

    // If too few cases support a level, the greatest supported one of these takes its place.
    private static readonly double[] s_levels = [.95, .9, .8, .5];

    private readonly IReadOnlyList<SetupPrediction> _alternatives;
    private readonly ReplayQuality? _replay;
    private (double Threshold, ReplayErrorLaw Law)? _errors;

    /// <summary>
    /// Whether the setup lies outside of what the model was trained on, or runs away in the simulation; notes say how,
    /// and how to mend it.
    /// </summary>
    public bool IsOutsideTraining => Place >= TrainingPlace.Outside;

    /// <summary>The features of the setup that training has not seen.</summary>
    internal IReadOnlyList<TrainingFinding> Findings { get; private init; } = [];

    /// <summary>The place of the feature that is furthest from what was seen; outside where the simulation runs away.
    /// </summary>
    internal TrainingPlace Place { get; private init; }

    private Forecast(
        SetupPrediction prediction,
        IReadOnlyList<SetupPrediction> alternatives,
        ReplayQuality? replay,
        double level,
        bool isTrusted,
        IReadOnlyList<string> notes
    ) =>
        (Prediction, _alternatives, _replay, Level, IsTrusted, Notes) = (
            prediction,
            alternatives,
            replay,
            level,
            isTrusted,
            notes
        );

    /// <summary>
    /// The share of intervals that contain the true value. It is the requested share
    /// (<see cref="PredictionOptions.Confidence"/>), but no more than the replayed cases support. A further error
    /// exceeds the largest of n with probability 1 / (n + 1), whatever its law. A fifth of the error is reserved for
    /// differences between cases, their loads and their sampling. So n cases support 1 - 1.25 / (n + 1). A requested
    /// share above that is lowered to the next of .95, .9, .8 and .5. So 24 cases support .95, 12 support .9, and 6
    /// support .8. For a model without replayed cases it is the requested share, since the intervals are then of the
    /// simulation alone.
    /// </summary>
    public double Level { get; }

    /// <summary>The simulation of the model.</summary>
    public SetupPrediction Prediction { get; }

    /// <summary>Warnings about the validity of the forecast.</summary>
    public IReadOnlyList<string> Notes { get; }

    /// <summary>Those of the notes that say not to rely on the forecast.</summary>
    public IReadOnlyList<string> Cautions { get; private init; } = [];

    /// <summary>Simulates a setup with a model and its alternatives.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How the prediction is made.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value is not allowed, the setup has what the model has never seen, or no simulation came to its end.
    /// </exception>
    /// <exception cref="OperationCanceledException">The work was stopped.</exception>
    public static Forecast Of(
        LearnedModel model,
        Population population,
        int clients,
        PredictionOptions options,
        CancellationToken cancellation = default
    )
    {
        var findings = TrainingRange.Admitted(model, population, clients, options.Beyond);
        var notes = findings.Select(finding => finding.Sentence).ToList();
        var place = findings.Count == 0 ? TrainingPlace.Inside : findings.Max(finding => finding.Place);
        var limit = ActiveLimit(model, LearnedModel.OfferedLoad(population, clients));
        var sound = Simulate(model, population, clients, options, limit, notes, cancellation);
        var tooBusy = TooBusy(sound[0], population, clients, limit);
        if (tooBusy is not null)
            notes.Add(tooBusy);
        if (model.Replay is null)
            notes.Add(
                $"{clients} clients of {population.Name}: the model was not held against cases "
                    + $"of its own training, so the intervals hold the error of the simulation only."
            );
        var level = LevelOf(options.Confidence, model.Replay);
        if (level < options.Confidence)
            notes.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"The intervals are {level:P0} ones instead of {options.Confidence:P0}: "
                        + $"{model.Replay!.Cases.Count} replayed training cases support no more."
                )
            );
        return new(sound[0], sound[1..], model.Replay, level, tooBusy is null, notes)
        {
            Findings = findings,
            Place = tooBusy is null || place > TrainingPlace.Outside ? place : TrainingPlace.Outside,
            Cautions = tooBusy is null ? [] : [tooBusy],
        };
    }

    /// <summary>How many replications the forecast of a setup takes, by the model and its alternatives.</summary>
    /// <param name="model">The model.</param>
    /// <param name="population">Who sends what, how often.</param>
    /// <param name="clients">How many clients share the broker, 1 or more.</param>
    /// <param name="options">How the prediction is made.</param>
    internal static int Replications(
        LearnedModel model,
        Population population,
        int clients,
        PredictionOptions options
    ) =>
        Predictor.Replications(population, clients, options)
        + model.Alternatives.Count * Predictor.Replications(population, clients, Coarser(options));

    // Alternatives only widen the interval.
    private static PredictionOptions Coarser(PredictionOptions options) =>
        options with
        {
            Replications = Math.Max(1, options.Replications / 4),
        };

    // Simulates the model and its alternatives, and leaves out those that run away; at least one is left.
    private static List<SetupPrediction> Simulate(
        LearnedModel model,
        Population population,
        int clients,
        PredictionOptions options,
        double limit,
        List<string> notes,
        CancellationToken cancellation
    )
    {
        var sound = new List<SetupPrediction>();
        SetupPrediction? first = null;
        InputException? failure = null;
        var coarser = Coarser(options);
        LatencyModel[] models = [model.Model, .. model.Alternatives];
        foreach (var candidate in models)
        {
            try
            {
                var prediction = Predictor.Predict(
                    candidate,
                    population,
                    clients,
                    candidate == model.Model ? options : coarser,
                    cancellation
                );
                first ??= prediction;
                if (prediction.MeanActive <= limit || models.Length == 1)
                {
                    if (sound.Count == 0 && candidate != model.Model)
                        notes.Add(
                            $"{clients} clients of {population.Name}: {model.Model.Kind} ran away in the simulation, "
                                + $"so {candidate.Kind} was taken, which replays the training cases about as well."
                        );
                    sound.Add(prediction);
                }
            }
            catch (InputException exception) when (models.Length > 1)
            {
                failure = exception;
            }
        }
        if (sound.Count == 0)
            sound.Add(first ?? throw failure!);
        return sound;
    }

    private static string? TooBusy(SetupPrediction prediction, Population population, int clients, double limit) =>
        prediction.MeanActive <= limit
            ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{clients} clients of {population.Name}: {prediction.MeanActive:0.#} exchanges "
                    + $"are open on average in the simulation; no training case of such a load had "
                    + $"more than {limit / MostTimesSeen:0.#}. Do not trust this prediction."
            );

    /// <summary>
    /// The interval of the probability at a threshold, for one measurement on the broker of so many sequences that they
    /// leave nothing to chance.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public Interval Interval(double thresholdMilliseconds) => Around(thresholdMilliseconds, 0);

    /// <summary>
    /// The interval of the mean share of sequences in time in some runs, each with as many clients and sequences as a
    /// replication of the simulation.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    /// <param name="runs">
    /// How many runs, 1 or more. Only their sampling counts the less the more they are: they may all be as far from the
    /// prediction as one of them.
    /// </param>
    public Interval RunInterval(double thresholdMilliseconds, int runs = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(runs);
        return Around(thresholdMilliseconds, Prediction.RunVariance(thresholdMilliseconds) / runs);
    }

    /// <summary>The prediction at a threshold, for a live broker to confirm or refute.</summary>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    public PredictedPoint Point(double thresholdMilliseconds) =>
        new(
            Prediction.ProfileName,
            Prediction.Clients,
            thresholdMilliseconds,
            Prediction.Probability(thresholdMilliseconds),
            Interval(thresholdMilliseconds)
        );

    /// <summary>The level of intervals of a model.</summary>
    /// <param name="asked">The level that was asked for.</param>
    /// <param name="replay">The replayed cases; null where there are none.</param>
    internal static double LevelOf(double asked, ReplayQuality? replay)
    {
        if (replay is null)
            return asked;
        // 24 cases support .95 whatever the rounding.
        var highest = 1 - ErrorsPerRank / (replay.Cases.Count + 1) + 1e-12;
        return s_levels
            .Prepend(asked)
            .FirstOrDefault(level => level <= asked && level <= highest, Math.Min(asked, s_levels[^1]));
    }

    /// <summary>
    /// Whether the simulation stayed within what training has shown of such a load. Otherwise a note says not to trust
    /// the forecast.
    /// </summary>
    public bool IsTrusted { get; }

    /// <summary>
    /// How far the broker may be from a simulated probability at this load, at <see cref="Level"/>: the error of the
    /// model, and one of sampling.
    /// </summary>
    /// <param name="thresholdMilliseconds">The latency that the probability is about, positive.</param>
    /// <param name="probability">The simulated probability.</param>
    /// <param name="otherVariance">The variance of the simulation's own error.</param>
    /// <returns>Half of the interval's width; null where no training case was replayed.</returns>
    internal double? HalfWidth(double thresholdMilliseconds, double probability, double otherVariance)
    {
        if (_replay is null)
            return null;
        var shape = ReplayQuality.Shape(probability);
        return ErrorsAt(thresholdMilliseconds)
            .HalfWidth(Level, shape, UnusualSpread(thresholdMilliseconds, shape) + otherVariance);
    }

    /// <summary>
    /// How far the difference of two forecasts by one model may be off on the broker: the errors of replayed cases that
    /// lie as far apart differ by as much (<see cref="ReplayQuality.DifferencesAt"/>).
    /// </summary>
    /// <param name="other">The other forecast.</param>
    /// <param name="thresholdMilliseconds">The threshold, positive.</param>
    /// <param name="otherVariance">The variance of the simulated difference.</param>
    /// <param name="level">
    /// The share of such intervals that hold the difference. Above <see cref="Level"/> it rests on the law of the
    /// errors alone: no number of cases shows it.
    /// </param>
    /// <returns>Half of the interval's width; null where no training case was replayed.</returns>
    internal double? DifferenceHalfWidth(
        Forecast other,
        double thresholdMilliseconds,
        double otherVariance,
        double level
    )
    {
        if (_replay is null)
            return null;
        var (shape, otherShape) = (ShapeAt(thresholdMilliseconds), other.ShapeAt(thresholdMilliseconds));
        var unusual =
            UnusualSpread(thresholdMilliseconds, shape) + other.UnusualSpread(thresholdMilliseconds, otherShape);
        var paired = _replay
            .DifferencesAt(Prediction.MeanActive, other.Prediction.MeanActive, thresholdMilliseconds)
            ?.HalfWidth(level, (shape + otherShape) / 2, unusual + otherVariance);
        // Too few cases to pair: the errors are taken as independent.
        return paired
            ?? Math.Sqrt(
                Math.Pow(ModelHalfWidth(thresholdMilliseconds, shape, level), 2)
                    + Math.Pow(other.ModelHalfWidth(thresholdMilliseconds, otherShape, level), 2)
            );
    }

    private double ShapeAt(double thresholdMilliseconds) =>
        ReplayQuality.Shape(Prediction.Probability(thresholdMilliseconds));

    private double ModelHalfWidth(double thresholdMilliseconds, double shape, double level) =>
        ErrorsAt(thresholdMilliseconds)
            .HalfWidth(
                level,
                shape,
                UnusualSpread(thresholdMilliseconds, shape) + SimulationVariance(thresholdMilliseconds)
            );

    // The errors of the replayed cases hold as much disagreement as there was among the models then.
    private double UnusualSpread(double thresholdMilliseconds, double shape)
    {
        var usual = _replay!.SpreadAt(Prediction.MeanActive, thresholdMilliseconds);
        return Math.Max(0, Spread(thresholdMilliseconds) - ShareOfOthers * usual * usual * shape);
    }

    // The model itself is one of those that are about as good, and differs from itself by nothing.
    private double ShareOfOthers => (double)_alternatives.Count / (_alternatives.Count + 1);

    private double Spread(double thresholdMilliseconds)
    {
        var probability = Prediction.Probability(thresholdMilliseconds);
        return _alternatives.Count == 0
            ? 0
            : ShareOfOthers
                * _alternatives.Average(other => Math.Pow(other.Probability(thresholdMilliseconds) - probability, 2));
    }

    private ReplayErrorLaw ErrorsAt(double thresholdMilliseconds)
    {
        // A search asks for many probabilities at one threshold.
        if (_errors is not { } known || known.Threshold != thresholdMilliseconds)
            _errors = known = (thresholdMilliseconds, _replay!.ErrorsAt(Prediction.MeanActive, thresholdMilliseconds));
        return known.Law;
    }

    private Interval Around(double thresholdMilliseconds, double sampling)
    {
        var probability = Prediction.Probability(thresholdMilliseconds);
        if (
            HalfWidth(thresholdMilliseconds, probability, sampling + SimulationVariance(thresholdMilliseconds)) is
            { } half
        )
            return new(Math.Max(0, probability - half), Math.Min(1, probability + half));
        return OfSimulation(thresholdMilliseconds, probability, Spread(thresholdMilliseconds) + sampling);
    }

    // The variance of the mean over replications. All replications may agree by chance, so it has a lower bound of the
    // order of one replication.
    private double SimulationVariance(double thresholdMilliseconds) =>
        Math.Max(
            Prediction.RunVariance(thresholdMilliseconds) / Prediction.Replications,
            Math.Pow(.5 / Prediction.Replications, 2)
        );

    // A bound that holds whatever the law of the replications, since nothing else is known of the error.
    private Interval OfSimulation(double thresholdMilliseconds, double probability, double variance)
    {
        var simulated = Prediction.Interval(thresholdMilliseconds);
        var square = Math.Pow(MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, (1 + Level) / 2), 2) * variance;
        return new(
            Math.Max(0, probability - Math.Sqrt(Math.Pow(probability - simulated.Lower, 2) + square)),
            Math.Min(1, probability + Math.Sqrt(Math.Pow(simulated.Upper - probability, 2) + square))
        );
    }

    private static double ActiveLimit(LearnedModel model, double load)
    {
        var comparable = (model.Replay?.Cases ?? [])
            .Where(replayed => replayed.MessagesPerSecond <= Comparable * load)
            .ToArray();
        return comparable.Length == 0 || load > model.Ranges.MessagesPerSecond
            ? double.PositiveInfinity
            : 1 + MostTimesSeen * comparable.Max(replayed => replayed.MeanActive);
    }
}
