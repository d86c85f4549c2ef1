using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Input;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Tests;

/// <summary>Reports with invented numbers that look like those of a broker with log-normal delays.</summary>
internal static class SampleReports
{
    public static readonly DateTimeOffset Made = new(2026, 11, 21, 14, 2, 0, TimeSpan.Zero);

    public static ReportInput Empty => new() { GeneratedUtc = Made, ToolVersion = "0.1.0" };

    public static ReportInput Full(int exchanges = 20_000, IReadOnlyList<int>? clients = null, int replications = 1060)
    {
        clients ??= [.. Enumerable.Range(1, 15).Select(tens => tens * 10)];
        var log = Exchanges(exchanges);
        var predictions = new[] { "UP1", "UP2" }
            .SelectMany(profile => clients.Select(count => Prediction(profile, count, replications)))
            .ToList();
        return Empty with
        {
            Broker = new()
            {
                Name = "embedded",
                Version = "0.1.0",
                Settings = "default",
                Details = new Dictionary<string, string>
                {
                    ["delay"] = "log-normal, median 5 ms, sigma 0.5",
                    ["nodelay"] = "yes",
                },
            },
            Machine = new Dictionary<string, string>
            {
                ["operating system"] = "Debian GNU/Linux 12",
                ["processor"] = "2 cores, x64",
                ["runtime"] = ".NET 10.0.1",
                ["clock"] = "monotonic, 1 ns",
            },
            Profiles =
            [
                new(
                    "UP1",
                    "Waits 0 to 500 ms before a message; publish 5, "
                        + "subscribe 3, unsubscribe 2, connect 1, disconnect 1."
                ),
                new(
                    "UP2",
                    "Waits 50 to 250 ms before a message; publish 7, "
                        + "subscribe 1, unsubscribe 1, connect 1, disconnect 1."
                ),
            ],
            Seed = 20261121,
            ElapsedSeconds = 161,
            Reproduce =
            [
                new("The whole run", "mqttcheck run --broker embedded --delay lognormal:5:0.5 --seed 20261121"),
                new(
                    "The predictions alone",
                    "mqttcheck predict --model models/embedded.json --profile "
                        + "up1 --clients 130 --replications 1060 --seed 20261121"
                ),
            ],
            Log = LogReportBuilder.From(log),
            Learning = Learning(log),
            Predictions = predictions,
            Verdicts =
            [
                Verdict(predictions, "UP1", clients[clients.Count / 3], 20, VerdictKind.Confirmed, 0.012, 1.1),
                Verdict(predictions, "UP1", clients[clients.Count * 2 / 3], 20, VerdictKind.Confirmed, -0.021, 1.4),
                Verdict(predictions, "UP1", clients[^1], 30, VerdictKind.Worse, -0.17, 2.2),
                Verdict(predictions, "UP2", clients[clients.Count / 3], 20, VerdictKind.Confirmed, 0.004, 1.0),
                Verdict(predictions, "UP2", clients[clients.Count * 2 / 3], 30, VerdictKind.Withheld, -0.034, 41),
            ],
        };
    }

    /// <summary>The same report beside an earlier run that measured something else.</summary>
    public static ReportInput WithPrevious(ReportInput input) =>
        input with
        {
            PreviousName = "embedded-20261120-101500.json",
            PreviousVerdicts =
            [
                .. input.Verdicts.Select(verdict =>
                    verdict with
                    {
                        Kind = VerdictKind.Confirmed,
                        MeasuredProbability = verdict.MeasuredProbability - .03,
                    }
                ),
            ],
        };

    /// <summary>
    /// A log of 24 training cases in which latency grows with the number of open exchanges; about one exchange in 2,000
    /// fails.
    /// </summary>
    public static List<Exchange> Exchanges(int count)
    {
        var random = RandomStream.For(1, 1);
        var result = new List<Exchange>(count);
        for (var i = 0; i < count; i++)
        {
            var run = i * 24L / Math.Max(count, 1);
            var clients = 3 + (int)(run * 97 / 24);
            var active = 1 + (int)(random.NextDouble() * random.NextDouble() * clients);
            var kind = (MessageKind)(
                random.NextInt(12) switch
                {
                    0 => 0,
                    1 => 1,
                    < 7 => 2,
                    < 10 => 3,
                    _ => 4,
                }
            );
            var hasTopic = kind >= MessageKind.Publish;
            var subscriptions = random.NextInt(3 * clients);
            var subscribers = hasTopic ? random.NextInt(1 + subscriptions / 20) : 0;
            var scale = kind switch
            {
                MessageKind.Connect => 7.5,
                MessageKind.Disconnect => 1.2,
                MessageKind.Publish => 5 + 1.5 * subscribers,
                _ => 5.0,
            };
            var latency = scale * (1 + 0.012 * active) * Math.Exp(0.5 * Normal(ref random));
            var sent = (i - run * count / 24.0) * 900;
            var failed = random.NextInt(2000) == 0;
            result.Add(
                new Exchange
                {
                    Message = kind,
                    Run = (int)run,
                    Client = i % clients,
                    IssueIndex = i,
                    ActiveMessages = active,
                    TotalSubscriptions = subscriptions,
                    Subscribers = subscribers,
                    Receivers = subscribers,
                    TopicSize = hasTopic ? 9 + random.NextInt(2) : 0,
                    MessageSize = kind == MessageKind.Publish ? 12 + random.NextInt(69) : 0,
                    LatencyMilliseconds = failed ? double.NaN : latency,
                    SentMicroseconds = sent,
                    EndMicroseconds = sent + latency * 1000,
                    Outcome = failed ? ExchangeOutcome.Timeout : ExchangeOutcome.Success,
                }
            );
        }
        return result;
    }

