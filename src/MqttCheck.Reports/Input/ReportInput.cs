namespace MqttCheck.Reports.Input;

/// <summary>
/// Everything a report can show. Each stage fills its part; a part that is missing (null or empty) is left out of the
/// page, with one sentence that names the command which produces it. Numbers that are not finite mean "not known" and
/// are shown as a dash.
/// </summary>
public sealed record ReportInput
{
    /// <summary>The heading of the page: the question that the report answers.</summary>
    public string Title { get; init; } = "Will every message of a client arrive in time?";

    /// <summary>When the report was made.</summary>
    public required DateTimeOffset GeneratedUtc { get; init; }

    /// <summary>The version of the tool.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>
    /// Whether training and verification were cut short (<c>--quick</c>), so that the numbers are rough.
    /// </summary>
    public bool Coarse { get; init; }

    /// <summary>Whether the run was interrupted, so that the report is partial.</summary>
    public bool Interrupted { get; init; }

    /// <summary>Why the broker or the environment failed; null when neither did.</summary>
    public string? Failure { get; init; }

    /// <summary>How long the whole run took, in seconds; null when not known.</summary>
    public double? ElapsedSeconds { get; init; }

    /// <summary>How many messages make a sequence.</summary>
    public int SequenceLength { get; init; } = 10;

    /// <summary>The seed of all random numbers; null when none was used.</summary>
    public ulong? Seed { get; init; }

    /// <summary>The broker under test.</summary>
    public BrokerReport? Broker { get; init; }

    /// <summary>Facts about the machine by name, in the order to show, for example <c>processor</c>.</summary>
    public IReadOnlyDictionary<string, string> Machine { get; init; } = new Dictionary<string, string>();

    /// <summary>The usage profiles that the results are about.</summary>
    public IReadOnlyList<ProfileReport> Profiles { get; init; } = [];

    /// <summary>The command lines that repeat the results, without credentials.</summary>
    public IReadOnlyList<CommandReport> Reproduce { get; init; } = [];

    /// <summary>The warnings that the reader must know before believing the numbers, one sentence each.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Those of the warnings that say not to rely on the numbers.</summary>
    public IReadOnlyList<string> Cautions { get; init; } = [];

    /// <summary>The log of message exchanges.</summary>
    public LogReport? Log { get; init; }

    /// <summary>The latency model learned from the log.</summary>
    public LearningReport? Learning { get; init; }

    /// <summary>The predictions, one for each setup (profile and number of clients).</summary>
    public IReadOnlyList<PredictionReport> Predictions { get; init; } = [];

    /// <summary>The verdicts, one for each verified point.</summary>
    public IReadOnlyList<VerdictReport> Verdicts { get; init; } = [];

    /// <summary>The verdicts of the run before this one on the same setups; empty where there was none.</summary>
    public IReadOnlyList<VerdictReport> PreviousVerdicts { get; init; } = [];

    /// <summary>The name of the run before, for example its file; empty if there was none.</summary>
    public string PreviousName { get; init; } = "";
}
