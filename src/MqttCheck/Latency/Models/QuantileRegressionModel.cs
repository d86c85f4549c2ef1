using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// For each kind the quantiles of the latency as linear functions of the open exchanges by kind, the open deliveries
/// and the subscribers (Koenker and Bassett 1978): what is open says how much work lies before the broker. Between two
/// fitted probabilities quantiles are interpolated; beyond the last the tail is exponential.
/// </summary>
internal sealed class QuantileRegressionModel(double[]?[] coefficients, (double Least, double Most)[] ranges)
    : LatencyModel,
        IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "quantile-regression";

    /// <summary>The fitted probabilities.</summary>
    internal static readonly double[] Probabilities =
    [
        .005,
        .02,
        .05,
        .1,
        .15,
        .2,
        .25,
        .3,
        .35,
        .4,
        .45,
        .5,
        .55,
        .6,
        .65,
        .7,
        .75,
        .8,
        .84,
        .88,
        .91,
        .935,
        .955,
        .97,
        .98,
        .9865,
        .991,
        .994,
        .996,
        .9975,
        .999,
    ];

    /// <summary>The regressors.</summary>
    internal static readonly string[] Regressors =
    [
        "intercept",
        "connects",
        "disconnects",
        "publishes",
        "subscribes",
        "unsubscribes",
        "openDeliveries",
        "subscribers",
    ];

    /// <summary>How many regressors there are.</summary>
    internal const int Columns = 8;

    // Finds the fitted probability below a uniform number, to a 512th; the next ones are tried from there.
    private static readonly byte[] Below =
    [
        .. Enumerable.Range(0, 512).Select(i => (byte)Probabilities.Count(p => p <= i / 512.0)),
    ];

    private readonly double[]?[] _coefficients = coefficients;
    private readonly (double Least, double Most)[] _ranges = ranges;

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() => new Process(_coefficients, _ranges));
    }

    /// <summary>Fills a row of the design matrix.</summary>
    /// <param name="features">The features of an exchange.</param>
    /// <param name="row">One place per regressor.</param>
    internal static void Fill(in ExchangeFeatures features, Span<double> row)
    {
        row[7] = features.Subscribers;
        row[6] = features.OpenDeliveries;
        row[5] = features.Open[4];
        row[4] = features.Open[3];
        row[3] = features.Open[2];
        row[2] = features.Open[1];
        row[1] = features.Open[0];
        row[0] = 1;
    }

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds)
    {
        if (_coefficients[(int)features.Kind] is not { } coefficients)
            return double.NaN;
        Span<double> x = stackalloc double[Columns];
        Fill(features, x);
        // Quantiles of neighbouring probabilities may cross; sorting them is the rearrangement of Chernozhukov et al.
        // (2010).
        Span<double> quantiles = stackalloc double[Probabilities.Length];
        for (var i = 0; i < quantiles.Length; i++)
            quantiles[i] = Math.Max(_ranges[(int)features.Kind].Least, Dot(coefficients, i, x));
        quantiles.Sort();
        if (milliseconds < quantiles[0])
            return Probabilities[0] / 2;
        for (var i = 1; i < quantiles.Length; i++)
        {
            if (milliseconds > quantiles[i])
                continue;
            var width = quantiles[i] - quantiles[i - 1];
            return Probabilities[i - 1]
                + (Probabilities[i] - Probabilities[i - 1])
                    * (width > 0 ? (milliseconds - quantiles[i - 1]) / width : 0.5);
        }
        return 1 - (1 - Probabilities[^1]) / 2;
    }

    private static readonly JsonKind<(double[] Coefficients, (double Least, double Most) Range)> s_kind =
        JsonFormat.Of<(double[] Coefficients, (double Least, double Most) Range)>(fields =>
        {
            var range = (
                fields.Required("least", JsonKinds.Number(0), kind => kind.Range.Least),
                fields.Required("most", JsonKinds.Number(0), kind => kind.Range.Most)
            );
            return (
                fields.Required(
                    "coefficients",
                    ModelKinds.Numbers(Probabilities.Length * Columns),
                    kind => kind.Coefficients
                ),
                range
            );
        });

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<QuantileRegressionModel> Format { get; } =
        JsonFormat.Of<QuantileRegressionModel>(fields =>
        {
            var probabilities = fields.Required(
                "probabilities",
                ModelKinds.Numbers(Probabilities.Length),
                _ => Probabilities
            );
            fields.Refuse(
                "probabilities",
                !probabilities.SequenceEqual(Probabilities),
                _ => "other probabilities given; allowed: those this version writes"
            );
            var kinds = MessageKinds
                .Names.Select(
                    (name, kind) =>
                        fields.Nullable(
                            name,
                            s_kind,
                            model => model._coefficients[kind] is { } own ? (own, model._ranges[kind]) : null
                        )
                )
                .ToArray();
            return new(
                Array.ConvertAll(kinds, kind => kind?.Coefficients),
                Array.ConvertAll(kinds, kind => kind?.Range ?? default)
            );
        });

    private static double Dot(double[] coefficients, int probability, ReadOnlySpan<double> x)
    {
        var c = coefficients.AsSpan(probability * Columns, Columns);
        return c[0] * x[0]
            + c[1] * x[1]
            + c[2] * x[2]
            + c[3] * x[3]
            + (c[4] * x[4] + c[5] * x[5] + c[6] * x[6] + c[7] * x[7]);
    }

    private readonly struct Process(double[]?[] coefficients, (double Least, double Most)[] ranges) : ILatencyProcess
    {
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            if (coefficients[(int)features.Kind] is not { } own)
                throw ModelKinds.Unknown(features.Kind);
            Span<double> x = stackalloc double[Columns];
            Fill(features, x);
            var u = random.NextDouble();
            var next = (int)Below[(int)(u * 512)];
            while (next < Probabilities.Length && Probabilities[next] <= u)
                next++;
            double latency;
            if (next == 0)
                latency = Dot(own, 0, x);
            else if (next < Probabilities.Length)
            {
                var low = Dot(own, next - 1, x);
                latency =
                    low
                    + (Dot(own, next, x) - low)
                        * (u - Probabilities[next - 1])
                        / (Probabilities[next] - Probabilities[next - 1]);
            }
            else
            {
                // Exponential through the last two fitted quantiles.
                var (low, high) = (Dot(own, Probabilities.Length - 2, x), Dot(own, Probabilities.Length - 1, x));
                var scale = Math.Max(0, high - low) / Math.Log((1 - Probabilities[^2]) / (1 - Probabilities[^1]));
                latency = high + scale * Math.Log((1 - Probabilities[^1]) / (1 - u));
            }
            var (least, most) = ranges[(int)features.Kind];
            return new(nowMilliseconds + Math.Clamp(latency, least, most), Completes: true);
        }
    }
}
