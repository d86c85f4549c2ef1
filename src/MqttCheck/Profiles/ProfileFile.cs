using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Profiles;

/// <summary>
/// Reads usage profiles and populations from JSON files, by path or by the name of a built-in one, and writes them in
/// the same form.
/// </summary>
public static class ProfileFile
{
    private static readonly BuiltInFiles s_builtIn = new("profiles/");

    /// <summary>The names of the built-in profiles and populations, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_builtIn.Names;

    /// <summary>Reads a profile or a population.</summary>
    /// <param name="nameOrPath">
    /// The name of a built-in one, for example <c>up1</c>, or the path of a JSON file. A file that is named like a
    /// built-in one is reached by a path with a directory, <c>./up1</c>.
    /// </param>
    /// <returns>A population; a profile becomes a population of one group.</returns>
    /// <exception cref="InputException">
    /// There is no such file or name, or the file is malformed. The message holds every finding, one per line: what is
    /// wrong, the value given, what is allowed, file, line and key.
    /// </exception>
    public static Population Read(string nameOrPath)
    {
        ArgumentNullException.ThrowIfNull(nameOrPath);
        return Read(nameOrPath, nameOrPath, asPartOfPopulation: false) with { ReadFrom = nameOrPath };
    }

    /// <summary>Reads a profile or a population from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is malformed; see <see cref="Read(string)"/>.</exception>
    public static Population Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Parse(utf8Json, source, Directory.GetCurrentDirectory(), asPartOfPopulation: false);
    }

    /// <summary>
    /// Writes a profile or a population in the form that <see cref="Read(string)"/> reads, profiles of groups inline.
    /// </summary>
    /// <param name="writer">Receives one JSON object.</param>
    /// <param name="population">The population to write.</param>
    /// <exception cref="ArgumentException">A wait has a law that profile files cannot express.</exception>
    public static void Write(Utf8JsonWriter writer, Population population)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(population);
        Of(population).WriteTo(writer);
    }

    /// <summary>The object that <see cref="Write"/> writes.</summary>
    internal static JsonObject Of(Population population) =>
        population.Groups is [var only] && only.Name == population.Name && only.Profile.Name == population.Name
            ? Of(only.Profile)
            : JsonNodes.Object(
                ("name", population.Name),
                ("description", population.Description.Length > 0 ? population.Description : null),
                ("groups", JsonNodes.Array(population.Groups, Of))
            );

    /// <summary>Reads a profile or population that is part of another file.</summary>
    /// <param name="tree">Its JSON value.</param>
    /// <param name="findings">Receives the findings.</param>
    internal static Population Read(JsonTree tree, JsonFindings findings) => ProfileReader.Read(tree, findings, null);

    private static Population Read(string nameOrPath, string source, bool asPartOfPopulation)
    {
        if (BuiltInNames.Contains(nameOrPath))
        {
            var text = s_builtIn.Read(nameOrPath);
            return Parse(
                text,
                nameOrPath + BuiltInFiles.Extension,
                Directory.GetCurrentDirectory(),
                asPartOfPopulation
            );
        }
        var allowed = $"the path of a JSON file or one of the built-in names {string.Join(", ", BuiltInNames)}";
        var bytes = InputFile.ReadAllBytes("profile", nameOrPath, allowed, given: source);
        return Parse(bytes, source, Path.GetDirectoryName(Path.GetFullPath(nameOrPath))!, asPartOfPopulation);
    }

    // A path that a group names is relative to the file of the population. A group names a profile, never a population,
    // so references cannot run in circles.
    private static Population Parse(
        ReadOnlySpan<byte> utf8Json,
        string source,
        string directory,
        bool asPartOfPopulation
    )
    {
        var tree = JsonTree.Parse(utf8Json, source);
        var findings = new JsonFindings(source);
        if (asPartOfPopulation && tree.Member("groups") is { } groups)
        {
            findings.Add(groups, "a population inside a population given; allowed: a profile");
            findings.ThrowIfAny();
        }
        var population = ProfileReader.Read(
            tree,
            findings,
            name =>
                Read(BuiltInNames.Contains(name) ? name : Path.Combine(directory, name), name, asPartOfPopulation: true)
                    .Groups[0]
                    .Profile
        );
        findings.ThrowIfAny();
        return population;
    }

    private static JsonObject Of(ClientGroup group) =>
        JsonNodes.Object(("name", group.Name), ("share", group.Share), ("profile", Of(group.Profile)));

    private static JsonObject Of(UsageProfile profile) =>
        JsonNodes.Object([
            ("name", profile.Name),
            ("description", profile.Description.Length > 0 ? profile.Description : null),
            ("waitMilliseconds", Of(profile.WaitMilliseconds)),
            ("waitMillisecondsBefore", profile.Waits is { } waits ? Of(waits) : null),
            ("weights", Of(profile.Weights)),
            ("topics", profile.Topics),
            ("topicName", profile.TopicName == UsageProfile.TopicField ? null : profile.TopicName),
            Payload(profile),
            ("qos", Qos(profile)),
            ("session", profile.CleanSessions ? ProfileReader.CleanSession : null),
            ("sequenceLength", profile.SequenceLength),
            .. LoadKeys.Of(profile),
            .. PacketKeys.All(profile),
        ]);

    private static JsonObject Of(MessageWaits waits) =>
        JsonNodes.Object(
            ("connect", Of(waits.Connect)),
            ("disconnect", Of(waits.Disconnect)),
            ("publish", Of(waits.Publish)),
            ("subscribe", Of(waits.Subscribe)),
            ("unsubscribe", Of(waits.Unsubscribe))
        );

    private static JsonObject Of(MessageWeights weights) =>
        JsonNodes.Object(
            ("connect", weights.Connect),
            ("disconnect", weights.Disconnect),
            ("publish", weights.Publish),
            ("subscribe", weights.Subscribe),
            ("unsubscribe", weights.Unsubscribe)
        );

    private static (string Key, JsonNode? Value) Payload(UsageProfile profile) =>
        profile switch
        {
            { Payload: { } template } => ("payload", template.Text),
            { PayloadLaw: { } law } => (
                "payloadBytes",
                JsonNodes.Object(
                    Form(law),
                    ("minimum", profile.MinimumPayloadBytes),
                    ("maximum", profile.MaximumPayloadBytes)
                )
            ),
            _ => ("payloadBytes", new JsonArray(profile.MinimumPayloadBytes, profile.MaximumPayloadBytes)),
        };

    private static JsonNode Qos(UsageProfile profile) =>
        profile is { PublishQos: null, SubscriptionQos: null }
            ? (int)profile.Qos
            : JsonNodes.Object(
                ("publish", profile.PublishQos is { } weights ? Of(weights) : (int)profile.Qos),
                ("subscribe", (int)(profile.SubscriptionQos ?? profile.Qos))
            );

    private static JsonArray Of(QosWeights weights) =>
        new(weights.AtMostOnce, weights.AtLeastOnce, weights.ExactlyOnce);

    private static JsonObject? Of(Law? law) => law is null ? null : JsonNodes.Object(Form(law));

    private static (string Key, JsonNode? Value) Form(Law law) =>
        law switch
        {
            ConstantLaw constant => ("constant", constant.Value),
            ExponentialLaw exponential => ("exponential", exponential.MeanValue),
            UniformLaw uniform => ("uniform", new JsonArray(uniform.Minimum, uniform.Maximum)),
            NormalLaw normal => ("normal", new JsonArray(normal.Location, normal.Sigma)),
            LogNormalLaw logNormal => ("lognormal", new JsonArray(logNormal.Median, logNormal.Sigma)),
            _ => throw new ArgumentException($"The law {law} has no form in a profile file.", nameof(law)),
        };
}
