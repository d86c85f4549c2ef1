using System.Text;
using System.Text.Json;
using MqttCheck.App.Clusters.Predict;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Json;
using MqttCheck.Profiles;

namespace MqttCheck.Server.Questions;

/// <summary>
/// Reads what a browser sends with the readers of files, so that the same input gets the same words. A profile must be
/// inline: a name in its place would be a path.
/// </summary>
/// <param name="models">The models that may be named.</param>
internal sealed class QuestionReader(ModelShelf models)
{
    /// <summary>The most clients of a scenario, as on the command line.</summary>
    public const int MostClients = 20_000;

    /// <summary>The largest threshold, in milliseconds: an hour.</summary>
    public const double LargestThreshold = 3_600_000;

    // JavaScript's integers end here.
    private const double LargestInteger = 9_007_199_254_740_991;
    private const int LongestSession = 64;
    private const int MostNodes = 32;
    private const int MostVariants = 10;
    private const int MostTexts = 10;
    private const string Source = "question";

    /// <summary>Reads a question.</summary>
    /// <param name="utf8Json">The body of a request.</param>
    /// <exception cref="InputException">It is malformed: every finding, with line and key.</exception>
    public Question Read(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings(Source);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, Source), findings);
        var session = Session(reader, findings);
        var request = Whole(reader, "request", findings);
        var trees = reader.Array("scenarios", "an array of one to four scenarios");
        if (trees.Count is 0 or > Question.MostScenarios && reader.Tree.Member("scenarios") is { } given)
            findings.Add(given, $"{trees.Count} scenarios given; allowed: 1 .. {Question.MostScenarios}");
        var scenarios = trees.Take(Question.MostScenarios).Select(tree => ReadScenario(tree, findings)).ToArray();
        var threshold = ReadThreshold(reader, findings);
        var seed = reader.Tree.Member("seed") is null ? 1 : Whole(reader, "seed", findings);
        reader.Optional("seed");
        var beyond = reader.Optional("beyond") is not null && reader.Flag("beyond");
        var wanted = reader.Number("wantedProbability", 0, 1, .95);
        if (wanted is 0 or 1)
            findings.Add(reader.Tree, "wantedProbability", "0 or 1 given; allowed: a number between 0 and 1");
        reader.End();
        findings.ThrowIfAny();
        return new()
        {
            Session = session,
            Request = request,
            Scenarios = [.. scenarios.Select(scenario => scenario!)],
            Threshold = threshold,
            Seed = (ulong)seed,
            Beyond = beyond,
            WantedProbability = wanted,
        };
    }

    /// <summary>Reads a profile or population by itself.</summary>
    /// <param name="utf8Json">The body of a request.</param>
    /// <exception cref="InputException">It is malformed: every finding, with line and key.</exception>
    public static ProfileDocument ReadProfile(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings("profile");
        var population = ProfileFile.Read(JsonTree.Parse(utf8Json, "profile"), findings);
        findings.ThrowIfAny();
        return ProfileDocument.Of(population);
    }

    /// <summary>Reads a question about a cluster: a family, or the text of a topology file.</summary>
    /// <param name="utf8Json">The body of a request.</param>
    /// <exception cref="InputException">It is malformed, or cannot be simulated: every finding.</exception>
    public static ClusterQuestion ReadCluster(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings(Source);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, Source), findings);
        var (session, request) = (Session(reader, findings), Whole(reader, "request", findings));
        var (family, file) = Graph(reader, findings);
        var faults = Texts(reader, "faults", findings);
        var properties = Texts(reader, "properties", findings);
        var vary = reader.Text("vary", "");
        var seed = reader.Tree.Member("seed") is null ? 1 : Whole(reader, "seed", findings);
        reader.Optional("seed");
        reader.End();
        if (family.Length > 0 && properties.Count == 0 && reader.Tree.Member("properties") is { } none)
            findings.Add(none, "no property given; allowed: at least one, such as \"Q0.95[ delivery ]\"");
        findings.ThrowIfAny();
        return new()
        {
            Session = session,
            Request = request,
            Named = family,
            File = file.Length > 0 ? Encoding.UTF8.GetBytes(file) : null,
            Faults = faults,
            Properties = properties,
            Variants = Variants(TopologyOf(family, file), faults, properties, vary),
            Vary = vary,
            Seed = (ulong)seed,
        };
    }

    /// <summary>Reads a topology by itself: a family, or the text of a topology file.</summary>
    /// <param name="utf8Json">The body of a request.</param>
    /// <exception cref="InputException">It is malformed: every finding.</exception>
    public static Topology ReadTopology(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings(Source);
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, Source), findings);
        var (family, file) = Graph(reader, findings);
        reader.End();
        findings.ThrowIfAny();
        return TopologyOf(family, file);
    }

    /// <summary>Reads whose work on the live broker is to end.</summary>
    /// <param name="utf8Json">The body of a request.</param>
    /// <returns>The page.</returns>
    /// <exception cref="InputException">It is malformed: every finding, with line and key.</exception>
    public static string ReadStop(ReadOnlySpan<byte> utf8Json)
    {
        var findings = new JsonFindings("stop");
        var reader = new JsonObjectReader(JsonTree.Parse(utf8Json, "stop"), findings);
        var session = Session(reader, findings);
        reader.End();
        findings.ThrowIfAny();
        return session;
    }

    // The family that was asked for, empty for none, and the text of the file: a family with a delay is written as one.
    private static (string Family, string File) Graph(JsonObjectReader reader, JsonFindings findings)
    {
        const string key = "family";
        var (family, file) = (reader.Text(key, ""), reader.Text("topology", ""));
        var delay = Math.Round(reader.Number("delayMilliseconds", 0, LargestThreshold, 0), Threshold.Decimals);
        if (family.Length > 0 == file.Length > 0)
            findings.Add(reader.Tree, key, "allowed: either this or topology, the text of a topology file");
        else if (
            family.Length > 0
            && !(TopologyFamily.TryParse(family, out var known) && known.NodeCount <= MostNodes)
            && reader.Tree.Member(key) is { } given
        )
            findings.Add(given, $"{given.Given} given; allowed: {TopologyFamily.Forms}, of at most {MostNodes} nodes");
        if (family.Length > 0 && file.Length == 0 && delay > 0)
            file = FormattableString.Invariant(
                $$"""
                { "name": "{{family.Replace(
                    ':',
                    '-'
                )}}", "system": "spanning-tree", "family": "{{family}}", "delay": "constant:{{delay:0.####}}ms" }

                """
            );
        return (family, file);
    }

    private static Topology TopologyOf(string family, string file) =>
        file.Length == 0 && TopologyFamily.TryParse(family, out var known)
            ? known.ToTopology(ClusterSystem.SpanningTree)
            : ClusterFile.Read(file, MostNodes);

    // The faults and properties of a question replace those of the file, as on the command line.
    private static IReadOnlyList<(string Label, Topology Topology)> Variants(
        Topology topology,
        List<string> faults,
        List<string> properties,
        string vary
    )
    {
        foreach (var property in properties)
            _ = ClusterProperty.Parse(property, "properties");
        topology = new ScenarioChange(Source)
        {
            Faults = faults,
            Properties = properties,
            Names = ("faults", "properties"),
        }.Of(topology);
        var variants = ScenarioChange.Variants("", topology, vary.Length == 0 ? [] : [vary], "vary");
        return variants.Count <= MostVariants
            ? variants
            : throw new InputException(
                FormattableString.Invariant($"vary: {variants.Count} values given; allowed: at most {MostVariants}")
            );
    }

    private static List<string> Texts(JsonObjectReader reader, string key, JsonFindings findings)
    {
        var texts = new List<string>();
        foreach (var item in reader.Array(key, "an array of at most 10 texts"))
        {
            if (item.Type == JsonTokenType.String && texts.Count < MostTexts)
                texts.Add(item.Text);
            else
                findings.Add(item, $"{item.Given} given; allowed: at most {MostTexts} texts");
        }
        return texts;
    }

    private WhatIfScenario? ReadScenario(JsonTree tree, JsonFindings findings)
    {
        var before = findings.Count;
        var reader = new JsonObjectReader(tree, findings);
        var name = reader.Text("model", null);
        var model = models.Find(name);
        if (model is null && tree.Member("model") is { Type: JsonTokenType.String } given)
            findings.Add(
                given,
                $"{given.Given} given; allowed: {string.Join(", ", models.All.Select(one => $"\"{one.Name}\""))}"
            );
        var clients = reader.Integer("clients", 1, MostClients);
        var profile = reader.Required("profile", "a usage profile or a population");
        reader.End();
        if (profile is null || findings.Count > before || model is null)
        {
            // Mistakes in the profile are said beside all others.
            if (profile is not null)
                _ = ProfileFile.Read(profile, findings);
            return null;
        }
        var population = ProfileFile.Read(profile, findings);
        return findings.Count > before ? null : new(model, ProfileDocument.Of(population), clients);
    }

    private static string Session(JsonObjectReader reader, JsonFindings findings)
    {
        const string key = "session";
        var session = reader.Text(key, null);
        if (session.Length is > 0 and <= LongestSession && session.All(c => char.IsAsciiLetterOrDigit(c) || c == '-'))
            return session;
        if (reader.Tree.Member(key) is { Type: JsonTokenType.String } given)
            findings.Add(given, $"{given.Text.Length} characters given; allowed: 1 to 64 letters, digits and '-'");
        return "";
    }

    private static long Whole(JsonObjectReader reader, string key, JsonFindings findings)
    {
        var value = reader.Number(key, 0, LargestInteger);
        if (value == Math.Floor(value))
            return (long)value;
        findings.Add(reader.Tree.Member(key)!, $"{reader.Tree.Member(key)!.Given} given; allowed: a whole number");
        return 0;
    }

    private static Threshold? ReadThreshold(JsonObjectReader reader, JsonFindings findings)
    {
        const string key = "thresholdMilliseconds";
        if (reader.Optional(key) is not { } given || given.Type == JsonTokenType.Null)
            return null;
        var value = JsonObjectReader.Number(given, 0, LargestThreshold, findings);
        if (Math.Round(value, Threshold.Decimals) > 0)
            return new(value);
        findings.Add(given, $"{given.Given} given; allowed: at least 0.0001");
        return null;
    }
}
