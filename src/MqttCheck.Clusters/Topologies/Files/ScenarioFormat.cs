using System.Globalization;
using System.Text.Json;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Json;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The format of scenarios, whose keys topologies have too.</summary>
internal static class ScenarioFormat
{
    private const double LongestSeconds = 86_400;

    private static readonly JsonKind<Workload> s_workload = new(
        "",
        ReadWorkload,
        WorkloadFormat.Kind.Write,
        WorkloadFormat.Kind.StandIn
    );

    /// <summary>The beginning of all topics of a run, or of those of a site.</summary>
    public static readonly JsonKind<string> TopicPrefix = JsonKinds.TextWhere(
        TopicName.AllowedPrefix,
        text => text.Length > 1 && TopicName.IsPrefix(text)
    );

    private static readonly JsonKind<ClientReturn> s_return = JsonKinds.Choice([
        ("same", ClientReturn.Same),
        ("next", ClientReturn.Next),
    ]);

    private static readonly JsonKind<ScenarioProperty> s_property = new(
        "a text",
        (tree, findings) =>
            new(
                JsonKinds.Text.Read(tree, findings),
                string.Create(CultureInfo.InvariantCulture, $"{findings.Source}:{tree.Line}: {tree.Path}")
            ),
        (writer, property) => writer.WriteStringValue(property.Text),
        () => default
    );

    private static readonly JsonKind<ClusterFault> s_fault = new(
        "a text",
        ReadFault,
        (writer, fault) => writer.WriteStringValue($"{fault}"),
        () => null!
    );

    /// <summary>The name of a file's content.</summary>
    public static JsonKind<string> Name { get; } =
        JsonKinds.TextWhere(TopologyNames.AllowedName, TopologyNames.IsName, other: "a text");

    /// <summary>A scenario in a file of its own.</summary>
    public static JsonKind<ClusterScenario> Kind { get; } =
        JsonFormat.Of<ClusterScenario>(fields =>
        {
            fields.Ignored("$schema");
            var name = fields.Required("name", Name, of => of.Name);
            var description = fields.Optional("description", JsonKinds.Text, of => of.Description, "");
            return Keys(fields, of => of) with { Name = name, Description = description };
        });

    /// <summary>Load, faults and properties.</summary>
    /// <param name="fields">The keys of the file.</param>
    /// <param name="of">The scenario of what the file stands for.</param>
    public static ClusterScenario Keys<T>(JsonFields<T> fields, Func<T, ClusterScenario> of) =>
        new()
        {
            Workload = fields.Nullable("workload", s_workload, owner => of(owner).Workload),
            Duration = fields.Nullable("durationSeconds", Seconds(0.001), owner => of(owner).Duration),
            Settle = fields.Optional("settleSeconds", Seconds(0), owner => of(owner).Settle, TimeSpan.FromSeconds(1)),
            Return = fields.Optional("return", s_return, owner => of(owner).Return, ClientReturn.Same),
            Sessions = fields.Optional("sessions", SessionFormat.Kind, owner => of(owner).Sessions, SessionLoad.None),
            Faults = fields.Optional(
                "faults",
                JsonKinds.List(s_fault, "a list of faults, each a text"),
                owner => of(owner).Faults,
                []
            ),
            Properties = fields.Optional(
                "properties",
                JsonKinds.List(s_property, "a list of properties, each a text"),
                owner => of(owner).Properties,
                []
            ),
            TopicPrefix = fields.Optional("topicPrefix", TopicPrefix, owner => of(owner).TopicPrefix, ""),
        };

    private static JsonKind<TimeSpan> Seconds(double minimum) =>
        JsonKinds.Number(minimum, LongestSeconds).As(TimeSpan.FromSeconds, WorkloadFile.Seconds);

    private static ClusterFault ReadFault(JsonTree tree, JsonFindings findings)
    {
        if (!JsonKinds.Is(tree, findings, tree.Type == JsonTokenType.String, "a text"))
            return null!;
        try
        {
            return FaultText.Read(tree.Text);
        }
        catch (FormatException wrong)
        {
            findings.Add(tree, $"'{tree.Text}' is not a fault: {wrong.Message}");
            return null!;
        }
    }

    private static Workload ReadWorkload(JsonTree tree, JsonFindings findings)
    {
        if (tree.Type == JsonTokenType.StartObject)
            return WorkloadFormat.Kind.Read(tree, findings);
        var isName = JsonKinds.Is(
            tree,
            findings,
            tree.Type == JsonTokenType.String,
            $"a workload, its path beside this file, or one of {string.Join(", ", WorkloadFile.BuiltInNames)}"
        );
        if (!isName)
            return null!;
        try
        {
            return WorkloadFile.Read(
                WorkloadFile.BuiltInNames.Contains(tree.Text)
                    ? tree.Text
                    : Path.Combine(Path.GetDirectoryName(findings.Source) ?? "", tree.Text)
            );
        }
        catch (InputException wrong)
        {
            findings.Add(tree, wrong.Message);
            return null!;
        }
    }
}
