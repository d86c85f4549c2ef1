using System.Text.Json;
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
    /// <param name="source">What to call the text in messages.</param>
    /// <exception cref="InputException">The text is malformed; see <see cref="Read(string)"/>.</exception>
    public static Population Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Parse(utf8Json, source, Directory.GetCurrentDirectory(), asPartOfPopulation: false);
    }

    /// <summary>
    /// Writes a profile or a population in the form that <see cref="Read(string)"/> reads, profiles of groups inline.
    /// </summary>
    /// <param name="writer">Where to write one JSON object.</param>
    /// <param name="population">What to write.</param>
    /// <exception cref="ArgumentException">A wait has a law that profile files cannot express.</exception>
    public static void Write(Utf8JsonWriter writer, Population population)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(population);
        if (population.Groups is [var only] && only.Name == population.Name && only.Profile.Name == population.Name)
        {
            WriteProfile(writer, only.Profile);
            return;
        }
        writer.WriteStartObject();
        writer.WriteString("name", population.Name);
        if (population.Description.Length > 0)
            writer.WriteString("description", population.Description);
        writer.WriteStartArray("groups");
        foreach (var group in population.Groups)
        {
            writer.WriteStartObject();
            writer.WriteString("name", group.Name);
            writer.WriteNumber("share", group.Share);
            writer.WritePropertyName("profile");
            WriteProfile(writer, group.Profile);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    /// <summary>Reads a profile or population that is part of another file.</summary>
    /// <param name="tree">Its JSON value.</param>
    /// <param name="findings">Where findings go.</param>
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

    private static void WriteProfile(Utf8JsonWriter writer, UsageProfile profile)
    {
        writer.WriteStartObject();
        writer.WriteString("name", profile.Name);
        if (profile.Description.Length > 0)
            writer.WriteString("description", profile.Description);
        WriteWait(writer, "waitMilliseconds", profile.WaitMilliseconds);
        if (profile.Waits is { } waits)
        {
            writer.WriteStartObject("waitMillisecondsBefore");
            WriteWait(writer, "connect", waits.Connect);
            WriteWait(writer, "disconnect", waits.Disconnect);
            WriteWait(writer, "publish", waits.Publish);
            WriteWait(writer, "subscribe", waits.Subscribe);
            WriteWait(writer, "unsubscribe", waits.Unsubscribe);
            writer.WriteEndObject();
        }
        writer.WriteStartObject("weights");
        writer.WriteNumber("connect", profile.Weights.Connect);
        writer.WriteNumber("disconnect", profile.Weights.Disconnect);
        writer.WriteNumber("publish", profile.Weights.Publish);
        writer.WriteNumber("subscribe", profile.Weights.Subscribe);
        writer.WriteNumber("unsubscribe", profile.Weights.Unsubscribe);
        writer.WriteEndObject();
        writer.WriteNumber("topics", profile.Topics);
        if (profile.TopicName != UsageProfile.TopicField)
            writer.WriteString("topicName", profile.TopicName);
        WritePayload(writer, profile);
        WriteQos(writer, profile);
        if (profile.CleanSessions)
            writer.WriteString("session", ProfileReader.CleanSession);
        writer.WriteNumber("sequenceLength", profile.SequenceLength);
        LoadKeys.Write(writer, profile);
        PacketKeys.Write(writer, profile);
        writer.WriteEndObject();
    }

    private static void WritePayload(Utf8JsonWriter writer, UsageProfile profile)
    {
        if (profile.Payload is { } template)
        {
            writer.WriteString("payload", template.Text);
        }
        else if (profile.PayloadLaw is { } law)
        {
            writer.WriteStartObject("payloadBytes");
            WriteLaw(writer, law);
            writer.WriteNumber("minimum", profile.MinimumPayloadBytes);
            writer.WriteNumber("maximum", profile.MaximumPayloadBytes);
            writer.WriteEndObject();
        }
        else
        {
            writer.WriteStartArray("payloadBytes");
            writer.WriteNumberValue(profile.MinimumPayloadBytes);
            writer.WriteNumberValue(profile.MaximumPayloadBytes);
            writer.WriteEndArray();
        }
    }

    private static void WriteQos(Utf8JsonWriter writer, UsageProfile profile)
    {
        if (profile is { PublishQos: null, SubscriptionQos: null })
        {
            writer.WriteNumber("qos", (int)profile.Qos);
            return;
        }
        writer.WriteStartObject("qos");
        if (profile.PublishQos is { } weights)
        {
            writer.WriteStartArray("publish");
            writer.WriteNumberValue(weights.AtMostOnce);
            writer.WriteNumberValue(weights.AtLeastOnce);
            writer.WriteNumberValue(weights.ExactlyOnce);
            writer.WriteEndArray();
        }
        else
        {
            writer.WriteNumber("publish", (int)profile.Qos);
        }
        writer.WriteNumber("subscribe", (int)(profile.SubscriptionQos ?? profile.Qos));
        writer.WriteEndObject();
    }

    private static void WriteWait(Utf8JsonWriter writer, string key, Law? law)
    {
        if (law is null)
            return;
        writer.WriteStartObject(key);
        WriteLaw(writer, law);
        writer.WriteEndObject();
    }

    private static void WriteLaw(Utf8JsonWriter writer, Law law)
    {
        switch (law)
        {
            case ConstantLaw constant:
                writer.WriteNumber("constant", constant.Value);
                break;
            case ExponentialLaw exponential:
                writer.WriteNumber("exponential", exponential.MeanValue);
                break;
            case UniformLaw uniform:
                WritePair("uniform", uniform.Minimum, uniform.Maximum);
                break;
            case NormalLaw normal:
                WritePair("normal", normal.Location, normal.Sigma);
                break;
            case LogNormalLaw logNormal:
                WritePair("lognormal", logNormal.Median, logNormal.Sigma);
                break;
            default:
                throw new ArgumentException($"The law {law} has no form in a profile file.", nameof(law));
        }

        void WritePair(string form, double first, double second)
        {
            writer.WriteStartArray(form);
            writer.WriteNumberValue(first);
            writer.WriteNumberValue(second);
            writer.WriteEndArray();
        }
    }
}
