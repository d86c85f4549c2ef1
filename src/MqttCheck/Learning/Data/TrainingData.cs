using System.Collections.Immutable;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Nagle;
using MqttCheck.Logs;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Data;

/// <summary>
/// The data of learners: the successful exchanges of exploring runs of one or several logs, with features recomputed by
/// replay. Exchanges of every phase count, since the broker answered all of them. Failed exchanges are left out by
/// their outcome, never by their size; nothing is trimmed. Runs with a late or overloaded generator count too, because
/// the features are computed from the real times of sending. But their clients waited longer than planned, so such runs
/// are not replayed where they are fewer than half.
/// </summary>
/// <param name="Rows">The exchanges, in the order of the logs.</param>
/// <param name="Runs">The training cases that they belong to.</param>
/// <param name="Origin">The origin of the data.</param>
/// <param name="Notes">
/// Warnings about the data: kinds that are missing, features that never change, clocks that are too coarse.
/// </param>
/// <param name="Held">How the broker keeps deliveries back; null if it does not.</param>
internal sealed record TrainingData(
    ImmutableArray<TrainingRow> Rows,
    ImmutableArray<TrainingRun> Runs,
    LearnedFrom Origin,
    IReadOnlyList<string> Notes,
    NagleDeliveries? Held
)
{
    /// <summary>With fewer successful exchanges there is nothing to learn.</summary>
    public const int FewestExchanges = 100;

    /// <summary>Those of the notes that say not to rely on what is learned from the data.</summary>
    public IReadOnlyList<string> Cautions { get; private init; } = [];

    /// <summary>
    /// Those of <see cref="Rows"/> whose latency is the broker's own: all, if <see cref="Held"/> is null, otherwise
    /// those that no receiver kept waiting. A publication that waited for an acknowledgement says only that the broker
    /// was done with it by then.
    /// </summary>
    public ImmutableArray<TrainingRow> OwnRows { get; } = Held is null ? Rows : [.. Rows.Where(row => !row.Hold.Any)];

    /// <summary>
    /// A model that was learned from <see cref="OwnRows"/>, completed by the deliveries that are kept back.
    /// </summary>
    /// <param name="own">The model.</param>
    public LatencyModel WithHolds(LatencyModel own) => Held is null ? own : new NagleModel(own, Held);

    /// <summary>Takes the training data out of logs.</summary>
    /// <param name="logs">At least one log; all of the same broker with the same settings.</param>
    /// <exception cref="InputException">
    /// The logs are of different brokers, hold fewer than <see cref="FewestExchanges"/> successful exchanges of
    /// exploring runs, or negative latencies.
    /// </exception>
    public static TrainingData From(params IReadOnlyList<ExchangeLog> logs)
    {
        if (logs.Count == 0)
            throw new ArgumentException("No log given.", nameof(logs));
        RequireOneBroker(logs);
        var rows = ImmutableArray.CreateBuilder<TrainingRow>(logs.Sum(log => log.Exchanges.Length));
        var runs = ImmutableArray.CreateBuilder<TrainingRun>();
        var failed = 0;
        var exploring = logs.SelectMany(log => log.Information.Cases)
            .Where(run => run.Purpose == RunPurpose.Explore)
            .ToArray();
        var invalid = exploring.Count(IsInvalid);
        foreach (var log in logs)
        {
            var cases = log.Information.Cases.ToDictionary(run => run.Run);
            foreach (var exchanges in ByRun(log.Exchanges))
            {
                var planned = cases.GetValueOrDefault(exchanges[0].Run);
                if (planned is { Purpose: not RunPurpose.Explore })
                    continue;
                var first = rows.Count;
                failed += Add(rows, runs.Count, exchanges, planned, log.Source);
                runs.Add(
                    Summarise(exchanges, rows.Count - first) with
                    {
                        Population = planned?.Population,
                        IsInvalid = planned is not null && IsInvalid(planned),
                    }
                );
            }
        }
        RequireEnough(rows.Count, logs);
        var held = NagleDetection.Find(rows);
        var all = rows.DrainToImmutable();
        var invalidRuns = invalid > 0 ? [InvalidRuns(invalid, exploring.Length)] : (string[])[];
        return new(
            all,
            runs.DrainToImmutable(),
            OriginOf(logs, failed),
            [.. TrainingNotes.On(all), .. held is null ? (string[])[] : [TrainingNotes.On(held)], .. invalidRuns],
            held
        )
        {
            Cautions = LeavesThemOut(invalid, exploring.Length) ? [] : invalidRuns,
        };
    }

    private static void RequireOneBroker(IReadOnlyList<ExchangeLog> logs)
    {
        if (logs.FirstOrDefault(log => log.Information.Broker != logs[0].Information.Broker) is { } other)
            throw new InputException(
                $"{other.Source}: a log of {Describe(other)}, but {logs[0].Source} is of "
                    + $"{Describe(logs[0])}; allowed: logs of one broker with the same settings"
            );
    }

    private static void RequireEnough(int exchanges, IReadOnlyList<ExchangeLog> logs)
    {
        if (exchanges < FewestExchanges)
        {
            throw new InputException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{string.Join(", ", logs.Select(log => log.Source))}: {exchanges} "
                        + $"successful exchanges of exploring runs; allowed: at least {FewestExchanges}"
                )
            );
        }
    }

    private static LearnedFrom OriginOf(IReadOnlyList<ExchangeLog> logs, int failed)
    {
        var information = logs[0].Information;
        return new(
            information.Broker,
            information.Machine,
            information.Seed,
            logs.Any(log => log.Information.Coarse),
            [.. logs.Select(log => log.Sha256)],
            failed
        )
        {
            IdleMilliseconds = logs.Select(log => log.Information.IdleMilliseconds)
                .FirstOrDefault(idle => idle is not null),
        };
    }

    /// <summary>The part of the data that belongs to some of the runs.</summary>
    /// <param name="keep">Whether to keep the run with the given position in <see cref="Runs"/>.</param>
    public TrainingData OfRuns(Predicate<int> keep)
    {
        int[] kept = [.. Enumerable.Range(0, Runs.Length).Where(run => keep(run))];
        int[] numbers = [.. Enumerable.Range(0, Runs.Length).Select(run => Array.IndexOf(kept, run))];
        var rows = Rows.Where(row => numbers[row.Run] >= 0).Select(row => row with { Run = numbers[row.Run] });
        return new([.. rows], [.. kept.Select(run => Runs[run])], Origin, Notes, Held) { Cautions = Cautions };
    }

    /// <summary>The part of the data with some of the exchanges, in the same runs.</summary>
    /// <param name="keep">Whether to keep an exchange.</param>
    public TrainingData Where(Predicate<TrainingRow> keep) =>
        new([.. Rows.Where(row => keep(row))], Runs, Origin, Notes, Held) { Cautions = Cautions };

    private static bool IsInvalid(RunCase run) => run.Health is { IsValid: false };

    // The choice between models takes the better half of the runs.
    private static bool LeavesThemOut(int invalid, int all) => 2 * invalid < all;

    private static string InvalidRuns(int invalid, int all) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"In {invalid} of {all} exploring runs the load generator was late or overloaded: "
        )
        + (
            LeavesThemOut(invalid, all)
                ? "the choice between models leaves them out."
                : "too many to leave them out, so nothing must be concluded from the model."
        );

    /// <summary>Which kinds of messages can be learned, by <see cref="MessageKind"/>.</summary>
    internal bool[] SeenKinds()
    {
        var seen = new bool[MessageKinds.Count];
        foreach (ref readonly var row in OwnRows.AsSpan())
            seen[(int)row.Features.Kind] = true;
        return seen;
    }

    /// <summary>
    /// The <see cref="OwnRows"/> of a kind, at most so many: if there are more, a random choice. In the order of the
    /// logs.
    /// </summary>
    /// <param name="kind">The kind.</param>
    /// <param name="most">How many at most.</param>
    /// <param name="random">The stream to draw from.</param>
    internal TrainingRow[] Sample(MessageKind kind, int most, ref RandomStream random)
    {
        var total = OwnRows.Count(row => row.Features.Kind == kind);
        var sample = new TrainingRow[Math.Min(total, most)];
        var (taken, left) = (0, total);
        // Selection sampling (Knuth, algorithm 3.4.2 S): each row is taken with the probability that it is one of those
        // still needed.
        foreach (ref readonly var row in OwnRows.AsSpan())
        {
            if (row.Features.Kind != kind)
                continue;
            if (sample.Length - taken == left || random.NextDouble() * left < sample.Length - taken)
                sample[taken++] = row;
            left--;
            if (taken == sample.Length)
                break;
        }
        return sample;
    }

    /// <summary>Fits each kind of message to a sample of its rows. Kinds do not depend on each other.</summary>
    /// <param name="seed">The seed of the samples.</param>
    /// <param name="purpose">What the samples are for: learners draw different ones.</param>
    /// <param name="mostRows">The size of a sample at most.</param>
    /// <param name="fit">Fits a sample, which has at least one row.</param>
    /// <returns>By kind; null for a kind without rows.</returns>
    internal T?[] FitKinds<T>(ulong seed, ulong purpose, int mostRows, Func<TrainingRow[], T> fit)
        where T : class
    {
        var fitted = new T?[MessageKinds.Count];
        Parallel.For(
            0,
            fitted.Length,
            kind =>
            {
                var random = RandomStream.For(seed, purpose, (ulong)kind);
                var rows = Sample((MessageKind)kind, mostRows, ref random);
                fitted[kind] = rows.Length == 0 ? null : fit(rows);
            }
        );
        return fitted;
    }

    // The filters of a fleet's own clients are told by their profile.
    private static ObservedSessions? Wildcards(RunCase? planned) =>
        planned?.Population is { } population
        && population.Groups.Any(group => group.Profile.Filters.Count > 0)
        && TopicSpace.Of(population, planned.Clients).Filters is { } filters
            ? new() { Filters = [.. filters.Select(filter => new NumberedTopics(filter.Key, filter.Value))] }
            : null;

    private static int Add(
        ImmutableArray<TrainingRow>.Builder rows,
        int run,
        ReadOnlySpan<Exchange> exchanges,
        RunCase? planned,
        string source
    )
    {
        // The population that was found in a capture says how many clients of a kind there are, and not which.
        var (features, holds) = planned?.Sessions is { } seen
            ? ExchangeLogReplay.FeaturesAndHolds(exchanges, seen.CleanSessions(planned.Clients), null, seen)
            : ExchangeLogReplay.FeaturesAndHolds(
                exchanges,
                planned?.Population?.CleanSessions(planned.Clients),
                planned?.Population?.Shares(planned.Clients),
                Wildcards(planned)
            );
        var alone = Alone(exchanges, features);
        var setUps = ConnectionSetUps.Of(exchanges);
        var failed = 0;
        for (var i = 0; i < exchanges.Length; i++)
        {
            ref readonly var exchange = ref exchanges[i];
            if (exchange.Outcome != ExchangeOutcome.Success)
            {
                failed++;
                continue;
            }
            var latency = exchange.LatencyMilliseconds;
            if (double.IsNaN(latency))
                throw Wrong(source, exchange, "a successful exchange has no latency");
            // Sending is known to within its bound, so an answer may seem to come that much too early.
            if (latency < 0 && latency * -1000 <= exchange.SendBoundMicroseconds)
                latency = 0;
            if (latency < 0)
                throw Wrong(
                    source,
                    exchange,
                    string.Create(CultureInfo.InvariantCulture, $"latency_ms {latency} given")
                );
            rows.Add(
                new(features[i], latency, run)
                {
                    Hold = holds[i],
                    SentMilliseconds = exchange.SentMicroseconds / 1000,
                    Reset = exchange.Phase == ExchangePhase.Reset,
                    Alone = alone[i],
                    SetUps = setUps?.InProgress(exchange.SentMicroseconds) ?? 0,
                    SetUpMilliseconds =
                        setUps is not null && exchange.Message == MessageKind.Connect
                            ? (exchange.SentMicroseconds - exchange.IntendedMicroseconds) / 1000
                            : double.NaN,
                    SetUpAlone =
                        setUps is not null && exchange.Message == MessageKind.Connect && setUps.IsAlone(exchange),
                }
            );
        }
        return failed;
    }

    // Nothing else was open when the exchange was sent, and nothing was sent before it ended.
    private static bool[] Alone(ReadOnlySpan<Exchange> exchanges, ExchangeFeatures[] features)
    {
        var sent = new double[exchanges.Length];
        for (var i = 0; i < sent.Length; i++)
            sent[i] = exchanges[i].SentMicroseconds;
        Array.Sort(sent);
        var alone = new bool[sent.Length];
        for (var i = 0; i < sent.Length; i++)
        {
            if (features[i].Active > 1)
                continue;
            var found = Array.BinarySearch(sent, exchanges[i].SentMicroseconds);
            while (found + 1 < sent.Length && sent[found + 1] == sent[found])
                found++;
            alone[i] = found + 1 == sent.Length || sent[found + 1] >= exchanges[i].EndMicroseconds;
        }
        return alone;
    }

    private static InputException Wrong(string source, in Exchange exchange, string what) =>
        new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{source}: run {exchange.Run}, issue_index {exchange.IssueIndex}: {what}; "
            ) + "allowed: at least 0 (the clocks of sending and receiving must agree)"
        );

    private static TrainingRun Summarise(ReadOnlySpan<Exchange> exchanges, int rows)
    {
        double first = double.PositiveInfinity,
            last = double.NegativeInfinity;
        double lastSent = 0,
            active = 0;
        var (clients, outsideResets) = (0, 0);
        foreach (ref readonly var exchange in exchanges)
        {
            first = Math.Min(first, exchange.SentMicroseconds);
            last = Math.Max(last, exchange.EndMicroseconds);
            lastSent = Math.Max(lastSent, exchange.SentMicroseconds);
            if (exchange.Phase != ExchangePhase.Reset)
            {
                active += exchange.ActiveMessages;
                outsideResets++;
            }
            clients = Math.Max(clients, exchange.Client + 1);
        }
        return new(clients, rows, last > first ? exchanges.Length * 1e6 / (last - first) : 0)
        {
            WindowMilliseconds = lastSent / 1000,
            MeanActive = outsideResets > 0 ? active / outsideResets : 1,
        };
    }

    // The runs of a log in the order of their first line.
    private static IEnumerable<Exchange[]> ByRun(ImmutableArray<Exchange> exchanges) =>
        // In order of sending, so that nothing depends on the order of the lines.
        exchanges
            .GroupBy(exchange => exchange.Run)
            .Select(run => run.OrderBy(exchange => exchange.IssueIndex).ToArray());

    private static string Describe(ExchangeLog log)
    {
        var broker = log.Information.Broker;
        var details = broker.Details.Select(detail => $"{detail.Key} {detail.Value}").Prepend(broker.Settings);
        return $"{broker.Name} {broker.Version} ({string.Join(", ", details)})";
    }
}
