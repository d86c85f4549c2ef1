using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>
/// The broker as one server that takes exchanges in order of arrival (Lindley 1952), plus what an exchange takes when nobody else is there. A connect may visit the server several
/// times, and work that arrives between its visits delays it: no law of what is known at the start can say that.
/// </summary>
public sealed class QueueModel : LatencyModel, ISavedModel
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "queue";

    private readonly BinnedQuantilesModel _alone;
    private readonly PooledTables _tables;

    /// <summary>A model with the given demands.</summary>
    /// <param name="demands">How long the server takes.</param>
    /// <param name="alone">The latencies of exchanges that were alone, by kind, subscribers and recent activity.</param>
    internal QueueModel(QueueDemands demands, BinnedQuantilesModel alone)
    {
        (Demands, _alone) = (demands, alone);
        _tables = alone.Tables;
    }

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>How long the server takes for what.</summary>
    public QueueDemands Demands { get; }

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        ArgumentNullException.ThrowIfNull(consumer);
        return consumer.Run(() => new Process(Demands, _tables, new double[clients], new int[clients]));
    }

    /// <summary>The same with other demands.</summary>
    /// <param name="demands">The demands.</param>
    internal QueueModel With(QueueDemands demands) => new(demands, _alone);

    void ISavedModel.Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject("demands");
        writer.WriteNumber("connectMilliseconds", Demands.ConnectMilliseconds);
        writer.WriteNumber("visitMilliseconds", Demands.VisitMilliseconds);
        writer.WriteNumber("deliveryMilliseconds", Demands.DeliveryMilliseconds);
        writer.WriteNumber("connectVisits", Demands.ConnectVisits);
        writer.WriteNumber("connectVisit", Demands.ConnectVisit);
        writer.WriteEndObject();
        writer.WriteStartObject("alone");
        ((ISavedModel)_alone).Write(writer);
        writer.WriteEndObject();
    }

    /// <summary>Reads the parameters from a model file.</summary>
    /// <param name="reader">The object with the parameters.</param>
    /// <param name="findings">Where findings go.</param>
    internal static QueueModel Read(JsonObjectReader reader, JsonFindings findings)
    {
        var demands = new QueueDemands(0, 0, 0, 1);
        if (reader.Required("demands", "an object with the demands") is { } tree)
        {
            var inner = new JsonObjectReader(tree, findings);
            demands = new(inner.Number("connectMilliseconds", 0, 1e9), inner.Number("visitMilliseconds", 0, 1e9), inner.Number("deliveryMilliseconds", 0, 1e9),
                inner.Integer("connectVisits", 1, QueueDemands.MostConnectVisits), inner.Integer("connectVisit", 1, QueueDemands.MostConnectVisits, 1));
            if (demands.ConnectVisit > demands.ConnectVisits && tree.Member("connectVisit") is { } given) findings.Add(given, $"{given.Given} given; allowed: at most the {demands.ConnectVisits} of connectVisits");
            inner.End();
        }
        if (reader.Required("alone", "an object with cells by kind") is not { } cells) return new(demands, new(new Dictionary<int, QuantileTable>(), new PoolingRule?[MessageKinds.Count]));
        var alone = new JsonObjectReader(cells, findings);
        var model = BinnedQuantilesJson.Read(alone, findings);
        alone.End();
        return new(demands, model);
    }

    private struct Process(QueueDemands demands, PooledTables tables, double[] rest, int[] visits) : ILatencyProcess
    {
        private double _busyUntil;

        public void Reset() => _busyUntil = 0;

        public LatencyStep Start(int client, in ExchangeFeatures features, double nowMilliseconds, ref RandomStream random)
        {
            var alone = tables.KnotsOf(FeatureBins.AloneCellOf(features)) ?? throw ModelJson.Unknown(features.Kind);
            // What the latency of an exchange that is alone holds beside the server's own work: the network, the client, a timer of the broker.
            rest[client] = Math.Max(0, QuantileTable.Draw(alone, random.NextDouble()) - demands.Of(features));
            var demand = features.Kind switch
            {
                MessageKind.Connect => demands.ConnectVisit == 1 ? demands.ConnectMilliseconds : demands.VisitMilliseconds,
                MessageKind.Publish => demands.VisitMilliseconds + demands.DeliveryMilliseconds * features.Subscribers,
                _ => demands.VisitMilliseconds,
            };
            visits[client] = features.Kind == MessageKind.Connect ? demands.ConnectVisits - 1 : 0;
            return Visit(client, nowMilliseconds, demand);
        }

        public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random)
        {
            visits[client]--;
            return Visit(client, nowMilliseconds, visits[client] == demands.ConnectVisits - demands.ConnectVisit ? demands.ConnectMilliseconds : demands.VisitMilliseconds);
        }

        private LatencyStep Visit(int client, double now, double demand)
        {
            _busyUntil = Math.Max(_busyUntil, now) + demand;
            return visits[client] == 0 ? new(_busyUntil + rest[client], Completes: true) : new(_busyUntil, Completes: false);
        }
    }
}
