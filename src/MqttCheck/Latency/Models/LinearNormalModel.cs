using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// A normal law with the mean of a linear regression and its predictive deviation, sigma^2 = s^2 + x' V x with s the
/// residual deviation and V the covariance of the coefficients. Negative draws are folded to positive ones.
/// </summary>
internal sealed class LinearNormalModel(double[] coefficients, double[] covariance, double deviation, bool[] seen)
    : LatencyModel,
        IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "least-squares";

    /// <summary>The regressors, in the order of the coefficients; kinds are relative to connect.</summary>
    internal static readonly string[] Regressors =
    [
        "intercept",
        "disconnect",
        "publish",
        "subscribe",
        "unsubscribe",
        "activeMessages",
        "totalSubscriptions",
        "subscribers",
        "withheld",
        "recentActivity",
    ];

    // The regressors of which each exchange has a value of its own; those before are the intercept and the kind.
    private const int FirstNumber = 5,
        NumberCount = 5;

    private readonly double[] _covariance = covariance;
    private readonly bool[] _seen = seen;
    private readonly KindLaw[] _laws =
    [
        .. Enumerable.Range(0, seen.Length).Select(kind => new KindLaw(coefficients, covariance, deviation, kind)),
    ];

    /// <inheritdoc/>
    public override string Kind => KindName;

    internal double[] Coefficients { get; } = coefficients;

    internal double ResidualDeviation { get; } = deviation;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() => new Process(this));
    }

    /// <summary>Fills a row of the design matrix.</summary>
    /// <param name="features">The features of an exchange.</param>
    /// <param name="row">One place per regressor.</param>
    internal static void Fill(in ExchangeFeatures features, Span<double> row)
    {
        row.Clear();
        row[0] = 1;
        if (features.Kind != MessageKind.Connect)
            row[(int)features.Kind] = 1;
        Numbers(features, row[FirstNumber..]);
    }

    /// <summary>The mean and the predictive deviation for the given features, before folding.</summary>
    /// <param name="features">The features, of a kind that was seen.</param>
    internal (double Mean, double Sigma) Law(in ExchangeFeatures features) => _laws[(int)features.Kind].At(features);

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds)
    {
        if (!_seen[(int)features.Kind])
            return double.NaN;
        if (milliseconds <= 0)
            return 0;
        var (mean, sigma) = Law(features);
        return FoldedNormal.CumulativeProbability(mean, sigma, milliseconds);
    }

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<LinearNormalModel> Format { get; } =
        JsonFormat.Of<LinearNormalModel>(fields =>
        {
            var seen = fields.Required("seen", ModelKinds.Flags, model => model._seen);
            var coefficients = fields.Required(
                "coefficients",
                ModelKinds.ByRegressor(Regressors),
                model => model.Coefficients
            );
            var deviation = fields.Required("residualDeviation", JsonKinds.Number(0), model => model.ResidualDeviation);
            return new(
                coefficients,
                fields.Required(
                    "covariance",
                    ModelKinds.Numbers(Regressors.Length * Regressors.Length),
                    model => model._covariance
                ),
                deviation,
                seen
            );
        });

    private readonly struct Process(LinearNormalModel model) : ILatencyProcess
    {
        public bool UsesWithheld => true;

        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            if (!model._seen[(int)features.Kind])
                throw ModelKinds.Unknown(features.Kind);
            var (mean, sigma) = model.Law(features);
            return new(nowMilliseconds + FoldedNormal.Draw(mean, sigma, ref random), Completes: true);
        }
    }

    private static void Numbers(in ExchangeFeatures features, Span<double> numbers)
    {
        numbers[0] = features.Active;
        numbers[1] = features.TotalSubscriptions;
        numbers[2] = features.Subscribers;
        numbers[3] = features.Withheld;
        numbers[4] = features.RecentActivity;
    }

    /// <summary>
    /// The law of one kind of message: the mean is linear and the variance quadratic in the five numbers of an
    /// exchange. The constant contributions of intercept and kind are summed up beforehand, which leaves a draw a
    /// quarter of the multiplications.
    /// </summary>
    private sealed class KindLaw
    {
        private readonly double _mean,
            _variance;
        private readonly double[] _slopes = new double[NumberCount],
            _linear = new double[NumberCount];

        // The factors of the products of two numbers, the lower triangle row by row.
        private readonly double[] _products = new double[NumberCount * (NumberCount + 1) / 2];

        public KindLaw(double[] coefficients, double[] covariance, double deviation, int kind)
        {
            int[] constant = kind == (int)MessageKind.Connect ? [0] : [0, kind];
            _mean = constant.Sum(i => coefficients[i]);
            _variance = deviation * deviation + constant.Sum(i => constant.Sum(j => Covariance(i, j)));
            var product = 0;
            for (var number = 0; number < NumberCount; number++)
            {
                var column = FirstNumber + number;
                _slopes[number] = coefficients[column];
                _linear[number] = constant.Sum(i => Covariance(i, column) + Covariance(column, i));
                for (var other = FirstNumber; other < column; other++)
                    _products[product++] = Covariance(column, other) + Covariance(other, column);
                _products[product++] = Covariance(column, column);
            }

            double Covariance(int i, int j) => covariance[i * Regressors.Length + j];
        }

        public (double Mean, double Sigma) At(in ExchangeFeatures features)
        {
            Span<double> numbers = stackalloc double[NumberCount];
            Numbers(features, numbers);
            var (mean, variance, product) = (_mean, _variance, 0);
            for (var number = 0; number < NumberCount; number++)
            {
                mean += _slopes[number] * numbers[number];
                var slope = _linear[number];
                for (var other = 0; other <= number; other++)
                    slope += _products[product++] * numbers[other];
                variance += slope * numbers[number];
            }
            return (mean, Math.Sqrt(Math.Max(0, variance)));
        }
    }
}