    public static PredictionReport Prediction(string profile, int clients, int replications)
    {
        var random = RandomStream.For(2, (ulong)clients, (ulong)profile[^1]);
        var load = (profile == "UP1" ? 1 : 1.15) * (1 + Math.Pow(clients / 170.0, 2) / 2);
        var worst = Enumerable
            .Range(0, replications)
            .Select(_ => Enumerable.Range(0, 10).Max(_ => 5.6 * load * Math.Exp(0.5 * Normal(ref random))))
            .ToArray();
        var points = new[] { 12.0, 20, 30, 50 }.Select(threshold =>
        {
            var p = worst.Count(latency => latency < threshold) / (double)worst.Length;
            var half = 2.58 * Math.Sqrt(p * (1 - p) / worst.Length) + 0.003;
            return new PredictedPoint(
                profile,
                clients,
                threshold,
                p,
                new(Math.Max(0, p - half), Math.Min(1, p + half))
            );
        });
        return Predicted(profile, clients, replications, worst, [.. points]);
    }

    public static VerdictReport Verdict(
        IReadOnlyList<PredictionReport> predictions,
        string profile,
        int clients,
        double threshold,
        VerdictKind kind,
        double shift,
        double inflation
    )
    {
        var point = predictions
            .First(prediction => prediction.Profile == profile && prediction.Clients == clients)
            .Points.First(point => point.ThresholdMilliseconds == threshold);
        var truth = Math.Clamp(point.Probability + shift, 0.02, 0.995);
        var random = RandomStream.For(3, (ulong)clients, (ulong)threshold);
        var samples = kind == VerdictKind.Worse ? 240 : 500;
        var h0 = Math.Max(point.Probability - 0.1, 0.01);
        var h1 = Math.Clamp(point.Probability, 0.02, 0.98);
        var h2 = Math.Min(h1 + 0.1, (1 + h1) / 2);
        double notWorse = 0,
            notBetter = 0;
        List<double> first = [],
            second = [];
        var inTime = 0;
        for (var i = 0; i < samples; i++)
        {
            var good = random.NextDouble() < truth;
            inTime += good ? 1 : 0;
            first.Add(notWorse += (good ? Math.Log(h1 / h0) : Math.Log((1 - h1) / (1 - h0))) / inflation);
            second.Add(notBetter += (good ? Math.Log(h1 / h2) : Math.Log((1 - h1) / (1 - h2))) / inflation);
        }
        var measured = inTime / (double)samples;
        var half = 1.96 * Math.Sqrt(measured * (1 - measured) * inflation / samples) + 0.002;
        var bound = Math.Log(200);
        return new()
        {
            Point = point,
            Kind = kind,
            Reason = kind switch
            {
                VerdictKind.Confirmed => $"Both sides of the test accept the prediction after {samples} sequences.",
                VerdictKind.Worse => $"The test rejects P ≥ {point.Probability:0.00} in "
                    + $"favour of P ≤ {h0:0.00} after {samples} sequences.",
                _ => "The five runs differ 41 times more than chance allows; "
                    + "the promised error cannot be kept within the budget",
            },
            ErrorProbability = 0.01,
            CountsAsPredicted = new(h0, h2),
            Samples = samples,
            Runs = 5,
            RunCounts =
            [
                .. Enumerable
                    .Range(0, 5)
                    .Select(run => new RunCount(
                        (int)(Math.Clamp(measured + ((run - 2) * .02), 0, 1) * samples / 5),
                        samples / 5
                    )),
            ],
            MeasuredProbability = measured,
            MeasuredInterval = new(Math.Max(0, measured - half), Math.Min(1, measured + half)),
            Inflation = inflation,
            ElapsedSeconds = 21.4 + clients / 20.0,
            Paths =
            [
                Thinned(
                    new()
                    {
                        Name = "not worse",
                        LowerBound = -bound,
                        UpperBound = bound,
                        LowerMeaning = $"worse: P ≤ {h0:0.00}",
                        UpperMeaning = "as predicted",
                    },
                    first
                ),
                Thinned(
                    new()
                    {
                        Name = "not better",
                        LowerBound = -bound,
                        UpperBound = bound,
                        LowerMeaning = $"better: P ≥ {h2:0.00}",
                        UpperMeaning = "as predicted",
                    },
                    second
                ),
            ],
        };
    }

