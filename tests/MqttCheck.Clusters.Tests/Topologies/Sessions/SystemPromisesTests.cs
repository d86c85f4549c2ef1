using System.Text.RegularExpressions;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Tests;

namespace MqttCheck.Clusters.Tests.Topologies.Sessions;

/// <summary>The pages say of each system what its runs are judged by.</summary>
[TestFixture]
internal sealed partial class SystemPromisesTests
{
    private const string Clusters = "docs/manual/clusters.md";

    [TestCase(ClusterSystem.Flood, Clusters, "## Brokers of our own")]
    [TestCase(ClusterSystem.SpanningTree, Clusters, "## Brokers of our own")]
    [TestCase(ClusterSystem.SingleOverlay, Clusters, "## Overlays: who gets what")]
    [TestCase(ClusterSystem.TopicOverlay, Clusters, "## Overlays: who gets what")]
    [TestCase(ClusterSystem.Transport, Clusters, "## A transport")]
    [TestCase(ClusterSystem.Pipeline, Clusters, "## A pipeline")]
    [TestCase(ClusterSystem.MosquittoBridge, "docs/manual/bridges.md", "# Bridges")]
    public void The_first_lines_of_a_section_say_what_its_system_promises(
        ClusterSystem system,
        string page,
        string heading
    )
    {
        var text = File.ReadAllText(RepositoryFiles.At(page));
        var begin = text.IndexOf("\n\n", text.IndexOf(heading, StringComparison.Ordinal), StringComparison.Ordinal);
        var first = Space().Replace(text[begin..].TrimStart(), " ");
        // A page may go on with a reason behind the last sentence.
        Assert.That(first, Does.StartWith(string.Join(' ', SystemPromises.Of(system).Sentences).TrimEnd('.')));
    }

    [Test]
    public void The_table_of_the_manual_has_the_promises_of_every_system([Values] ClusterSystem system)
    {
        var promises = SystemPromises.Of(system);
        var rows = File.ReadLines(RepositoryFiles.At(Clusters))
            .Where(line =>
                line.EndsWith($"| {promises.OfSharedSubscriptions} | {promises.OfTakeOver} | {promises.OfWills} |")
            );
        Assert.That(rows.Single(), Does.Contain($"`{system.Name()}`"));
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
