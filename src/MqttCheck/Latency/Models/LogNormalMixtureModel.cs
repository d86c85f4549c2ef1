using System.Runtime.CompilerServices;
using MathNet.Numerics;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// For each kind a mixture of log-normal regressions: log latency ~ sum_k pi_k(x) N(x' b_k, s_k^2), where the weights
/// pi are logistic in the features x (a mixture of experts, Jacobs et al. 1991). A component finds by itself what
/// answers at once, what queues and what stalls.
/// </summary>
internal sealed class LogNormalMixtureModel(LogNormalMixture?[] kinds) : LatencyModel, IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "mixture";

    /// <summary>How many components.</summary>
    internal const int Components = 3;

    /// <summary>The regressors.</summary>
    internal static readonly string[] Regressors =
    [
        "intercept",
        "logActive",
        "logSubscribers",
        "logSubscriptions",
        "recentActivity",
    ];

    /// <summary>How many regressors there are.</summary>
    internal const int Columns = 5;

    // A latency that the clock saw as 0 has a logarithm all the same.
    internal const double LeastMilliseconds = 1e-4;

    private readonly LogNormalMixture?[] _kinds = kinds;

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() => new Process(_kinds));
    }

    /// <summary>Fills a row of the design matrix.</summary>
    /// <param name="features">The features of an exchange.</param>
    /// <param name="row">One place per regressor.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Fill(in ExchangeFeatures features, Span<double> row)
    {
        row[4] = features.RecentActivity;
        row[3] = LogTable.OnePlus(features.TotalSubscriptions);
        row[2] = LogTable.OnePlus(features.Subscribers);
        row[1] = LogTable.OnePlus(features.Active - 1);
        row[0] = 1;
    }

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds)
    {
        if (_kinds[(int)features.Kind] is not { } mixture)
            return double.NaN;
        if (milliseconds <= 0)
            return 0;
        Span<double> x = stackalloc double[Columns];
        Span<double> weights = stackalloc double[Components];
        Fill(features, x);
        mixture.Weights(x, weights);
        var sum = 0.0;
        for (var k = 0; k < Components; k++)
            sum +=
                weights[k]
                * SpecialFunctions.Erfc(
                    (mixture.Mean(k, x) - Math.Log(milliseconds)) / (mixture.Deviations[k] * Constants.Sqrt2)
                )
                / 2;
        return sum;
    }

    private static readonly JsonKind<LogNormalMixture> s_kind = JsonFormat.Of<LogNormalMixture>(fields =>
        new(
            fields.Required("gates", ModelKinds.Numbers((Components - 1) * Columns), mixture => mixture.Gates),
            fields.Required("means", ModelKinds.Numbers(Components * Columns), mixture => mixture.Means),
            fields.Required("deviations", ModelKinds.Numbers(Components), mixture => mixture.Deviations),
            fields.Required("most", JsonKinds.Number(0), mixture => mixture.MostMilliseconds)
        )
    );

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<LogNormalMixtureModel> Format { get; } =
        JsonFormat.Of<LogNormalMixtureModel>(fields =>
            new([
                .. MessageKinds.Names.Select(
                    (name, kind) => fields.Nullable(name, s_kind, model => model._kinds[kind])
                ),
            ])
        );

    private readonly struct Process(LogNormalMixture?[] kinds) : ILatencyProcess
    {
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            if (kinds[(int)features.Kind] is not { } mixture)
                throw ModelKinds.Unknown(features.Kind);
            Span<double> x = stackalloc double[Columns];
            Fill(features, x);
            return new(nowMilliseconds + mixture.Draw(x, ref random), Completes: true);
        }
    }
}
