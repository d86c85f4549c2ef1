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
internal sealed class QueueModel(QueueDemands demands, BinnedQuantilesModel alone, QueueSetUp? setUp = null)
    : LatencyModel
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "queue";

    private readonly BinnedQuantilesModel _alone = alone;

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>How long the server takes for what.</summary>
    public QueueDemands Demands { get; } = demands;

    /// <summary>
    /// How connections are set up before their CONNECT is sent; null where that takes no time worth mentioning, or is
    /// not known.
    /// </summary>
    internal QueueSetUp? SetUp { get; } = setUp;

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer)
    {
        return consumer.Run(() =>
            new Process(Demands, SetUp, _alone.Tables, new double[clients], new double[clients], new int[clients])
        );
    }

    /// <summary>The same with other demands.</summary>
    /// <param name="demands">The demands.</param>
    /// <param name="setUp">How connections are set up, or null.</param>
    internal QueueModel With(QueueDemands demands, QueueSetUp? setUp) => new(demands, _alone, setUp);

    private static readonly JsonKind<int> s_visits = JsonKinds.Integer(1, QueueDemands.MostConnectVisits);

    private static readonly JsonKind<QueueDemands> s_demands = JsonFormat.Of<QueueDemands>(
        fields =>
        {
            var demands = new QueueDemands(
                fields.Required("connectMilliseconds", JsonKinds.Number(0, 1e9), of => of.ConnectMilliseconds),
                fields.Required("visitMilliseconds", JsonKinds.Number(0, 1e9), of => of.VisitMilliseconds),
                fields.Required("deliveryMilliseconds", JsonKinds.Number(0, 1e9), of => of.DeliveryMilliseconds),
                fields.Required("connectVisits", s_visits, of => of.ConnectVisits),
                fields.Optional("connectVisit", s_visits, of => of.ConnectVisit, 1, always: true)
            );
            fields.Refuse(
                "connectVisit",
                demands.ConnectVisit > demands.ConnectVisits,
                given => $"{given.Given} given; allowed: at most the {demands.ConnectVisits} of connectVisits"
            );
            return demands;
        },
        "an object with the demands"
    );

    private static readonly JsonKind<QueueSetUp> s_setUp = JsonFormat.Of<QueueSetUp>(fields =>
        new(
            fields.Required("demandMilliseconds", JsonKinds.Number(0, 1e9), of => of.Milliseconds),
            fields.Required("first", JsonKinds.Flag, of => of.First),
            fields.Required("variation", JsonKinds.Number(0, 1), of => of.Variation),
            fields.Required("alone", CellKinds.Table.Named("an object with ascending times"), of => of.Alone)
        )
    );

    /// <summary>The parameters in a model file.</summary>
    internal static JsonKind<QueueModel> Format { get; } =
        JsonFormat.Of<QueueModel>(fields =>
        {
            var demands = fields.Required("demands", s_demands, model => model.Demands);
            var setUp = fields.Nullable("setUp", s_setUp, model => model.SetUp);
            return new(demands, fields.Required("alone", CellKinds.Model, model => model._alone), setUp);
        });

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
            var alone = tables.KnotsOf(FeatureBins.AloneCellOf(features)) ?? throw ModelKinds.Unknown(features.Kind);
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
