using System.Collections.Immutable;
using System.Globalization;

namespace MqttCheck.Logs;

/// <summary>
/// How a log came about: everything needed to judge it and to repeat it. Kept in a JSON file beside the log, see
/// <see cref="RunInformationFile"/>.
/// </summary>
public sealed record RunInformation
{
    /// <summary>The version of the tool that made the log.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>The seed of every random choice.</summary>
    public required ulong Seed { get; init; }

    /// <summary>When the first run began.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>The broker.</summary>
    public required LoggedBroker Broker { get; init; }

    /// <summary>The machine that the clients ran on.</summary>
    public required MachineInformation Machine { get; init; }

    /// <summary>
    /// Further conditions that influence the times, by name: the kind of event loop, the resolution of its timer, CPU
    /// shares.
    /// </summary>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <summary>
    /// The key in <see cref="Engine"/> of the median latency, in milliseconds, of the idle broker before the first run.
    /// </summary>
    public const string IdleKey = "idleMedianMilliseconds";

    /// <summary>The median latency of the idle broker before the first run, if it was measured.</summary>
    public double? IdleMilliseconds =>
        Engine.TryGetValue(IdleKey, out var text)
        && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var idle)
        && idle > 0
            ? idle
            : null;

    /// <summary>The common beginning of all topics and client identifiers of the runs.</summary>
    public string TopicPrefix { get; init; } = "";

    /// <summary>The runs, one per number in the log's column <c>run</c>.</summary>
    public required IReadOnlyList<RunCase> Cases { get; init; }

    /// <summary>Whether the runs were few and short, so that what is learned from them is rough.</summary>
    public bool Coarse { get; init; }

    /// <summary>Whether every run was made; false from the start of the log until its end.</summary>
    public bool Complete { get; init; }

    /// <summary>Derives information about a log that has no file beside it.</summary>
    /// <param name="exchanges">The log's exchanges.</param>
    internal static RunInformation DerivedFrom(ImmutableArray<Exchange> exchanges)
    {
        var runs = exchanges.GroupBy(exchange => exchange.Run).OrderBy(run => run.Key);
        return new()
        {
            ToolVersion = "unknown",
            Seed = 0,
            Started = DateTimeOffset.UnixEpoch,
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Cases =
            [
                .. runs.Select(run => new RunCase
                {
                    Run = run.Key,
                    Purpose = RunPurpose.Explore,
                    Clients = run.Max(exchange => exchange.Client) + 1,
                }),
            ],
            Complete = true,
        };
    }
}
