using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles.Workloads;

/// <summary>Reads workloads, from JSON files or by the name of a built-in one, and writes them.</summary>
public static class WorkloadFile
{
    private static readonly BuiltInFiles s_builtIn = new("workloads/");
    private static readonly string[] s_shapes = ["pairs", "fan-in", "fan-out"];
    private const double LongestSeconds = 86_400;

    /// <summary>The names of the built-in workloads, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_builtIn.Names;

    /// <summary>Reads a workload.</summary>
    /// <param name="nameOrPath">The name of a built-in one, or the path of a JSON file.</param>
    /// <exception cref="InputException">
    /// There is no such file or name, or the file is malformed or contradictory: every finding, with file, line and
    /// key.
    /// </exception>
    public static Workload Read(string nameOrPath)
    {
        if (BuiltInNames.Contains(nameOrPath))
            return Parse(s_builtIn.Read(nameOrPath), nameOrPath + BuiltInFiles.Extension);
        var allowed = $"the path of a JSON file or one of the built-in names {string.Join(", ", BuiltInNames)}";
        return Parse(InputFile.ReadAllBytes("workload", nameOrPath, allowed), nameOrPath);
    }

    /// <summary>Reads a workload from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">The text is malformed or contradictory.</exception>
    public static Workload Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var tree = JsonTree.Parse(utf8Json, source);
        var findings = new JsonFindings(source);
        var workload = Read(tree, findings, source);
        findings.ThrowIfAny();
        InputException.ThrowIfAny(workload.Validate().Select(error => $"{source}: {error}"));
        return workload;
    }

    /// <summary>Reads a workload that stands inside another file; the caller validates it.</summary>
    /// <param name="tree">The object.</param>
    /// <param name="findings">Receives the findings.</param>
    /// <param name="source">The name of the file in messages.</param>
    internal static Workload Read(JsonTree tree, JsonFindings findings, string source)
    {
        var reader = new JsonObjectReader(tree, findings);
        reader.Optional("$schema");
        var name = reader.Text("name", null);
        if (
            tree.Member("name") is { Type: JsonTokenType.String } given
            && (name.Length == 0 || !name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '_' or '-'))
        )
            findings.Add(given, $"{given.Given} given; allowed: letters, digits, '.', '_' and '-'");
        var qos = (QualityOfService)reader.Integer("qos", 0, 2, 1);
        var (arrivals, rate) = ReadArrivals(reader.Optional("arrivals"), findings);
        var (share, offline) = ReadOffline(reader.Optional("offline"), findings);
        var workload = new Workload
        {
            Name = name,
            Description = reader.Text("description", ""),
            Shape = Choice(
                reader.Optional("shape"),
                findings,
                ("pairs", WorkloadShape.Pairs),
                ("fan-in", WorkloadShape.FanIn),
                ("fan-out", WorkloadShape.FanOut)
            ),
            Publishers = reader.Integer("publishers", 1, Workload.MostClients, 100),
            Subscribers = reader.Integer("subscribers", 1, Workload.MostClients, 100),
            Arrivals = arrivals,
            MessagesPerSecond = rate,
            InFlight = reader.Integer("inFlight", 1, 65_535, 10),
            Qos = qos,
            SubscribeQos = (QualityOfService)reader.Integer("subscribeQos", 0, 2, (int)qos),
            Version = Choice(
                reader.Optional("mqtt"),
                findings,
                ("auto", (ProtocolVersion?)null),
                ("3.1.1", ProtocolVersion.V311),
                ("5", ProtocolVersion.V5)
            ),
            PersistentSubscribers = reader.OptionalFlag("persistentSubscribers"),
            Payload = Payload(reader.Optional("payload"), findings, source) ?? LoadPayload.OfSize(100),
            WarmUpPayload = Payload(reader.Optional("warmUpPayload"), findings, source),
            Topic = reader.Text("topic", ""),
            Filter = reader.Text("filter", ""),
            WarmUp = ReadWarmUp(reader.Optional("warmUp"), findings),
            Duration = TimeSpan.FromSeconds(reader.Number("durationSeconds", 0.001, LongestSeconds, 10)),
            OfflineShare = share,
            OfflineTime = offline,
        };
        reader.End();
        return workload;
    }

    /// <summary>Writes a workload in the form that <see cref="Parse"/> reads.</summary>
    /// <param name="writer">Receives the workload.</param>
    /// <param name="workload">A valid workload.</param>
    internal static void Write(Utf8JsonWriter writer, Workload workload) => Of(workload).WriteTo(writer);

    /// <summary>The seconds that are read as this time, to the tick.</summary>
    /// <param name="time">The time, 0 .. a day.</param>
    internal static double Seconds(TimeSpan time)
    {
        var seconds = time.TotalSeconds;
        // The product with the ticks of a second may fall just below the whole number.
        return TimeSpan.FromSeconds(seconds) == time ? seconds : double.BitIncrement(seconds);
    }

    private static JsonObject Of(Workload workload) =>
        JsonNodes.Object(
            ("name", workload.Name),
            ("description", workload.Description),
            ("shape", s_shapes[(int)workload.Shape]),
            ("publishers", workload.Publishers),
            ("subscribers", workload.Subscribers),
            ("arrivals", Arrivals(workload)),
            ("inFlight", workload.InFlight),
            ("qos", (int)workload.Qos),
            ("subscribeQos", (int)workload.SubscribeQos),
            ("mqtt", VersionText(workload.Version)),
            ("persistentSubscribers", workload.PersistentSubscribers),
            ("payload", workload.Payload.Text),
            ("warmUpPayload", workload.WarmUpPayload?.Text),
            ("topic", workload.Topic),
            ("filter", workload.Filter),
            ("warmUp", Of(workload.WarmUp)),
            ("durationSeconds", Seconds(workload.Duration)),
            ("offline", JsonNodes.Object(("share", workload.OfflineShare), ("seconds", Seconds(workload.OfflineTime))))
        );

    private static string VersionText(ProtocolVersion? version) =>
        version switch
        {
            null => "auto",
            ProtocolVersion.V311 => "3.1.1",
            ProtocolVersion.V31 or ProtocolVersion.V5 => "5",
            _ => throw new UnreachableException(),
        };

    private static JsonNode Arrivals(Workload workload) =>
        workload.Arrivals switch
        {
            ArrivalKind.Closed => "closed",
            ArrivalKind.Constant => JsonNodes.Object(("constant", workload.MessagesPerSecond)),
            ArrivalKind.Poisson => JsonNodes.Object(("poisson", workload.MessagesPerSecond)),
            _ => throw new UnreachableException(),
        };

    private static JsonObject Of(LoadWarmUp warmUp) =>
        warmUp.Messages > 0
            ? JsonNodes.Object(("messages", warmUp.Messages), ("everySeconds", Seconds(warmUp.Time)))
            : JsonNodes.Object(("seconds", Seconds(warmUp.Time)));

    private static (ArrivalKind Kind, double Rate) ReadArrivals(JsonTree? tree, JsonFindings findings)
    {
        const string allowed = "\"closed\", {\"constant\": RATE} or {\"poisson\": RATE}, in messages per second";
        if (tree is null or { Type: JsonTokenType.String, Text: "closed" })
            return (ArrivalKind.Closed, 1000);
        if (tree.Members is not [var (key, value)] || key is not ("constant" or "poisson"))
        {
            findings.Add(tree, $"{tree.Given} given; allowed: {allowed}");
            return (ArrivalKind.Closed, 1000);
        }
        var rate = JsonObjectReader.Number(value, 0, Workload.HighestRate, findings);
        return (key == "constant" ? ArrivalKind.Constant : ArrivalKind.Poisson, rate);
    }

    private static LoadWarmUp ReadWarmUp(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return LoadWarmUp.Lasting(TimeSpan.FromSeconds(1));
        return JsonObjectReader.Read(
            tree,
            findings,
            reader =>
                tree.Member("messages") is null
                    ? LoadWarmUp.Lasting(TimeSpan.FromSeconds(reader.Number("seconds", 0, 3600)))
                    : new LoadWarmUp(
                        reader.Integer("messages", 1, 1000),
                        TimeSpan.FromSeconds(reader.Number("everySeconds", 0.001, 3600))
                    )
        );
    }

    private static (double Share, TimeSpan Time) ReadOffline(JsonTree? tree, JsonFindings findings)
    {
        if (tree is null)
            return (0, TimeSpan.FromSeconds(1));
        return JsonObjectReader.Read(
            tree,
            findings,
            reader =>
                (reader.Number("share", 0, 1), TimeSpan.FromSeconds(reader.Number("seconds", 0.001, LongestSeconds)))
        );
    }

    private static LoadPayload? Payload(JsonTree? tree, JsonFindings findings, string source)
    {
        if (tree is null)
            return null;
        if (tree.Type != JsonTokenType.String)
        {
            findings.Add(tree, $"{tree.Given} given; allowed: a text such as \"100\"");
            return null;
        }
        try
        {
            return LoadPayload.Parse(tree.Text, $"{source}: {tree.Path}");
        }
        catch (InputException wrong)
        {
            findings.Add(wrong);
            return null;
        }
    }

    // The first choice is the one of a missing key.
    private static T Choice<T>(
        JsonTree? tree,
        JsonFindings findings,
        params ReadOnlySpan<(string Word, T Value)> choices
    )
    {
        if (tree is null)
            return choices[0].Value;
        var words = new List<string>();
        foreach (var (word, value) in choices)
        {
            if (tree.Type == JsonTokenType.String && tree.Text == word)
                return value;
            words.Add($"\"{word}\"");
        }
        findings.Add(tree, $"{tree.Given} given; allowed: {string.Join(", ", words)}");
        return choices[0].Value;
    }
}
