using System.Text.Json;
using System.Text.Json.Nodes;
using MqttCheck.Json;
using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>The keys of a profile that say how its load changes with time: ramp-up and stages.</summary>
internal static class LoadKeys
{
    internal const string RampUpSeconds = "rampUpSeconds";
    internal const string ConnectsPerSecond = "connectsPerSecond";
    internal const string Stages = "stages";
    private const double LongestSeconds = 86_400;
    private const double ShortestStage = .1;
    private const double FewestConnects = .001;
    private const double MostConnects = 100_000;
    private const double LargestLoad = 1000;
    private const int MostStages = 100;
    private const string StagesAllowed = "an array of 1 to 100 stages, { \"seconds\": 60, \"load\": 2 }";

    /// <summary>Reads the keys.</summary>
    /// <param name="reader">The profile's object.</param>
    /// <param name="findings">Receives the findings.</param>
    /// <param name="profile">The profile as read so far.</param>
    public static UsageProfile Read(JsonObjectReader reader, JsonFindings findings, UsageProfile profile)
    {
        var rampUp = reader.Number(RampUpSeconds, 0, LongestSeconds, 0);
        var rate = reader.Optional(ConnectsPerSecond) is { } given
            ? JsonObjectReader.Number(given, FewestConnects, MostConnects, findings)
            : (double?)null;
        if (rate is not null && reader.Tree.Member(RampUpSeconds) is not null)
            findings.Add(
                reader.Tree.Member(ConnectsPerSecond)!,
                $"given beside \"{RampUpSeconds}\", which says the same of a number of clients; allowed: one of them"
            );
        var stages = reader.Optional(Stages) is { } tree ? ReadStages(tree, findings) : default;
        if (stages.Count > 0 && profile.WaitMilliseconds.Mean <= 0)
            findings.Add(
                reader.Tree.Member(Stages)!,
                "given, but clients that never wait have no load to change; allowed: stages beside a "
                    + "\"waitMilliseconds\" above 0"
            );
        return profile with { RampUpSeconds = rampUp, ConnectsPerSecond = rate, Stages = stages };
    }

    /// <summary>The keys with their values, null where they are as by default.</summary>
    /// <param name="profile">The profile.</param>
    public static (string Key, JsonNode? Value)[] Of(UsageProfile profile) =>
        [
            (RampUpSeconds, profile.RampUpSeconds > 0 ? profile.RampUpSeconds : null),
            (ConnectsPerSecond, profile.ConnectsPerSecond),
            (Stages, profile.Stages.Count > 0 ? JsonNodes.Array(profile.Stages, Of) : null),
        ];

    private static JsonObject Of(LoadStage stage) => JsonNodes.Object(("seconds", stage.Seconds), ("load", stage.Load));

    private static ValueList<LoadStage> ReadStages(JsonTree tree, JsonFindings findings)
    {
        if (tree.Type != JsonTokenType.StartArray || tree.Items.Count is 0 or > MostStages)
        {
            findings.Add(tree, $"{tree.Given} of {tree.Items.Count} given; allowed: {StagesAllowed}");
            return default;
        }
        var before = findings.Count;
        ValueList<LoadStage> stages = [.. tree.Items.Select(item => ReadStage(item, findings))];
        if (findings.Count == before && stages.All(stage => stage.Load == 0))
            findings.Add(tree, "no stage with a load given; allowed: at least one \"load\" above 0");
        return findings.Count == before ? stages : default;
    }

    private static LoadStage ReadStage(JsonTree tree, JsonFindings findings) =>
        JsonObjectReader.Read(
            tree,
            findings,
            reader => new LoadStage(
                reader.Number("seconds", ShortestStage, LongestSeconds),
                reader.Number("load", 0, LargestLoad)
            )
        );
}