    // As many latencies as a report keeps of a real prediction.
    public static PredictionReport Predicted(
        string profile,
        int clients,
        int replications,
        double[] worst,
        PredictedPoint[] points
    )
    {
        const int kept = 1100;
        double[] sorted =
        [
            .. worst.Select(latency => double.IsNaN(latency) ? double.PositiveInfinity : latency).Order(),
        ];
        return new()
        {
            Profile = profile,
            Clients = clients,
            Replications = replications,
            Confidence = 0.99,
            BandHalfWidth = ConcentrationBounds.DkwHalfWidth(replications, 0.01),
            SortedWorstMilliseconds =
                sorted.Length <= kept
                    ? sorted
                    : [.. Enumerable.Range(0, kept).Select(i => sorted[(int)((i + 0.5) / kept * sorted.Length)])],
            Points = points,
        };
    }

    // The smallest, the largest and the last value of each of 250 stretches.
    private static EvidencePath Thinned(EvidencePath path, List<double> logRatios)
    {
        var stretch = Math.Max(1, logRatios.Count / 250);
        int[] shown =
        [
            .. Enumerable
                .Range(0, logRatios.Count)
                .Chunk(stretch)
                .SelectMany(part => new SortedSet<int>
                {
                    part.MinBy(i => logRatios[i]),
                    part.MaxBy(i => logRatios[i]),
                    part[^1],
                }),
        ];
        return path with
        {
            Samples = [0, .. shown.Select(i => i + 1)],
            LogRatios = [0, .. shown.Select(i => logRatios[i])],
        };
    }

    public static double Normal(ref RandomStream random) =>
        Math.Sqrt(-2 * Math.Log(random.NextOpenDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());

    private static LearningReport Learning(List<Exchange> log)
    {
        var random = RandomStream.For(4, 4);
        List<double> pit = [],
            median = [],
            active = [],
            subscribers = [];
        List<MessageKind> kinds = [];
        var (observed, drawn) = (
            Enum.GetValues<MessageKind>().Select(_ => new List<double>()).ToArray(),
            Enum.GetValues<MessageKind>().Select(_ => new List<double>()).ToArray()
        );
        foreach (var exchange in log.Where((exchange, i) => i % 5 == 0 && exchange.Outcome == ExchangeOutcome.Success))
        {
            var scale =
                exchange.Message switch
                {
                    MessageKind.Connect => 7.5,
                    MessageKind.Disconnect => 1.2,
                    MessageKind.Publish => 5 + 1.5 * exchange.Subscribers,
                    _ => 5.0,
                } * (1 + 0.012 * exchange.ActiveMessages);
            observed[(int)exchange.Message].Add(exchange.LatencyMilliseconds);
            drawn[(int)exchange.Message].Add(scale * Math.Exp(0.48 * Normal(ref random)));
            median.Add(scale);
            pit.Add(MathNet.Numerics.Distributions.Normal.CDF(0, 0.48, Math.Log(exchange.LatencyMilliseconds / scale)));
            kinds.Add(exchange.Message);
            active.Add(exchange.ActiveMessages);
            subscribers.Add(exchange.Subscribers);
        }
        return new()
        {
            Learner = "H-bins",
            Description =
                "Empirical quantiles of the latency in cells of message "
                + "kind, open exchanges, subscribers and recent activity",
            TrainingExchanges = log.Count - pit.Count,
            HeldOutExchanges = pit.Count,
            Parameters = 214,
            Ranges =
            [
                new("active messages", 1, 92),
                new("total subscriptions", 0, 297),
                new("subscribers", 0, 14),
                new("recent activity", 0, 0.83),
            ],
            Candidates = [new("H-bins", 0.0121, true), new("paper", 0.231, false)],
            Fits =
            [
                .. Enum.GetValues<MessageKind>()
                    .Select(kind => CalibrationReportBuilder.Fit(kind, [.. pit.Where((_, i) => kinds[i] == kind)])),
            ],
            Calibration = CalibrationReportBuilder.From(
                pit,
                median,
                kinds,
                [new("active messages", active), new("subscribers", subscribers)],
                observed,
                drawn
            ),
        };
    }
}
