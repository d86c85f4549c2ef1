using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The broker as one server that takes exchanges in order of arrival (Lindley 1952), plus what an exchange takes when
/// nobody else is there. A connect may visit the server several times, and work that arrives between its visits delays
/// it; or its connection is set up before, and that work, which belongs to no exchange, may come before all others: no
/// law of what is known at the start can say that.
/// </summary>
public sealed class QueueModel : LatencyModel, ISavedModel
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "queue";

    private readonly BinnedQuantilesModel _alone;
    private readonly PooledTables _tables;

    /// <summary>A model with the given demands.</summary>
    /// <param name="demands">How long the server takes.</param>
    /// <param name="alone">
    /// The latencies of exchanges that were alone, by kind, subscribers and recent activity.
    /// </param>
    /// <param name="setUp">
    /// How connections are set up; null where that takes no time worth mentioning, or is not known.
    /// </param>
    internal QueueModel(QueueDemands demands, BinnedQuantilesModel alone, QueueSetUp? setUp = null)
    {
        (Demands, SetUp, _alone) = (demands, setUp, alone);
        _tables = alone.Tables;
    }

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>How long the server takes for what.</summary>
    public QueueDemands Demands { get; }

    /// <summary>
    /// How connections are set up before their CONNECT is sent; null where that takes no time worth mentioning, or is
    /// not known.
    /// </summary>
    internal QueueSetUp? SetUp { get; }

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() =>
            new Process(Demands, SetUp, _tables, new double[clients], new double[clients], new int[clients])
        );
    }

    /// <summary>The same with other demands.</summary>
    /// <param name="demands">The demands.</param>
    /// <param name="setUp">How connections are set up, or null.</param>
    internal QueueModel With(QueueDemands demands, QueueSetUp? setUp) => new(demands, _alone, setUp);

    void ISavedModel.Write(Utf8JsonWriter writer)
    {
        JsonNodes.WriteMembers(writer, ("demands", Of(Demands)));
        if (SetUp is not null)
        {
            writer.WriteStartObject("setUp");
            JsonNodes.WriteMembers(
                writer,
                ("demandMilliseconds", SetUp.Milliseconds),
                ("first", SetUp.First),
                ("variation", SetUp.Variation)
            );
            writer.WritePropertyName("alone");
            BinnedQuantilesJson.WriteTable(writer, SetUp.Alone);
            writer.WriteEndObject();
        }
        writer.WriteStartObject("alone");
        ((ISavedModel)_alone).Write(writer);
        writer.WriteEndObject();
    }

    /// <summary>Reads the parameters from a model file.</summary>
    /// <param name="reader">The object with the parameters.</param>
    /// <param name="findings">Receives the findings.</param>
    internal static QueueModel Read(JsonObjectReader reader, JsonFindings findings)
    {
        var demands = new QueueDemands(0, 0, 0, 1);
        if (reader.Required("demands", "an object with the demands") is { } tree)
        {
            var inner = new JsonObjectReader(tree, findings);
            demands = new(
                inner.Number("connectMilliseconds", 0, 1e9),
                inner.Number("visitMilliseconds", 0, 1e9),
                inner.Number("deliveryMilliseconds", 0, 1e9),
                inner.Integer("connectVisits", 1, QueueDemands.MostConnectVisits),
                inner.Integer("connectVisit", 1, QueueDemands.MostConnectVisits, 1)
            );
            if (demands.ConnectVisit > demands.ConnectVisits && tree.Member("connectVisit") is { } given)
                findings.Add(
                    given,
                    $"{given.Given} given; allowed: at most the {demands.ConnectVisits} of connectVisits"
                );
            inner.End();
        }
        var setUp = reader.Optional("setUp", ReadSetUp);
        if (reader.Required("alone", "an object with cells by kind") is not { } cells)
            return new(demands, new(new Dictionary<int, QuantileTable>(), new PoolingRule?[MessageKinds.Count]));
        var alone = JsonObjectReader.Read(cells, findings, inner => BinnedQuantilesJson.Read(inner, findings));
        return new(demands, alone, setUp);
    }

    private static JsonObject Of(QueueDemands demands) =>
        JsonNodes.Object(
            ("connectMilliseconds", demands.ConnectMilliseconds),
            ("visitMilliseconds", demands.VisitMilliseconds),
            ("deliveryMilliseconds", demands.DeliveryMilliseconds),
            ("connectVisits", demands.ConnectVisits),
            ("connectVisit", demands.ConnectVisit)
        );

    private static QueueSetUp? ReadSetUp(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var (milliseconds, first, variation) = (
            reader.Number("demandMilliseconds", 0, 1e9),
            reader.Flag("first"),
            reader.Number("variation", 0, 1)
        );
        var alone = reader.Required("alone", "an object with ascending times") is { } table
            ? BinnedQuantilesJson.ReadTable(table, findings)
            : null;
        reader.End();
        return alone is null ? null : new(milliseconds, first, variation, alone);
    }

    // The arrays hold three values for each client: the time beside the server's work, the demand of its next visit,
    // and the visits left.
    private struct Process(
        QueueDemands demands,
        QueueSetUp? setUp,
        PooledTables tables,
        double[] rest,
        double[] work,
        int[] left
    ) : ILatencyProcess
    {
        // The server is busy until the first time, and serves connections with priority until the second.
        private double _busyUntil,
            _setUpsUntil;

        // The service time of a connection that is set up in this run.
        private double _setUp;

        public static bool HasSetUp => true;

        public void Reset(ref RandomStream random)
        {
            (_busyUntil, _setUpsUntil) = (0, 0);
            if (setUp is not null)
                _setUp = setUp.Milliseconds * Math.Exp(setUp.Variation * NormalLaw.Standard(ref random));
        }

        public LatencyStep SetUp(int client, double nowMilliseconds, ref RandomStream random)
        {
            if (setUp is null)
                return new(nowMilliseconds, Completes: true);
            _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + _setUp;
            if (setUp.First)
                _setUpsUntil = _busyUntil;
            return new(
                _busyUntil
                    + Math.Max(
                        0,
                        QuantileTable.Draw(setUp.Alone.KnotsMilliseconds, random.NextDouble()) - setUp.Milliseconds
                    ),
                Completes: true
            );
        }

        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var alone = tables.KnotsOf(FeatureBins.AloneCellOf(features)) ?? throw ModelJson.Unknown(features.Kind);
            var demand = demands.Of(features);
            // An exchange that is alone has a part of latency beside the server's work: the network, the client, a
            // timer of the broker.
            rest[client] = Math.Max(0, QuantileTable.Draw(alone, random.NextDouble()) - demand);
            (left[client], work[client]) =
                features.Kind == MessageKind.Connect ? (demands.ConnectVisits, demands.OfConnectVisit(1)) : (1, demand);
            return Continue(client, nowMilliseconds, ref random);
        }

        public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random)
        {
            if (nowMilliseconds < _setUpsUntil)
                return new(_setUpsUntil, Completes: false);
            _busyUntil = Math.Max(_busyUntil, nowMilliseconds) + work[client];
            if (--left[client] == 0)
                return new(_busyUntil + rest[client], Completes: true);
            work[client] = demands.OfConnectVisit(demands.ConnectVisits - left[client] + 1);
            return new(_busyUntil, Completes: false);
        }
    }
}
