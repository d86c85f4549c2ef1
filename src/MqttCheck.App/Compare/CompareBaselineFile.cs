using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Clients;
using MqttCheck.Json;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>Makes baselines from verification logs, writes and reads them (JSON).</summary>
internal static class CompareBaselineFile
{
    private const string Format = "mqttcheck-baseline";
    private const int Version = 1;

    private static readonly JsonSerializerOptions s_options = new() { WriteIndented = true, NewLine = "\n" };

    /// <summary>
    /// The baseline that a verification leaves behind. Setups whose runs cannot be trusted
    /// (<see cref="RunJudgement.WhyInvalid(IEnumerable{RunCase})"/>) are left out.
    /// </summary>
    /// <param name="verified">The points that were verified.</param>
    /// <param name="leftOut">Takes a sentence for each setup that is left out.</param>
    /// <exception cref="InputException">No verified setup has three complete runs that can be trusted.</exception>
    public static CompareBaseline From(
        ExchangeLog log,
        IEnumerable<PredictedPoint> verified,
        ulong seed,
        Action<string> leftOut
    )
    {
        var latencies = Latencies(log);
        var setups = new List<ComparedSetup>();
        foreach (var setup in verified.GroupBy(point => (point.Profile, point.Clients)))
        {
            var (profile, clients) = setup.Key;
            var complete = CompleteRuns(log, profile, clients).Where(made => latencies.ContainsKey(made.Run)).ToArray();
            // Invalid runs do not count, as in the verdicts.
            var cases = complete.Where(made => made.Health is not { IsValid: false }).ToArray();
            var why = RunJudgement.WhyInvalid(complete) ?? WhyTooFew(cases.Length);
            if (why is not null)
            {
                leftOut(Invariant($"{profile} with {clients} clients is not in the baseline: {why}"));
                continue;
            }
            var population = cases[0].Population!;
            var sequences =
                cases[0].MessagesPerClient!.Value / population.Groups.Max(group => group.Profile.SequenceLength);
            setups.Add(
                new(
                    population,
                    clients,
                    sequences,
                    [.. setup.Select(point => point.ThresholdMilliseconds).Distinct().Order()]
                )
                {
                    StoredRuns = [.. cases.Select(made => latencies[made.Run])],
                }
            );
        }
        if (setups.Count == 0)
            throw new InputException(
                "baseline: the verification has no setup with three "
                    + "complete runs that can be trusted; allowed: at least one."
            );
        return new()
        {
            ToolVersion = log.Information.ToolVersion,
            Broker = log.Information.Broker,
            Machine = log.Information.Machine,
            Made = log.Information.Started,
            Seed = seed,
            Setups = setups,
        };
    }

    private static IEnumerable<RunCase> CompleteRuns(ExchangeLog log, string profile, int clients) =>
        log.Information.Cases.Where(made =>
            made.Complete && made.Population?.Name == profile && made.Clients == clients
        );

    private static string? WhyTooFew(int runs) =>
        runs < 3 ? Invariant($"it has {runs} complete runs that are valid, which is fewer than three.") : null;

    /// <summary>Writes a file; an earlier one of that name is replaced whole.</summary>
    /// <param name="path">The path; its folder is created if need be.</param>
    public static void Write(string path, CompareBaseline baseline) =>
        AtomicFile.Write(path, stream => JsonSerializer.Serialize(stream, DocumentOf(baseline), s_options));

    // Broker and machine have the names of their properties, as in every log.
    private static object DocumentOf(CompareBaseline baseline) =>
        new
        {
            format = Format,
            version = Version,
            toolVersion = baseline.ToolVersion,
            made = baseline.Made,
            seed = baseline.Seed,
            broker = baseline.Broker,
            machine = baseline.Machine,
            setups = baseline.Setups.Select(SetupOf),
        };

