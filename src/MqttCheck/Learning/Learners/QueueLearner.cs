using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;
using MqttCheck.Learning.Replay;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="QueueModel"/>: latencies of exchanges that were alone are tabulated, and the demands are
/// calibrated by simulated moments (McFadden 1989): the training cases are simulated, and the quantiles of each kind,
/// those of the time that connections take to be set up, and the throughput are compared with those observed. Where
/// set-ups take time, the server's work for a connection is theirs, in turn or before everything else; otherwise it is
/// that of connects, which visit the server once or twice. Which of these it is, is chosen by what the model is for:
/// the replay of the cases.
/// </summary>
internal sealed class QueueLearner : ILearner
{
    private const int FewestAlone = 40;
    private const int FewestPerTable = 80;
    private const int MostCases = 30;
    private const int Evaluations = 40;

    // At most this many exchanges of a case are compared. The limit is twice as large where set-ups are compared, which
    // are fewer and decide more.
    private const int MostExchanges = 1500;
    private const double ThroughputWeight = 8;

    // The ways in which a connect may visit the server, the likeliest first. An event loop accepts connections in one
    // round and works for them in the next. Other servers do everything at once, or do the work before another visit.
    private static readonly (int Visits, int Visit)[] Connects = [(2, 2), (1, 1), (2, 1)];

    // Setting up connections is worth modelling if it takes this share of the clients' time.
    private const double LeastSetUpShare = 0.01;
    private static readonly double[] Levels = [0.25, 0.5, 0.75, 0.9, 0.95, 0.99];

    /// <inheritdoc/>
    public string Name => QueueModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "One server, with demands calibrated by simulating the training cases, plus latencies without load.";

    /// <inheritdoc/>
    /// <exception cref="InputException">
    /// No training case can be simulated, because what its clients did is not known.
    /// </exception>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var seen = data.SeenKinds();
        var cases = Spread([.. ObservedCase.Of(data).Where(one => one.CanBeReplayed(seen))]);
        if (cases.Length == 0)
            throw new InputException(
                "learner queue: the log does not say what the clients of its cases "
                    + "did, or holds no exchange of a kind that they send, so that they "
                    + "cannot be simulated; allowed: a log that mqttcheck explore wrote"
            );
        var notes = new List<string>();
        var setUp = SetUp(data);
        var alone = Alone(data, setUp is not null, notes);
        var typical = Typical(data, setUp is not null);
        var candidates = new List<(QueueModel Model, double Error)>();
        // The search starts from a server that does half of the work.
        var (connects, others) = (typical.Connect * 0.5, typical.Other);
        double[] start = [Math.Log(connects), Math.Log(others * 0.25), Math.Log(others * 0.1)];
        Func<double[], QueueModel>[] structures = setUp is null
            ? [.. Connects.Select(connect => (Func<double[], QueueModel>)(theta => Of(theta, connect)))]
            : [theta => Before(theta, first: true), theta => Before(theta, first: false)];
        var exchanges = setUp is null ? MostExchanges : 2 * MostExchanges;
        foreach (var structure in structures)
        {
            var model = Fit(data, cases, structure, start, exchanges, seed);
            candidates.Add((model, ReplayError(data.WithHolds(model), cases, seed)));
        }
        // The training cases seldom tell the first two apart, and predictions under load do.
        var found = candidates
            .First(candidate =>
                candidate.Error <= candidates.Min(other => other.Error) + ReplaySelection.Indistinguishable
            )
            .Model;
        notes.Add(Describe(found));
        return new(data.WithHolds(found), notes);

        // The work of a connect is done between its CONNECT and its CONNACK.
        QueueModel Of(double[] theta, (int Visits, int Visit) connect) =>
            alone.With(
                new(
                    Milliseconds(theta[0]),
                    Milliseconds(theta[1]),
                    Milliseconds(theta[2]),
                    connect.Visits,
                    connect.Visit
                ),
                null
            );

