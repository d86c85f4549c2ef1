using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The latency law of Aichernig and Schumi (QEST 2018): normal, with the mean of a linear regression on kind, open
/// exchanges, total subscriptions and subscribers, and a deviation combined from the <em>standard errors of the
/// coefficients</em>, sigma^2 = sum (x_k se_k)^2. That is the uncertainty of the mean, not the spread of a latency; the
/// law is kept to reproduce the paper and to compare with it. Negative draws are folded to positive ones, as there.
/// </summary>
internal sealed class PaperRegressionModel(double[] coefficients, double[] standardErrors, bool[] kinds)
    : LatencyModel,
        IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "paper-regression";

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
    ];

    private readonly double[] _coefficients = coefficients,
        _standardErrors = standardErrors;
    private readonly bool[] _kinds = kinds;

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>One coefficient per regressor, in milliseconds.</summary>
    internal ReadOnlySpan<double> Coefficients => _coefficients;

    /// <summary>The standard errors of the coefficients.</summary>
    internal ReadOnlySpan<double> StandardErrors => _standardErrors;

    /// <summary>Whether the model was learned with messages of a kind.</summary>
    /// <param name="kind">A defined kind.</param>
    internal bool Knows(MessageKind kind) => _kinds[(int)kind];

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() => new Process(this));
    }

    /// <summary>The mean and the deviation for the given features, before folding.</summary>
    /// <param name="features">The features.</param>
    public (double MeanMilliseconds, double SigmaMilliseconds) Law(in ExchangeFeatures features)
    {
        if (!_kinds[(int)features.Kind])
            throw ModelKinds.Unknown(features.Kind);
        Span<double> x = stackalloc double[Regressors.Length];
        Fill(features, x);
        double mean = 0,
            variance = 0;
        for (var k = 0; k < x.Length; k++)
        {
            mean += x[k] * _coefficients[k];
            variance += x[k] * _standardErrors[k] * (x[k] * _standardErrors[k]);
        }
        return (mean, Math.Sqrt(variance));
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
        row[5] = features.Active;
        row[6] = features.TotalSubscriptions;
        row[7] = features.Subscribers;
    }

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds)
    {
        if (!_kinds[(int)features.Kind])
            return double.NaN;
        var (mean, sigma) = Law(features);
        return FoldedNormal.CumulativeProbability(mean, sigma, milliseconds);
    }

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<PaperRegressionModel> Format { get; } =
        JsonFormat.Of<PaperRegressionModel>(fields =>
            new(
                fields.Required("coefficients", ModelKinds.ByRegressor(Regressors), model => model._coefficients),
                fields.Required(
                    "standardErrors",
                    ModelKinds.ByRegressor(Regressors, 0),
                    model => model._standardErrors
                ),
                fields.Required("seen", ModelKinds.Flags, model => model._kinds)
            )
        );

    /// <summary>Draws from the law; without state of its own.</summary>
    /// <param name="model">The model.</param>
    private readonly struct Process(PaperRegressionModel model) : ILatencyProcess
    {
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var (mean, sigma) = model.Law(features);
            return new(nowMilliseconds + FoldedNormal.Draw(mean, sigma, ref random), Completes: true);
        }
    }
}
