using System.Text.Json;
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

    private static readonly JsonKind<LoadStage> s_stage = JsonFormat.Of<LoadStage>(fields =>
        new(
            fields.Required(
                "seconds",
                JsonKinds.Number(ShortestStage, LongestSeconds),
                stage => stage.Seconds,
                "How long the stage lasts."
            ),
            fields.Required(
                "load",
                JsonKinds.Number(0, LargestLoad),
                stage => stage.Load,
                "2 for twice the load that the waits make, 0 for silence."
            )
        )
    );

    private static readonly JsonKind<ValueList<LoadStage>> s_stages = (
        JsonKinds.List(s_stage, "") with
        {
            Read = ReadStages,
            Schema = () =>
                JsonNodes.Object(
                    ("type", "array"),
                    ("items", s_stage.Schema!()),
                    ("minItems", 1),
                    ("maxItems", MostStages)
                ),
        }
    ).As<ValueList<LoadStage>>(stages => [.. stages], stages => [.. stages]);

    /// <summary>The keys.</summary>
    /// <param name="fields">Asks for them.</param>
    /// <param name="profile">The profile as it is without them.</param>
    public static UsageProfile Fields(JsonFields<UsageProfile> fields, UsageProfile profile)
    {
        var rampUp = fields.Optional(
            RampUpSeconds,
            JsonKinds.Number(0, LongestSeconds),
            profile => profile.RampUpSeconds,
            0,
            "over how many seconds the clients of a group connect for the first time, evenly",
            "0: each waits first, as before any other message"
        );
        var rate = fields.Nullable(
            ConnectsPerSecond,
            JsonKinds.Number(FewestConnects, MostConnects),
            profile => profile.ConnectsPerSecond,
            $"how many clients of the group connect for the first time in a second, in place of `{RampUpSeconds}`"
        );
        fields.Exclude(
            ConnectsPerSecond,
            RampUpSeconds,
            $"given beside \"{RampUpSeconds}\", which says the same of a number of clients; allowed: one of them"
        );
        var stages = fields.Optional(
            Stages,
            s_stages,
            profile => profile.Stages,
            default,
            "how the load changes, over and over: `{ \"seconds\": 60, \"load\": 2 }` divides waits by 2 for a minute",
            "none"
        );
        fields.Refuse(
            Stages,
            stages.Count > 0 && profile.WaitMilliseconds.Mean <= 0,
            _ =>
                "given, but clients that never wait have no load to change; allowed: stages beside a "
                + "\"waitMilliseconds\" above 0"
        );
        return profile with { RampUpSeconds = rampUp, ConnectsPerSecond = rate, Stages = stages };
    }

    private static List<LoadStage> ReadStages(JsonTree tree, JsonFindings findings)
    {
        if (tree.Type != JsonTokenType.StartArray || tree.Items.Count is 0 or > MostStages)
        {
            findings.Add(
                tree,
                $"{tree.GivenWithCount} given; allowed: an array of 1 to 100 stages, "
                    + "{ \"seconds\": 60, \"load\": 2 }"
            );
            return [];
        }
        var before = findings.Count;
        var stages = tree.Items.Select(item => s_stage.Read(item, findings)).ToList();
        if (findings.Count == before && stages.TrueForAll(stage => stage.Load == 0))
            findings.Add(tree, "no stage with a load given; allowed: at least one \"load\" above 0");
        return findings.Count == before ? stages : [];
    }
}
