using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Reads scenarios: load, faults and properties that can be put to any cluster.</summary>
internal static class ScenarioFile
{
    private static readonly ClusterResources s_resources = new("scenarios/", "scenario", KnownFile.Scenario);

    /// <summary>The names of the built-in scenarios, sorted.</summary>
    public static IReadOnlyList<string> BuiltInNames => s_resources.Names;

    /// <summary>Reads a scenario.</summary>
    /// <param name="nameOrPath">A built-in name, or the path of a JSON file.</param>
    /// <exception cref="InputException">
    /// There is no such file or name, or the file is wrong: every finding, with file, line and key.
    /// </exception>
    public static ClusterScenario Read(string nameOrPath)
    {
        var (bytes, source) = s_resources.Read(nameOrPath);
        return Parse(bytes, source);
    }

    /// <summary>Reads a scenario from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is wrong: every finding.</exception>
    public static ClusterScenario Parse(ReadOnlySpan<byte> utf8Json, string source) =>
        ScenarioFormat.Kind.Parse(utf8Json, source);

    /// <summary>A scenario as the text of a file.</summary>
    /// <param name="scenario">The scenario.</param>
    public static byte[] ToBytes(ClusterScenario scenario) => ScenarioFormat.Kind.ToBytes(scenario);

    /// <summary>
    /// A topology with another scenario in place of its own. Its topic prefix stays unless the scenario has one, and so
    /// does the number of clients where the topology has sites.
    /// </summary>
    /// <param name="topology">The topology.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="where">The origin of the scenario, for the message.</param>
    /// <exception cref="InputException">The scenario cannot be put to the topology: every reason.</exception>
    public static Topology Apply(Topology topology, ClusterScenario scenario, string where)
    {
        // A scenario knows neither the topics that bridges of this topology forward nor how many clients it has.
        if (scenario.TopicPrefix.Length == 0)
            scenario = scenario with { TopicPrefix = topology.Scenario.TopicPrefix };
        if (scenario.Workload is { } workload)
            scenario = scenario with { Workload = topology.OfSites(workload) };
        var changed = topology with { Scenario = scenario };
        List<string> problems = [.. changed.Load.Validate()];
        if (SessionFormat.Problem(changed) is { } sessions)
            problems.Add($"sessions: {sessions}");
        foreach (var fault in scenario.Faults)
            problems.AddRange(FaultProblems(changed, fault).Select(problem => $"fault '{fault}': {problem}"));
        return problems.Count == 0
            ? changed
            : throw new InputException(string.Join('\n', problems.Select(problem => $"{where}: {problem}")));
    }

    internal static IEnumerable<string> FaultProblems(Topology topology, ClusterFault fault)
    {
        foreach (var problem in fault.Problems(topology))
            yield return problem;
        var end = (long)topology.Duration.TotalNanoseconds;
        if (fault.At.LatestNanoseconds >= end)
            yield return $"it begins at the end or later; allowed: before {TimeText.Of(end)}, which a run lasts";
    }
}
