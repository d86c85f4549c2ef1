using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Health;
using MqttCheck.Json;
using MqttCheck.Profiles;
using MqttCheck.Text;

namespace MqttCheck.Logs;

/// <summary>
/// Reads and writes the file beside a log, <c>NAME.run.json</c> beside <c>NAME.csv</c> or <c>NAME.csv.gz</c>.
/// </summary>
public static class RunInformationFile
{
    /// <summary>The version of the log's columns and of this file that is written and read.</summary>
    public const int Schema = 1;

    /// <summary>The path of the file beside a log.</summary>
    /// <param name="logPath">The path of the log.</param>
    public static string PathOf(string logPath) => Path.ChangeExtension(LogFile.Uncompressed(logPath), ".run.json");

    /// <summary>Writes the file beside a log, or replaces it whole.</summary>
    /// <param name="logPath">The path of the log.</param>
    /// <param name="information">The information to write.</param>
    /// <exception cref="IOException">The file cannot be written; an earlier one stays as it was.</exception>
    public static void Write(string logPath, RunInformation information)
    {
        AtomicFile.Write(PathOf(logPath), JsonText.Of(Of(information)));
    }

    /// <summary>Reads the file beside a log.</summary>
    /// <param name="logPath">The path of the log.</param>
    /// <returns>The information, or null if there is no such file.</returns>
    /// <exception cref="InputException">
    /// The file is malformed or of another version: every finding with file, line and key.
    /// </exception>
    public static RunInformation? TryRead(string logPath)
    {
        var path = PathOf(logPath);
        if (!File.Exists(path))
            return null;
        try
        {
            return Parse(File.ReadAllBytes(path), path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new InputException($"{path}: {failure.Message}", failure);
        }
    }

    private static RunInformation Parse(byte[] utf8, string source)
    {
        var tree = JsonTree.Parse(utf8, source);
        var findings = new JsonFindings(source);
        var reader = JsonObjectReader.OfSchema(Schema, tree, findings);
        var information = new RunInformation
        {
            ToolVersion = reader.Text("toolVersion", null),
            Seed = Seed(reader, findings),
            Started = Time(reader, "started", findings) ?? DateTimeOffset.UnixEpoch,
            Broker = LoggedEnvironment.ReadBroker(reader.Required("broker", "an object"), findings),
            Machine = LoggedEnvironment.ReadMachine(reader.Required("machine", "an object"), findings),
            Engine = LoggedEnvironment.ReadDetails(reader.Optional("engine"), findings),
            TopicPrefix = reader.Text("topicPrefix", ""),
            Coarse = reader.Flag("coarse"),
            Complete = reader.Flag("complete"),
            Cases = [.. reader.Array("runs", "an array of runs").Select(item => ReadCase(item, findings))],
        };
        reader.End();
        findings.ThrowIfAny();
        return information;
    }

    private static RunCase ReadCase(JsonTree tree, JsonFindings findings)
    {
        var reader = new JsonObjectReader(tree, findings);
        var purpose = reader.Text("purpose", null);
        if (purpose is not ("explore" or "verify") && tree.Member("purpose") is { Type: JsonTokenType.String } given)
            findings.Add(given, $"{given.Given} given; allowed: explore, verify");
        var result = new RunCase
        {
            Run = reader.Integer("run", 0, 1_000_000),
            Purpose = purpose == "verify" ? RunPurpose.Verify : RunPurpose.Explore,
            Clients = reader.Integer("clients", 1, 1_000_001),
            Duration = reader.Optional("durationSeconds") is { } seconds
                ? TimeSpan.FromSeconds(JsonObjectReader.Number(seconds, 0, 1e8, findings))
                : null,
            MessagesPerClient = reader.Optional("messagesPerClient") is { } messages
                ? JsonObjectReader.Integer(messages, 1, int.MaxValue, findings)
                : null,
            Started = reader.Optional("started") is null ? null : Time(reader, "started", findings),
            Ended = reader.Optional("ended") is null ? null : Time(reader, "ended", findings),
            Complete = reader.Flag("complete"),
            Population = reader.Optional("population", ProfileFile.Read),
            Health = reader.Optional("health", RunHealthJson.Read),
            WarmUp = reader.Optional("warmUp") is { } warmUp
                ? RunHealthJson.ReadWarmUp(warmUp, findings)
                : WarmUp.Unknown,
        };
        reader.End();
        return result;
    }

    // 64 bits do not fit into a JSON number everywhere, so the seed is a text.
    private static ulong Seed(JsonObjectReader reader, JsonFindings findings)
    {
        var tree = reader.Required("seed", "an integer as a text");
        if (tree is null)
            return 0;
        if (ulong.TryParse(tree.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var seed))
            return seed;
        findings.Add(tree, $"{tree.Given} given; allowed: an integer as a text, \"0\" .. \"{ulong.MaxValue}\"");
        return 0;
    }

    private static DateTimeOffset? Time(JsonObjectReader reader, string key, JsonFindings findings)
    {
        var tree = reader.Required(key, "a time as 2026-01-31T12:00:00.000Z");
        if (tree is null)
            return null;
        if (
            DateTimeOffset.TryParse(
                tree.Text,
                CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
                out var time
            )
        )
            return time;
        findings.Add(tree, $"{tree.Given} given; allowed: a time as 2026-01-31T12:00:00.000Z");
        return null;
    }

    private static JsonObject Of(RunInformation information) =>
        JsonNodes.Object(
            ("schema", Schema),
            ("toolVersion", information.ToolVersion),
            ("seed", information.Seed.ToString(CultureInfo.InvariantCulture)),
            ("started", TextOf(information.Started)),
            ("broker", LoggedEnvironment.Of(information.Broker)),
            ("machine", LoggedEnvironment.Of(information.Machine)),
            ("engine", LoggedEnvironment.Of(information.Engine)),
            ("topicPrefix", information.TopicPrefix),
            ("coarse", information.Coarse),
            ("complete", information.Complete),
            ("runs", JsonNodes.Array(information.Cases, Of))
        );

    private static JsonObject Of(RunCase run) =>
        JsonNodes.Object(
            ("run", run.Run),
            ("purpose", run.Purpose == RunPurpose.Verify ? "verify" : "explore"),
            ("clients", run.Clients),
            ("durationSeconds", run.Duration?.TotalSeconds),
            ("messagesPerClient", run.MessagesPerClient),
            ("started", TextOf(run.Started)),
            ("ended", TextOf(run.Ended)),
            ("complete", run.Complete),
            ("health", run.Health is { } health ? RunHealthJson.Of(health) : null),
            ("warmUp", run.Health is null ? null : RunHealthJson.Of(run.WarmUp)),
            ("population", run.Population is { } population ? ProfileFile.Of(population) : null)
        );

    private static string? TextOf(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture);
}
