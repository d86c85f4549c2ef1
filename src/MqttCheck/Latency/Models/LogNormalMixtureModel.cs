using System.Runtime.CompilerServices;
using System.Text.Json;
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
public sealed class LogNormalMixtureModel : LatencyModel, IConditionalLaw, ISavedModel
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

    private readonly LogNormalMixture?[] _kinds;

    /// <summary>A model with the given mixtures.</summary>
    /// <param name="kinds">One per <see cref="MessageKind"/>, null for a kind that was never seen.</param>
    internal LogNormalMixtureModel(LogNormalMixture?[] kinds) => _kinds = kinds;

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

    void ISavedModel.Write(Utf8JsonWriter writer)
    {
        for (var kind = 0; kind < MessageKinds.Count; kind++)
        {
            if (_kinds[kind] is not { } mixture)
                continue;
            writer.WriteStartObject(((MessageKind)kind).Name());
            ModelJson.Write(writer, "gates", mixture.Gates);
            ModelJson.Write(writer, "means", mixture.Means);
            ModelJson.Write(writer, "deviations", mixture.Deviations);
            writer.WriteNumber("most", mixture.MostMilliseconds);
            writer.WriteEndObject();
        }
    }

    /// <summary>Reads the parameters from a model file.</summary>
    /// <param name="reader">The object with the parameters.</param>
    /// <param name="findings">Receives the findings.</param>
    internal static LogNormalMixtureModel Read(JsonObjectReader reader, JsonFindings findings) =>
        new(Array.ConvertAll(MessageKinds.Names, name => reader.Optional(name, ReadKind)));

    private static LogNormalMixture ReadKind(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new LogNormalMixture(
                ModelJson.Numbers(reader, "gates", (Components - 1) * Columns, findings),
                ModelJson.Numbers(reader, "means", Components * Columns, findings),
                ModelJson.Numbers(reader, "deviations", Components, findings),
                reader.Number("most", 0, double.MaxValue)
            )
        );

    private readonly struct Process(LogNormalMixture?[] kinds) : ILatencyProcess
    {
        public void Reset(ref RandomStream random) { }

        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            if (kinds[(int)features.Kind] is not { } mixture)
                throw ModelJson.Unknown(features.Kind);
            Span<double> x = stackalloc double[Columns];
            Fill(features, x);
            return new(nowMilliseconds + mixture.Draw(x, ref random), Completes: true);
        }
    }
}