        // It is done before the CONNECT, which is a message like others.
        QueueModel Before(double[] theta, bool first) =>
            alone.With(
                new(Milliseconds(theta[1]), Milliseconds(theta[1]), Milliseconds(theta[2]), 1),
                new(Milliseconds(theta[0]), first, Variation: 0, setUp!)
            );
    }

    private static QueueModel Fit(
        TrainingData data,
        ObservedCase[] cases,
        Func<double[], QueueModel> structure,
        double[] start,
        int exchanges,
        ulong seed
    )
    {
        var (point, _) = NelderMead.Minimise(
            theta => Distance(data.WithHolds(structure(theta)), cases, exchanges, seed),
            start,
            -0.8,
            Evaluations
        );
        var model = structure(point);
        // Only now, since the fit compares single runs.
        return model.SetUp is { } fitted
            ? model.With(model.Demands, fitted with { Variation = SetUpVariation.Of(data, model, cases, seed) })
            : model;
    }

    private static string Describe(QueueModel model)
    {
        var (demands, setUp) = (model.Demands, model.SetUp);
        var connect = setUp is null
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"{demands.ConnectMilliseconds:G3} ms per connect (on "
                    + $"visit {demands.ConnectVisit} of {demands.ConnectVisits})"
            )
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{setUp.Milliseconds:G3} ms per connection that is set up "
                    + $"({(setUp.First ? "before everything else" : "in its turn")}, "
                    + $"different by {setUp.Variation:P0} from run to run)"
            );
        return string.Create(
            CultureInfo.InvariantCulture,
            $"Queue: {connect}, {demands.VisitMilliseconds:G3} ms per other "
                + $"visit, {demands.DeliveryMilliseconds:G3} ms per delivery."
        );
    }

    // Rounds the exponential to six digits: the model file holds them exactly, and more are not known.
    private static double Milliseconds(double logarithm) =>
        double.Parse(
            Math.Exp(Math.Clamp(logarithm, -14, 9)).ToString("G6", CultureInfo.InvariantCulture),
            CultureInfo.InvariantCulture
        );

    // The lower quartiles of the latencies: of set-ups or connects, and of other exchanges.
    private static (double Connect, double Other) Typical(TrainingData data, bool beforeConnect)
    {
        var connects = data
            .Rows.Where(row => row.Features.Kind == MessageKind.Connect)
            .Select(row => beforeConnect ? row.SetUpMilliseconds : row.LatencyMilliseconds)
            .Where(double.IsFinite)
            .Order()
            .ToArray();
        var others = data
            .OwnRows.Where(row => row.Features.Kind != MessageKind.Connect)
            .Select(row => row.LatencyMilliseconds)
            .Order()
            .ToArray();
        var other = others.Length > 0 ? Math.Max(1e-3, others[others.Length / 4]) : 0.1;
        return (connects.Length > 0 ? Math.Max(1e-3, connects[connects.Length / 4]) : other, other);
    }

    // How long connections take to be set up when nobody else does anything; null where that hardly matters.
    private static QuantileTable? SetUp(TrainingData data)
    {
        var known = data.Rows.Where(row => row.SetUpMilliseconds > 0).ToArray();
        if (
            known.Length < FewestAlone
            || known.Sum(row => row.SetUpMilliseconds)
                < LeastSetUpShare * data.Runs.Sum(run => run.Clients * run.WindowMilliseconds)
        )
            return null;
        var alone = known.Where(row => row.SetUpAlone).Select(row => row.SetUpMilliseconds).Order().ToArray();
        // On a broker that is never idle the shortest say most.
        return QuantileTable.From(
            alone.Length >= FewestAlone
                ? alone
                : [.. known.Select(row => row.SetUpMilliseconds).Order().Take(FewestPerTable)]
        );
    }

    // The latencies of exchanges that were alone; for a kind that was hardly ever alone, those with the fewest others.
    private static QueueModel Alone(TrainingData data, bool withSetUps, List<string> notes)
    {
        var limits = new int[MessageKinds.Count];
        // A connect that visits the server again is delayed by later work, so it must be alone to its end. Other kinds
        // are not delayed, and the condition would leave out their slow exchanges.
        var strict = false;
        var crowded = new List<string>();
        for (var kind = 0; kind < limits.Length; kind++)
        {
            var rows = data.OwnRows.Where(row => (int)row.Features.Kind == kind).ToArray();
            if (rows.Length == 0)
                continue;
            if (!withSetUps && kind == (int)MessageKind.Connect && rows.Count(row => row.Alone) >= FewestPerTable)
            {
                strict = true;
                continue;
            }
            if (rows.Count(row => Company(row) == 1) >= FewestAlone)
                continue;
            var active = rows.Select(Company).Order().ToArray();
            limits[kind] = active[Math.Min(active.Length - 1, FewestPerTable)];
            crowded.Add(((MessageKind)kind).Name());
        }
        if (crowded.Count > 0)
            notes.Add(
                $"Queue: {string.Join(", ", crowded)} hardly ever came alone, so the latency without load is a guess."
            );

        var samples = new Dictionary<int, List<double>>();
        foreach (ref readonly var row in data.OwnRows.AsSpan())
        {
            if (
                (strict && row.Features.Kind == MessageKind.Connect && !row.Alone)
                || Company(row) > Math.Max(1, limits[(int)row.Features.Kind])
            )
                continue;
            var features = row.Features;
            var cell = FeatureBins.AloneCellOf(features);
            samples.GetOrNew(cell).Add(row.LatencyMilliseconds);
        }
        var rule = new PoolingRule(FewestPerTable, new(1, 4, 1), null);
        var rules = new PoolingRule?[MessageKinds.Count];
        var tables = new List<PlacedTable>();
        foreach (var (cell, latencies) in samples)
        {
            latencies.Sort();
            tables.Add(new(cell, QuantileTable.From([.. latencies])));
            rules[FeatureBins.BinsOf(cell).Kind] = rule;
        }
        return new(new(0, 0, 0, 1), new(tables, rules));

        // Everybody who keeps the server busy, the exchange itself included.
        int Company(TrainingRow row) => row.Features.Active + (withSetUps ? row.SetUps : 0);
    }

    // A few cases from the lightest to the heaviest load.
    private static ObservedCase[] Spread(ObservedCase[] cases)
    {
        var ordered = cases.OrderBy(observed => observed.Run.MessagesPerSecond).ToArray();
        return ordered.Length <= MostCases
            ? ordered
            :
            [
                .. Enumerable
                    .Range(0, MostCases)
                    .Select(i => ordered[(int)Math.Round((double)i * (ordered.Length - 1) / (MostCases - 1))]),
            ];
    }

    private static double ReplayError(LatencyModel model, ObservedCase[] cases, ulong seed)
    {
        var replayed = new ReplayedCase?[cases.Length];
        Parallel.For(0, cases.Length, i => replayed[i] = CaseReplay.Of(model, cases[i], seed));
        var compared = replayed.OfType<ReplayedCase>().ToArray();
        return compared.Length == 0
            ? double.PositiveInfinity
            : ReplayQuality.Of(compared, ReplaySelection.FewestCases).Error;
    }

    private static double Distance(LatencyModel model, ObservedCase[] cases, double exchanges, ulong seed)
    {
        var distances = new double[cases.Length];
        Parallel.For(0, cases.Length, i => distances[i] = Distance(model, cases[i], exchanges, seed));
        return distances.Average();
    }

    private static double Distance(LatencyModel model, ObservedCase observed, double exchanges, ulong seed)
    {
        var latencies = ReplayObserver.ByKind();
        var share = Math.Min(observed.Share, exchanges / observed.Run.Exchanges);
        var setUps = new List<double>();
        var observer = new ReplayObserver(observed.Run.WindowMilliseconds * share, latencies, setUps);
        if (!CaseReplay.Simulate(model, observed, share, seed, 0, ref observer))
            return 100;
        var sum = Distance(setUps, observed.SortedSetUps);
        for (var kind = 0; kind < latencies.Length; kind++)
            sum += Distance(latencies[kind], observed.SortedMilliseconds[kind]);
        var simulated = observer.Started / share;
        return sum + ThroughputWeight * Math.Abs(Math.Log((simulated + 1) / (observed.Run.Exchanges + 1)));
    }

    // Compares the quantiles at the levels beyond which both samples have a value.
    private static double Distance(List<double> here, double[] there)
    {
        if (there.Length < 10 || here.Count < 10)
            return 0;
        here.Sort();
        return Levels
            .Where(level => (1 - level) * Math.Min(there.Length, here.Count) >= 1)
            .Sum(level =>
                Math.Abs(
                    Math.Log((here[(int)(level * here.Count)] + 1e-3) / (there[(int)(level * there.Length)] + 1e-3))
                )
            );
    }
}