    /// <summary>Reads a file.</summary>
    /// <exception cref="InputException">The file is missing, malformed or of another format.</exception>
    public static CompareBaseline Read(string path)
    {
        try
        {
            var bytes = InputFile.ReadAllBytes(
                "baseline",
                path,
                "the path of a file that 'mqttcheck run --save-baseline' wrote"
            );
            ResultFile.RequireFormat(
                bytes,
                path,
                "baseline",
                Invariant($"{Format} {Version}"),
                "a file that 'mqttcheck run --save-baseline' wrote"
            );
            using var document = JsonDocument.Parse(bytes);
            var root = document.RootElement;
            return new()
            {
                ToolVersion = root.GetProperty("toolVersion").GetString() ?? "",
                Made = root.GetProperty("made").GetDateTimeOffset(),
                Seed = root.GetProperty("seed").GetUInt64(),
                Broker = root.GetProperty("broker").Deserialize<LoggedBroker>()!,
                Machine = root.GetProperty("machine").Deserialize<MachineInformation>()!,
                Setups = [.. root.GetProperty("setups").EnumerateArray().Select(setup => ReadSetup(setup, path))],
            };
        }
        catch (Exception exception)
            when (exception is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new InputException(
                $"baseline \"{path}\": "
                    + $"{(exception is KeyNotFoundException ? "a key is missing" : exception.Message)}; "
                    + "allowed: a file that 'mqttcheck run --save-baseline' wrote",
                exception
            );
        }
    }

    // A failed sequence, which is late for every threshold, is null.
    private static object SetupOf(ComparedSetup setup) =>
        new
        {
            population = JsonNode.Parse(JsonOutput.Of(writer => ProfileFile.Write(writer, setup.Population))),
            clients = setup.Clients,
            sequencesPerClient = setup.CountedSequences,
            thresholdsMilliseconds = setup.ThresholdsMilliseconds,
            worstMillisecondsByRun = (setup.StoredRuns ?? []).Select(run =>
                run.Select(latency => double.IsFinite(latency) ? Math.Round(latency, 6) : (double?)null)
            ),
        };

    private static ComparedSetup ReadSetup(JsonElement setup, string path)
    {
        var thresholds = setup
            .GetProperty("thresholdsMilliseconds")
            .EnumerateArray()
            .Select(threshold => threshold.GetDouble())
            .ToArray();
        var runs = setup
            .GetProperty("worstMillisecondsByRun")
            .EnumerateArray()
            .Select(run =>
                (IReadOnlyList<double>)
                    [
                        .. run.EnumerateArray()
                            .Select(latency =>
                                latency.ValueKind == JsonValueKind.Null ? double.PositiveInfinity : latency.GetDouble()
                            ),
                    ]
            )
            .ToArray();
        var (clients, sequences) = (
            setup.GetProperty("clients").GetInt32(),
            setup.GetProperty("sequencesPerClient").GetInt32()
        );
        if (
            thresholds.Length == 0
            || thresholds.Any(threshold => !(threshold > 0))
            || runs.Length < 3
            || runs.Any(run => run.Count == 0)
            || clients < 1
            || sequences < 1
        )
            throw new InputException(
                $"baseline \"{path}\": a setup has no threshold, no clients, or less than three "
                    + "runs with sequences; allowed: a file that 'mqttcheck run --save-baseline' wrote"
            );
        var population = System.Text.Encoding.UTF8.GetBytes(setup.GetProperty("population").GetRawText());
        return new(ProfileFile.Parse(population, path), clients, sequences, thresholds) { StoredRuns = runs };
    }

    // The worst latency of each counted sequence of each run, in the order in which they began, up to the first that
    // the end of its run cut.
    private static Dictionary<int, IReadOnlyList<double>> Latencies(ExchangeLog log) =>
        log
            .Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .GroupBy(exchange => exchange.Run)
            .Select(run => KeyValuePair.Create(run.Key, Latencies(run)))
            .Where(run => run.Value.Count > 0)
            .ToDictionary();

    private static IReadOnlyList<double> Latencies(IEnumerable<Exchange> run) =>
        [
            .. run.GroupBy(exchange => (exchange.Client, exchange.Sequence))
                .OrderBy(sequence => sequence.Min(exchange => exchange.IssueIndex))
                .TakeWhile(sequence => sequence.All(exchange => exchange.Outcome != ExchangeOutcome.Cancelled))
                .Select(sequence =>
                    sequence.Any(exchange => exchange.Outcome != ExchangeOutcome.Success)
                        ? double.PositiveInfinity
                        : sequence.Max(exchange => exchange.LatencyMilliseconds)
                ),
        ];
}
